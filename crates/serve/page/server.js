// The secrets of this browser, and requests to the server.

import { showRefusal } from './elements.js';

const ROLES = ['both', 'white', 'black', 'watch'];

/**
 * The secrets of this browser: the session of the host, and seats in games by game and role. They are in the storage of the
 * origin, which no other site and no other port of this machine can read. Which of its seats a tab has is the tab's own.
 */
export const secrets = {
  /** The secret for a request. */
  of(path) {
    const [, game] = /^\/api\/games\/([0-9a-f]{16})/.exec(path) ?? [];
    return (game && this.seat(game)) ?? localStorage.getItem('session');
  },

  /** The token of the seat that this tab has in a game. */
  seat(game) {
    const token = (role) => role && localStorage.getItem(`seat-${game}-${role}`);
    const role = [sessionStorage.getItem(`seat-${game}`), ...ROLES].find(token);
    // The tab keeps it, whatever seats others take.
    if (role) sessionStorage.setItem(`seat-${game}`, role);
    return role ? token(role) : null;
  },

  /** Keeps the token of a seat, and takes the seat in this tab. */
  takeSeat(game, role, token) {
    localStorage.setItem(`seat-${game}-${role}`, token);
    sessionStorage.setItem(`seat-${game}`, role);
  },

  /** Keeps the secret of the host's session. */
  keepSession(session) { localStorage.setItem('session', session); },

  /** Removes all secrets, with what belongs to a game; the colors stay. */
  forget() {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (/^(session$|seat-|links-|review-)/.test(key)) storage.removeItem(key);
    }
  },
};

// Another tab has signed out. Only this one can remove what is its own.
addEventListener('storage', ({ key, newValue }) => { if (key === 'session' && newValue === null) secrets.forget(); });

/** Sends a request with the secret for it. */
export async function fetchAuthorized(path, options = {}) {
  const tried = async (secret) => fetch(path, {
    ...options,
    credentials: 'omit',
    headers: { ...options.headers, ...(secret && { Authorization: `Bearer ${secret}` }) },
  });
  const secret = secrets.of(path);
  const response = await tried(secret);
  const now = secrets.of(path);
  // Another tab may have got a new secret meanwhile.
  return response.status === 401 && now !== secret ? tried(now) : response;
}

/** Sends a request, as JSON if it has a body, and returns the answer. Fails with the sentence of the server. */
export async function ask(path, body) {
  const response = await fetchAuthorized(path, body === undefined ? {} : {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.error ?? 'The server does not answer.'), { status: response.status });
  return answer;
}

/** Saves what a link leads to. The browser itself would not send the secret. */
export async function download(event) {
  const link = event.currentTarget;
  event.preventDefault();
  const response = await fetchAuthorized(link.pathname);
  if (!response.ok) { showRefusal('refusal', 'The server does not answer.'); return; }
  const file = document.createElement('a');
  file.href = URL.createObjectURL(await response.blob());
  file.download = link.download;
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60000);
}

/** Takes the token in the address, and removes it from the address bar. */
export async function enter(game) {
  const token = location.hash.slice(1);
  if (!/^[0-9a-f]{32}$/.test(token)) return;
  history.replaceState(null, '', location.pathname);
  const { you, session } = await ask(game ? `/api/games/${game}/enter` : '/api/enter', { token });
  if (game) secrets.takeSeat(game, you, token);
  else secrets.keepSession(session);
}

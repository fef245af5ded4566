// What all parts of the page share: elements by ID, requests to the server, and announcements.

export const $ = (id) => document.getElementById(id);

export function show(element, shown) {
  element.hidden = !shown;
}

/** Announces something to screen readers. */
export function say(sentences) {
  const text = [].concat(sentences).filter(Boolean).join(' ');
  if (text) $('live').textContent = text;
}

/** Shows and announces why something was refused. */
export function refuse(id, sentences) {
  const text = [].concat(sentences).join(' ');
  $(id).textContent = text;
  say(text);
}

export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(path, options);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.error ?? 'The server does not answer.'), { status: response.status });
  return answer;
}

/** Exchanges the token in the address for a cookie, and removes it from the address bar. */
export async function enter(game) {
  const token = location.hash.slice(1);
  if (!/^[0-9a-f]{32}$/.test(token)) return;
  history.replaceState(null, '', location.pathname);
  await ask(game ? `/api/games/${game}/enter` : '/api/enter', { token });
}

/** Shows a text instead of everything else. */
export function tell(text) {
  for (const id of ['lobby', 'game']) show($(id), false);
  $('message-text').textContent = text;
  show($('message'), true);
  say(text);
}

/** Asks for confirmation, and acts after a yes. */
export function confirmThen(text, act) {
  const dialog = $('confirm');
  $('confirm-text').textContent = text;
  dialog.returnValue = '';
  dialog.onclose = () => { if (dialog.returnValue === 'yes') act(); };
  dialog.showModal();
}

/** Copies a text, or says that the browser does not allow it. */
export async function copy(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${name} copied.`);
  } catch {
    refuse('refusal', `The browser does not let the page copy; the ${name} can be selected and copied by hand.`);
  }
}

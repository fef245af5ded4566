// The host's page: new games, and a list of games.

import { createElement } from './board.js';
import { $, confirmThen, setShown, showMessage, showRefusal } from './elements.js';
import { ask, enter, secrets } from './server.js';

/** The largest file that is read, in bytes. */
const MAX_FILE_SIZE = 200000;

export const lobby = {
  /** Shows the lobby to the host, and to everybody else how to get in. */
  async open() {
    let hint = 'Open the address that the server printed, or the link of a game.';
    try {
      await enter(null);
    } catch (error) {
      hint = `${error.message} The address that the server printed can be opened once.`;
    }
    // Whoever has opened the address before is the host already.
    const about = await ask('/api/about');
    if (!about.host) {
      showMessage(hint);
      return;
    }
    const { session } = await ask('/api/session', {});
    if (session) secrets.keepSession(session);
    this.offerLevels(about.levels);
    setShown($('lobby'), true);
    this.start();
    await this.listGames();
  },

  /** Listens to the form, to texts and files that are pasted or dropped, and to the buttons that sign out. */
  start() {
    for (const id of ['clock', 'start']) $(id).addEventListener('change', () => this.draw());
    $('start-file').addEventListener('change', () => this.readFile($('start-file').files[0]));
    addEventListener('paste', (event) => {
      if (event.target.closest?.('input, textarea')) return;
      const text = event.clipboardData?.getData('text/plain').trim();
      if (text) this.useAsStart(text);
    });
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => { event.preventDefault(); this.readFile(event.dataTransfer.files[0]); });
    $('new').addEventListener('submit', (event) => { event.preventDefault(); this.create(); });
    const confirmSignOut = (everywhere, where) => confirmThen(
      `Sign out${where}? This browser forgets its seats in games, too. To be the host again, start the server again and open the address that it prints.`,
      () => this.signOut(everywhere),
    );
    $('sign-out').addEventListener('click', () => confirmSignOut(false, ''));
    $('sign-out-all').addEventListener('click', () => confirmSignOut(true, ' everywhere'));
  },

  /** Ends the session of this browser, or all sessions of the host. */
  async signOut(everywhere) {
    try {
      await ask('/api/session/end', { everywhere });
      secrets.forget();
      showMessage('You have signed out. The links of games still work.');
    } catch (error) {
      showRefusal('new-error', error.message);
    }
  },

  /** Shows the fields that the chosen clock and start need. */
  draw() {
    setShown($('other-clock-label'), $('clock').value === 'other');
    setShown($('chess960-label'), $('start').value === 'chess960');
    setShown($('start-text-part'), $('start').value === 'text');
  },

  async readFile(file) {
    if (!file) return;
    if (file.size <= MAX_FILE_SIZE) this.useAsStart(await file.text());
    else showRefusal('new-error', 'That file is too large.');
  },

  /** Uses a text as the start of the next game. */
  useAsStart(text) {
    $('start').value = 'text';
    $('start-text').value = text;
    this.draw();
  },

  /** Offers the levels of the engine as opponents. */
  offerLevels(levels) {
    const options = levels.map(({ level, name, elo, list }) => {
      const option = createElement('option', '', `level ${level}, ${name} (${elo}${list ? `, ${list}` : ''})`);
      option.value = `bot:${level}`;
      return option;
    });
    $('opponent').prepend(...options);
    $('opponent').value = 'bot:3';
  },

  /** Asks the server for the game of the form, and goes there. */
  async create() {
    const opponent = $('opponent').value;
    const asked = { opponent: opponent === 'nobody' ? 'here' : opponent, side: $('side').value };
    const clock = $('clock').value === 'other' ? $('other-clock').value.trim() : $('clock').value;
    // A game that is only reviewed needs no clock.
    if (clock && opponent !== 'nobody') asked.clock = clock;
    if (opponent !== 'nobody') asked.draws = $('draws').value;
    if ($('name').value.trim()) asked.name = $('name').value.trim();
    const start = $('start').value;
    const text = $('start-text').value.trim();
    if (start === 'chess960') asked.chess960 = $('chess960').value === '' ? 'random' : Number($('chess960').value);
    if (start === 'text' && text) {
      const isFen = /^[1-8pnbrqkPNBRQK/]+\s+[wb]\s/.test(text) && !text.includes('\n');
      asked[isFen ? 'fen' : 'pgn'] = text;
    }
    try {
      const made = await ask('/api/games', asked);
      sessionStorage.setItem(`links-${made.id}`, JSON.stringify(made.links));
      secrets.takeSeat(made.id, made.you, made.links[made.you].split('#')[1]);
      if (opponent === 'nobody') sessionStorage.setItem(`review-${made.id}`, '1');
      location.assign(`/game/${made.id}`);
    } catch (error) {
      showRefusal('new-error', error.message);
    }
  },

  /** Shows the latest games. */
  async listGames() {
    const { games } = await ask('/api/games');
    $('games').replaceChildren(...games.map(({ id, names, links: known }) => {
      const item = createElement('li');
      const link = createElement('a', '', `${names.white || 'White'} – ${names.black || 'Black'}`);
      link.href = `/game/${id}`;
      link.addEventListener('click', () => sessionStorage.setItem(`links-${id}`, JSON.stringify(known)));
      item.append(link);
      return item;
    }));
    if (!games.length) $('games').append(createElement('li', 'quiet', 'none yet'));
  },
};

// The host's page: new games, and a list of games.

import { make } from './board.js';
import { $, ask, confirmThen, enter, refuse, secrets, show, tell } from './server.js';

const LARGEST = 200000;

export const lobby = {
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
      tell(hint);
      return;
    }
    const { session } = await ask('/api/session', {});
    if (session) secrets.begin(session);
    this.levels(about.levels);
    show($('lobby'), true);
    for (const id of ['clock', 'start']) $(id).addEventListener('change', () => this.draw());
    $('start-file').addEventListener('change', () => this.read($('start-file').files[0]));
    addEventListener('paste', (event) => {
      if (event.target.closest?.('input, textarea')) return;
      const text = event.clipboardData?.getData('text/plain').trim();
      if (text) this.take(text);
    });
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => { event.preventDefault(); this.read(event.dataTransfer.files[0]); });
    $('new').addEventListener('submit', (event) => { event.preventDefault(); this.create(); });
    const leave = (everywhere, where) => confirmThen(
      `Sign out${where}? This browser forgets its seats in games, too. To be the host again, start the server again and open the address that it prints.`,
      () => this.leave(everywhere),
    );
    $('sign-out').addEventListener('click', () => leave(false, ''));
    $('sign-out-all').addEventListener('click', () => leave(true, ' everywhere'));
    await this.list();
  },

  async leave(everywhere) {
    try {
      await ask('/api/session/end', { everywhere });
      secrets.forget();
      tell('You have signed out. The links of games still work.');
    } catch (error) {
      refuse('new-error', error.message);
    }
  },

  draw() {
    show($('other-clock-label'), $('clock').value === 'other');
    show($('chess960-label'), $('start').value === 'chess960');
    show($('start-text-part'), $('start').value === 'text');
  },

  async read(file) {
    if (!file) return;
    if (file.size <= LARGEST) this.take(await file.text());
    else refuse('new-error', 'That file is too large.');
  },

  /** Uses a text as the start of the next game. */
  take(text) {
    $('start').value = 'text';
    $('start-text').value = text;
    this.draw();
  },

  levels(levels) {
    const options = levels.map(({ level, name, elo, list }) => {
      const option = make('option', '', `level ${level}, ${name} (${elo}${list ? `, ${list}` : ''})`);
      option.value = `bot:${level}`;
      return option;
    });
    $('opponent').prepend(...options);
    $('opponent').value = 'bot:3';
  },

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
      secrets.sit(made.id, made.you, made.links[made.you].split('#')[1]);
      if (opponent === 'nobody') sessionStorage.setItem(`review-${made.id}`, '1');
      location.assign(`/game/${made.id}`);
    } catch (error) {
      refuse('new-error', error.message);
    }
  },

  async list() {
    const { games } = await ask('/api/games');
    $('games').replaceChildren(...games.map(({ id, names, links: known }) => {
      const item = make('li');
      const link = make('a', '', `${names.white || 'White'} – ${names.black || 'Black'}`);
      link.href = `/game/${id}`;
      link.addEventListener('click', () => sessionStorage.setItem(`links-${id}`, JSON.stringify(known)));
      item.append(link);
      return item;
    }));
    if (!games.length) $('games').append(make('li', 'quiet', 'none yet'));
  },
};

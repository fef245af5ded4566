// The page: a lobby for the host, and a board. The server decides what is legal, what the clocks show and how a game ends; the
// page only shows it and sends requests.

import { $, showMessage } from './elements.js';
import { game } from './game.js';
import { lobby } from './lobby.js';

/** Light or dark, and the colors of the board: as last chosen, or as the system prefers. */
const look = {
  start() {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const wished = () => localStorage.getItem('theme') ?? (dark.matches ? 'dark' : 'light');
    this.set(wished());
    dark.addEventListener('change', () => this.set(wished()));
    $('theme').addEventListener('click', () => {
      const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
      localStorage.setItem('theme', next);
      this.set(next);
    });
    const kept = localStorage.getItem('board');
    if ([...$('board-theme').options].some((option) => option.value === kept)) $('board-theme').value = kept;
    const paint = () => { document.documentElement.dataset.board = $('board-theme').value; };
    $('board-theme').addEventListener('change', () => { localStorage.setItem('board', $('board-theme').value); paint(); });
    paint();
  },

  set(name) {
    document.documentElement.dataset.theme = name;
    $('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
  },
};

/** A click beside a dialog closes it, as Escape does. One that began elsewhere, such as the one that opened it, does not. */
for (const dialog of document.querySelectorAll('dialog')) {
  let outside = false;
  dialog.addEventListener('pointerdown', (event) => { outside = event.target === dialog; });
  dialog.addEventListener('click', (event) => { if (outside && event.target === dialog) dialog.close(); });
  dialog.addEventListener('close', () => { outside = false; });
}

look.start();
const found = /^\/game\/([0-9a-f]{16})$/.exec(location.pathname);
if (found) game.open(found[1]);
else if (location.pathname === '/') lobby.open().catch((error) => showMessage(error.message));
else showMessage('There is no such game.');
// The link of the same game for another role was opened in this tab.
addEventListener('hashchange', () => { if (location.hash.length > 1) location.reload(); });

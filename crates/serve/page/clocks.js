// The clocks, the names of the players and whether they are there, and what they have captured.

import { PIECE_NAMES, createElement, opposite } from './board.js';
import { $ } from './elements.js';

/** The game on the page, once it is shown. */
let game = null;

/** The clocks, with the names of the players and what they have captured. */
export const clocks = {
  /** Lets the clocks of a game run. */
  start(shownGame) {
    game = shownGame;
    setInterval(() => this.drawTimes(), 100);
  },

  /** The milliseconds left to a side; `null` without a clock. */
  left(side) {
    const { left_ms: left, running, delay_ms: delay } = game.current.clock;
    if (left[side] === null) return null;
    const passed = running === side ? Math.max(0, performance.now() - game.currentSince - delay) : 0;
    return Math.max(0, left[side] - passed);
  },

  /** A time as on a clock: `1:05:00`, `5:00`, in the last ten seconds with tenths. */
  text(ms) {
    const seconds = ms < 10000 ? Math.floor(ms / 100) / 10 : Math.ceil(ms / 1000);
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    const rest = ms < 10000 ? seconds.toFixed(1) : String(seconds % 60);
    const two = (value) => String(value).padStart(ms < 10000 ? 4 : 2, '0');
    if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
    return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${two(rest)}` : `${minutes}:${two(rest)}`;
  },

  /** Which side is above the board and which below. */
  sides() { return [['top', opposite(game.boardView.bottom)], ['bottom', game.boardView.bottom]]; },

  drawTimes() {
    for (const [id, side] of this.sides()) {
      const clock = $(id).querySelector('.clock');
      const left = this.left(side);
      clock.textContent = left === null ? '' : this.text(left);
      const runs = game.current.clock.running === side;
      clock.classList.toggle('runs', runs);
      clock.classList.toggle('low', runs && left !== null && left < 20000);
      const name = $(id).querySelector('.name');
      const text = game.state.names[side] + this.absence(side);
      if (name.textContent !== text) name.textContent = text;
    }
  },

  /** What is said beside the name of a player who is away; to the opponent, when the game can be claimed. */
  absence(side) {
    if (game.state.presence.here[side]) return '';
    const claimIn = game.claimIn();
    if (claimIn === null || game.plays(side)) return ' (away)';
    const left = Math.ceil((claimIn - (performance.now() - game.presenceSince)) / 1000);
    return left > 0 ? ` (away; claim in ${left} s)` : ' (away; the game can be claimed)';
  },

  draw() {
    for (const [id, side] of this.sides()) {
      const here = game.state.presence.here[side];
      $(id).querySelector('.name').classList.toggle('away', !here);
      const order = (letter) => 'qrbnp'.indexOf(letter);
      const lost = [...game.current.captured[opposite(side)].toLowerCase()].sort((a, b) => order(a) - order(b));
      const list = $(id).querySelector('.lost');
      list.replaceChildren(...lost.map((letter) => createElement('span', `piece ${opposite(side)[0]}${letter}`)));
      list.setAttribute('role', 'img');
      list.setAttribute('aria-label', lost.length ? `has captured ${lost.map((letter) => PIECE_NAMES[letter]).join(', ')}` : 'has captured nothing');
    }
    this.drawTimes();
  },
};

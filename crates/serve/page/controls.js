// The buttons beside the board, the keys, the field for moves, and the links of the game. What they ask for, the server decides.

import { createElement, opposite } from './board.js';
import { $, confirmThen, copy, setShown } from './elements.js';
import { asksTakeback, colorName, offersDraw } from './sentences.js';
import { download, fetchAuthorized } from './server.js';
import { study } from './study.js';

/** The game on the page, once it is shown. */
let game = null;

/** The buttons, the keys and the field for moves. */
export const controls = {
  /** The side for which this player offers a draw or resigns, and the one that asks to take its move back. */
  actingSide() { return game.you === 'both' ? game.current.turn : game.you; },
  takebackSide() { return game.you === 'both' ? opposite(game.current.turn) : game.you; },

  /** Says what each button, each key and the field for moves does. */
  start(shownGame) {
    game = shownGame;
    this.showLinks();
    const on = (id, act) => $(id).addEventListener('click', act);
    on('flip', () => { game.boardView.turn(opposite(game.boardView.bottom)); game.draw(); });
    on('undo', () => game.request({ command: 'undo', to: { plies: 1 } }));
    on('redo', () => game.request({ command: 'redo', plies: 1 }));
    on('pause', () => game.request({ command: game.current.paused ? 'resume' : 'pause' }));
    on('claim', () => confirmThen('Claim a draw?', () => game.request({ command: 'claim' })));
    on('away', () => confirmThen('Claim the game? Your opponent has left.', () => game.request({ command: 'abandon', winner: game.you })));
    on('offer', () => confirmThen('Offer a draw?', () => game.request({ command: 'offer_draw', side: this.actingSide() })));
    on('takeback', () => confirmThen('Ask to take a move back?', () => game.request({ command: 'ask_takeback', side: this.takebackSide() })));
    on('resign', () => confirmThen('Resign the game?', () => game.request({ command: 'resign', side: this.actingSide() })));
    on('rematch', () => (game.nextGame ? location.assign(game.nextGame) : game.request({ command: 'rematch' })));
    on('accept', () => this.answer('accept_draw', 'grant_takeback'));
    on('decline', () => this.answer('decline_draw', 'decline_takeback'));
    on('copy-fen', () => copy($('fen').value, 'FEN'));
    on('copy-pgn', async () => copy(await (await fetchAuthorized($('pgn').pathname)).text(), 'PGN'));
    for (const id of ['pgn', 'page', 'fen-file']) on(id, download);
    for (const id of ['first', 'back', 'forth', 'last', 'now']) on(id, () => this.step(id));
    addEventListener('keydown', (event) => this.key(event));
    $('typed').addEventListener('submit', (event) => { event.preventDefault(); this.submitMove(); });
  },

  /** Plays the move in the field. */
  submitMove() {
    const text = $('move').value.trim();
    const clear = (done) => { if (done) $('move').value = ''; };
    if (!text) return;
    if (study.reviewing) study.try(text, clear);
    else game.request({ command: 'play', move: text }, clear);
  },

  /** Goes to the position that a button is named after: `first`, `back`, `forth`, `last` or `now`. */
  step(where) {
    if (study.reviewing) { study.step(where); return; }
    game.goToPly({ first: 0, back: game.shownPly - 1, forth: game.shownPly + 1, last: game.state.moves.length, now: game.current.ply }[where]);
  },

  /** Goes through the moves, where nothing else uses the key: not the board, a text, or a dialog. */
  key(event) {
    const where = {
      PageUp: 'back', PageDown: 'forth', ArrowLeft: 'back', ArrowRight: 'forth', Home: 'first', End: 'now',
    }[event.key];
    const field = event.target.closest?.('dialog, input, textarea, select');
    const free = !field || (field === $('move') && !field.value) || (field.matches('select') && event.key.startsWith('Arrow'));
    if (!where || !free || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.step(where);
  },

  /** Answers the draw offer or the request for a takeback, with one of two commands. */
  answer(drawCommand, takebackCommand) {
    const { offer, takeback } = game.current;
    if (offer && game.plays(opposite(offer))) game.request({ command: drawCommand, side: opposite(offer) });
    else if (takeback && game.plays(opposite(takeback))) game.request({ command: takebackCommand, side: opposite(takeback) });
  },

  draw() {
    const { outcome, paused, offer, takeback, claims, turn } = game.current;
    const open = game.isOpen() && game.you !== 'watch' && !study.reviewing;
    const asks = (by) => by && open && game.plays(opposite(by));
    setShown($('undo'), game.isAlone() && !study.reviewing && (open || Boolean(outcome)));
    setShown($('redo'), game.isAlone() && !study.reviewing);
    $('undo').disabled = game.current.ply === 0;
    $('redo').disabled = game.current.ply >= game.state.moves.length;
    setShown($('pause'), open && game.isAlone() && game.state.time.white !== 'unlimited');
    $('pause').textContent = paused ? 'Resume' : 'Pause';
    setShown($('claim'), open && claims.length > 0 && game.plays(turn));
    setShown($('offer'), open && !offer && game.you !== 'both');
    setShown($('takeback'), open && !takeback && !game.isAlone() && game.current.ply > 0);
    setShown($('resign'), open);
    setShown($('away'), open && game.claimIn() === 0);
    setShown($('typed'), open || study.reviewing);
    this.drawRematch(Boolean(outcome));
    const asked = asks(offer) || asks(takeback);
    setShown($('question'), Boolean(asked));
    setShown($('news'), !asked);
    if (asked) $('question-text').textContent = asks(offer) ? offersDraw(offer) : asksTakeback(takeback);
    $('status').textContent = this.status();
    const { opening } = game.current;
    $('opening').textContent = opening ? `${opening.eco} ${opening.name}` : '';
    setShown($('now'), game.viewedPly !== null && !study.reviewing && (game.isOpen() || game.missedMove));
    $('now').textContent = game.missedMove ? `New move: ${game.moveTree().numberedMove(game.moveTree().at(game.current.ply))}` : 'To the current position';
    document.title = open && game.plays(turn) ? '● Your move: Tabiya' : 'Tabiya';
  },

  drawRematch(over) {
    const asked = game.you !== 'watch' && game.you !== 'both' && game.rematchWantedBy.has(opposite(game.you));
    const waits = game.you !== 'both' && game.rematchWantedBy.has(game.you) && !game.nextGame;
    const watches = game.you === 'watch';
    setShown($('rematch'), over && (!watches || Boolean(game.nextGame)));
    $('rematch').disabled = waits;
    if (watches) $('rematch').textContent = 'Watch the next game';
    else if (game.nextGame) $('rematch').textContent = 'To the rematch';
    else if (waits) $('rematch').textContent = 'Waiting for the opponent…';
    else $('rematch').textContent = asked ? 'Accept the rematch' : 'Rematch';
  },

  /** Who is to move, or what stands in the way. */
  status() {
    const { outcome, begun, paused, turn, check } = game.current;
    let status = `${colorName(turn)} to move${check ? ', in check' : ''}.`;
    if (game.pendingMove && !game.connection.isOpen) status = `Your move ${game.pendingMove.request.move} waits for the connection.`;
    if (outcome) status = `${outcome.text} ${outcome.result}`;
    else if (!begun) status = 'Waiting for the opponent. Send the link.';
    else if (paused) status = 'The game is paused.';
    return game.you === 'watch' ? `${status} You are watching.` : status;
  },

  /** Shows the links of the game that this browser knows. */
  showLinks() {
    const known = JSON.parse(sessionStorage.getItem(`links-${game.id}`) ?? 'null');
    if (!known) return;
    const words = { white: 'For White', black: 'For Black', both: 'For both sides', watch: 'To watch' };
    for (const [role, address] of Object.entries(known)) {
      if (role === game.you) continue;
      const label = createElement('label', '', `${words[role]} `);
      const input = createElement('input');
      input.readOnly = true;
      input.value = address;
      input.addEventListener('focus', () => input.select());
      label.append(input);
      $('links').append(label);
    }
    if (!game.current.begun) $('share').open = true;
  },
};

// A game as this tab sees it: messages in, requests out, and what the board allows.

import { Board, FILES, PIECE_NAMES, createElement, piecesOf, sideOf, turnOf } from './board.js';
import { clocks } from './clocks.js';
import { Connection } from './connection.js';
import { controls } from './controls.js';
import { $, announce, setShown, showMessage, showRefusal } from './elements.js';
import { MoveList, Tree } from './moves.js';
import { asksTakeback, colorName, offersDraw } from './sentences.js';
import { enter } from './server.js';
import { study } from './study.js';

/** A move without an answer is shown as pending after this time, or at once if there is no connection. */
const PENDING_DELAY = 700;
/** The events whose sentences stay on the page until the player goes on. */
const ANSWER_EVENTS = /_(offered|asked|granted|declined|lapsed)$|^(un|re)done$/;

export const game = {
  id: null,
  /** The last message `state`, with the changes since then. */
  state: null,
  connection: null,
  /** When the server said how the game stands, and who is connected. */
  currentSince: 0,
  presenceSince: 0,
  /** The requests without an answer by ID; one of them may be a move. */
  unanswered: new Map(),
  lastRequestId: 0,
  pendingMove: null,
  premove: null,
  /** The ply that is shown, if it is not the current one, and whether a move was played meanwhile. */
  viewedPly: null,
  missedMove: false,
  boardView: null,
  moveList: null,
  tree: null,
  /** A message whose list has not arrived as a whole. */
  partial: null,
  rematchWantedBy: new Set(),
  /** The address of the rematch, once it has begun. */
  nextGame: null,
  reconnected: false,

  /** How the game stands, as the server says. */
  get current() { return this.state.board; },
  /** The role of this tab: `white`, `black`, `both` or `watch`. */
  get you() { return this.state.you; },
  /** Whether the current position is shown. */
  get showsCurrent() { return this.viewedPly === null && !study.reviewing; },
  get shownPly() { return this.viewedPly ?? this.current.ply; },

  plays(side) { return this.you === side || this.you === 'both'; },
  /** Whether the game has begun and is not over. */
  isOpen() { return this.current.begun && !this.current.outcome; },
  /** Whether this player is to move. */
  isTurn() { return this.isOpen() && !this.current.paused && this.plays(this.current.turn); },
  /** Whether a move or a premove can be made on the board that is shown. */
  mayMove() { return this.showsCurrent && this.isTurn(); },
  mayPremove() { return this.showsCurrent && this.isOpen() && this.you !== 'watch' && this.you !== 'both' && !this.plays(this.current.turn); },
  isBot(side) { return this.state.players[side].startsWith('bot'); },
  /** Whether no other person plays. */
  isAlone() { return this.you !== 'watch' && (this.you === 'both' || this.isBot('white') || this.isBot('black')); },
  /** The milliseconds until this player may claim the game, as the server decides; `null` if that is not possible. */
  claimIn() {
    const { white, black } = this.state.presence.claim_in_ms;
    return { white: black, black: white }[this.you] ?? null;
  },
  fenAt(ply) { return ply === 0 ? this.state.start : this.state.moves[ply - 1]?.fen ?? this.current.fen; },

  async open(id) {
    this.id = id;
    try {
      await enter(id);
    } catch (error) {
      showMessage(error.message);
      return;
    }
    this.connection = new Connection(id, (message) => this.receive(message), () => this.draw());
    this.connection.start();
  },

  /** Long lists come in pieces: a message with the first part of its list, then the other parts. Returns whole messages. */
  assemble(message) {
    if (!['state', 'review', 'more'].includes(message.type)) return message;
    const first = message.type === 'more' ? this.partial : message;
    if (!first) return null;
    const list = first.type === 'state' ? first.moves : first.nodes;
    if (message.type === 'more') list.push(...message.items);
    this.partial = first.count > list?.length ? first : null;
    return this.partial ? null : first;
  },

  /** Acts on a message of the server. Nothing matters before the first whole state. */
  receive(received) {
    const message = this.assemble(received);
    if (!message) return;
    if (!this.state && message.type !== 'state') return;
    if (message.type === 'state' || message.type === 'happened') this.currentSince = performance.now();
    switch (message.type) {
      case 'state': this.receiveState(message); break;
      case 'happened': this.receiveEvents(message); break;
      case 'presence': this.presenceSince = performance.now(); this.state.presence = message; break;
      case 'rematch':
        this.rematchWantedBy.add(message.by);
        if (!this.plays(message.by)) this.showNews(`${colorName(message.by)} wants a rematch.`);
        break;
      case 'next': this.goToNextGame(message); break;
      case 'done': this.answered(message.id, true); break;
      case 'refused':
        showRefusal('refusal', message.sentences);
        this.answered(message.id, false);
        break;
      case 'notice': showRefusal('refusal', message.sentences); break;
      case 'advice': study.receiveAdvice(message); break;
      case 'review': study.receiveReview(message); break;
    }
    this.draw();
  },

  /** The whole game, at the start of each connection. */
  receiveState(message) {
    const first = !this.state;
    this.missedMove ||= this.viewedPly !== null && message.board.ply !== this.current.ply;
    Object.assign(this, { state: message, tree: null, rematchWantedBy: new Set(), presenceSince: this.currentSince });
    if (this.openQuestions()) $('news').textContent = this.openQuestions();
    if (this.viewedPly >= message.board.ply) this.view(null);
    if (first) this.start();
    this.reconnected = !first;
    this.resend();
    study.restart();
    this.playPremove();
  },

  /** What one command did to the game. */
  receiveEvents(message) {
    if (message.number !== this.state.number + 1) {
      // A message is missing. A new connection begins with the whole state.
      this.connection.reconnect();
      return;
    }
    const { current: before } = this;
    const moved = message.events.some((event) => event.event === 'moved');
    const walked = moved || message.board.ply !== before.ply;
    // What others do leaves those who look at another position there, as long as the game still has that position.
    const own = moved ? this.plays(before.turn) : walked && this.isAlone();
    if (own || this.viewedPly > message.moves_from) this.view(null);
    this.missedMove ||= moved && this.viewedPly !== null;
    this.state.number = message.number;
    this.state.moves.splice(message.moves_from, Infinity, ...message.moves);
    this.state.board = message.board;
    if (this.pendingMove?.ply !== this.current.ply) this.pendingMove = null;
    this.tree = null;
    // The links have arrived.
    if (!before.begun && this.current.begun) $('share').open = false;
    if (this.viewedPly === this.current.ply) this.view(null);
    if (moved && this.showsCurrent) this.boardView.picked = null;
    // A premove answers a move, and nothing else.
    if (walked && !moved) this.premove = null;
    this.announceEvents(message, before, moved);
    $('refusal').textContent = '';
    this.playPremove();
  },

  /** The offer and the request that have no answer yet. */
  openQuestions() {
    const { offer, takeback, outcome } = this.current;
    return outcome ? '' : [offer && offersDraw(offer), takeback && asksTakeback(takeback)].filter(Boolean).join(' ');
  },

  /** Announces and shows something that is not about a move. */
  showNews(text) {
    $('news').textContent = text;
    announce(text);
  },

  /** Announces what happened, and shows the answers of the other side. */
  announceEvents({ events, sentences, board }, before, moved) {
    const passed = moved && !this.plays(before.turn) && !board.outcome;
    const answers = events.some(({ event }) => ANSWER_EVENTS.test(event)) ? sentences : [];
    announce(sentences);
    // The other side's next move does not take an answer away before it is read.
    if (answers.length || !passed || this.you === 'watch') $('news').textContent = answers.join(' ');
  },

  /** Shows the position after a ply, or the current one. */
  view(ply) {
    this.viewedPly = ply;
    this.missedMove &&= ply !== null;
  },

  /** Shows the position after a ply, and announces it. */
  goToPly(ply) {
    const to = Math.max(0, Math.min(ply, this.state.moves.length));
    this.view(to === this.current.ply ? null : to);
    this.boardView.picked = null;
    this.draw();
    const made = this.state.moves[to - 1];
    announce(made ? `After ${made.san}.` : 'At the start.');
  },

  /** The rematch has begun. Players go there at once, and watchers get a button. */
  goToNextGame({ id, token, joined }) {
    this.nextGame = `/game/${id}#${token}`;
    // Whoever opens a game that is over wants to see that game.
    const stays = this.you === 'watch' || (joined && !this.reconnected);
    if (stays) this.showNews('The players have begun another game.');
    else location.assign(this.nextGame);
  },

  /** Tells whoever made a request whether it was carried out. */
  answered(id, done) {
    if (this.pendingMove?.id === id) this.pendingMove = null;
    this.unanswered.get(id)?.then(done);
    this.unanswered.delete(id);
  },

  /** Sends a request with the current ply, so that the server does nothing twice. A move waits for the connection. */
  request(request, then = () => {}) {
    const isMove = request.command === 'play';
    if (!this.connection.isOpen && !isMove) {
      showRefusal('refusal', 'The server is not connected.');
      then(false);
      return;
    }
    $('refusal').textContent = '';
    this.lastRequestId += 1;
    const message = { id: this.lastRequestId, ply: this.current.ply, request };
    this.unanswered.set(message.id, { message, then });
    this.connection.send(message);
    if (!isMove) return;
    this.pendingMove = message;
    setTimeout(() => { if (this.pendingMove === message) this.draw(); }, this.connection.isOpen ? PENDING_DELAY : 0);
  },

  /** On a new connection, what was not answered is sent again if the game stands where it was. */
  resend() {
    const asked = [...this.unanswered.values()];
    const pending = this.pendingMove;
    this.unanswered.clear();
    this.pendingMove = null;
    for (const { message, then } of asked) {
      const isMove = message.request.command === 'play';
      if (message.ply !== this.current.ply || (isMove && (message !== pending || !this.isOpen()))) {
        then(false);
        continue;
      }
      if (isMove) this.pendingMove = message;
      this.unanswered.set(message.id, { message, then });
      this.connection.send(message);
    }
  },

  /** Plays a move in coordinates. */
  play(uci) {
    this.request({ command: 'play', move: uci });
  },

  /** Plays the premove if it is legal now, and forgets it either way. */
  playPremove() {
    if (!this.isOpen()) {
      this.premove = null;
      if ($('promotion').open) $('promotion').close();
    }
    if (!this.premove || !this.isTurn()) return;
    const { from, to, promotion: role } = this.premove;
    this.premove = null;
    const found = movesBetween(from, to, this.current.legal, this.current);
    if (found.length) this.play(found.find((uci) => uci.endsWith(role)) ?? found[0]);
  },

  /** Shows the game for the first time. */
  start() {
    this.boardView = new Board($('board'), $('marks'), boardHooks);
    this.moveList = new MoveList($('moves'), (id) => (study.reviewing ? study.goTo(id) : this.goToPly(id)));
    this.boardView.bottom = this.you === 'black' ? 'black' : 'white';
    this.boardView.focus = this.you === 'black' ? 'e7' : 'e2';
    this.boardView.build();
    setShown($('game'), true);
    setShown($('message'), false);
    $('pgn').href = `/api/games/${this.id}/pgn`;
    $('page').href = `/api/games/${this.id}/page`;
    $('fen-file').href = `/api/games/${this.id}/fen`;
    controls.start(this);
    study.start(this);
    clocks.start(this);
  },

  /** The moves for the list: a tree without branches, whose node IDs are plies. */
  moveTree() {
    this.tree ??= new Tree([
      { id: 0, parent: null, ply: 0, fen: this.state.start },
      ...this.state.moves.map((made, at) => ({ id: at + 1, parent: at, ply: at + 1, ...made })),
    ]);
    return this.tree;
  },

  /** The squares of a move that waits for its answer. */
  pendingSquares() {
    const [, from, to] = /^([a-h][1-8])([a-h][1-8])/.exec(this.pendingMove?.request.move) ?? [];
    return from ? { from, to } : null;
  },

  draw() {
    if (!this.state) return;
    if (study.reviewing) {
      study.drawReview();
    } else {
      const ply = this.shownPly;
      const made = this.state.moves[ply - 1];
      const check = this.showsCurrent ? this.current.check : /[+#]$/.test(made?.san ?? '');
      const waits = this.showsCurrent ? this.premove ?? this.pendingSquares() : null;
      this.boardView.show({ fen: this.fenAt(ply), last: made?.uci, check, premove: waits, marks: study.hintMarks() });
      this.moveList.draw(this.moveTree(), ply, this.current.ply);
      study.drawDuringGame();
      $('fen').value = this.fenAt(ply);
    }
    controls.draw();
    clocks.draw();
  },
};

/** The squares of the rooks with which a side may still castle: `K` and `Q` are the outermost ones, other letters are files. */
function castlingRooks(fen, side) {
  const placed = piecesOf(fen);
  const rank = side === 'white' ? 1 : 8;
  const at = (kind) => [...FILES].filter((file) => placed[file + rank] === side[0] + kind);
  const [[king], rooks] = [at('k'), at('r')];
  const own = [...fen.split(' ')[2]].filter((sign) => (sign === sign.toUpperCase()) === (side === 'white'));
  const files = own.map((sign) => sign.toLowerCase()).map((sign) => (
    { k: rooks.findLast((file) => file > king), q: rooks.find((file) => file < king) }[sign] ?? sign
  ));
  return files.filter((file) => rooks.includes(file)).map((file) => file + rank);
}

/** The legal moves of a piece to a square; several if a pawn promotes. */
const movesBetween = (from, to, legal, position) => legal.filter((uci) => uci.startsWith(from) && boardHooks.destinations(uci, position).includes(to));

/** What the board allows. */
const boardHooks = {
  /** Whether a piece can be picked up. */
  mayPick(name) {
    if (study.reviewing) return study.mayPick(name);
    const piece = piecesOf(game.current.fen)[name];
    if (!piece) return false;
    if (game.mayMove()) return sideOf(piece[0]) === game.current.turn;
    return game.mayPremove() && game.plays(sideOf(piece[0]));
  },

  /** The legal moves in coordinates; none if it is not this player's turn. */
  legal() {
    if (study.reviewing) return study.legalHere().moves;
    return game.mayMove() ? game.current.legal : [];
  },

  /** The squares that a piece can go to; a king that castles can go to its rook too. */
  destinations(uci, { castling } = study.reviewing ? study.legalHere() : game.current) { return [uci.slice(2, 4), castling[uci]]; },

  targets(from) {
    // What a premove can be is not known, except that a king may castle by moving to its own rook.
    if (game.mayPremove()) return new Set(piecesOf(game.current.fen)[from]?.[1] === 'k' ? castlingRooks(game.current.fen, game.you) : []);
    const found = boardHooks.legal().filter((uci) => uci.startsWith(from));
    return new Set(found.flatMap((uci) => boardHooks.destinations(uci)));
  },

  /** Plays a move, tries it in a review, or keeps it as a premove. */
  move(from, to) {
    const found = movesBetween(from, to, boardHooks.legal());
    const play = (uci) => (study.reviewing ? study.try(uci) : game.play(uci));
    if (found.length > 1) askPromotion(found, turnOf(game.boardView.shown.fen), play);
    else if (found.length === 1) play(found[0]);
    if (found.length) return true;
    if (!game.mayPremove() || (boardHooks.mayPick(to) && !boardHooks.targets(from).has(to))) return false;
    const pawn = piecesOf(game.current.fen)[from]?.[1] === 'p' && /[18]$/.test(to);
    const note = (role) => {
      // The turn may have come while the page asked for the piece.
      if (game.isTurn()) game.play(from + to + role);
      if (!game.mayPremove()) return;
      game.premove = { from, to, promotion: role };
      announce(`Premove ${from} ${to}.`);
      game.draw();
    };
    if (pawn) askPromotion(['q', 'r', 'b', 'n'].map((role) => from + to + role), game.you, (uci) => note(uci[4]));
    else note('');
    return true;
  },

  /** The board was touched, which takes a premove back. */
  touched() {
    if (!game.premove) return;
    game.premove = null;
    game.boardView.shown.premove = null;
  },
};

/** Asks which of these promotions is meant. */
function askPromotion(found, side, act) {
  const dialog = $('promotion');
  const order = (uci) => 'qrbn'.indexOf(uci[4]);
  const sorted = [...found].sort((a, b) => order(a) - order(b));
  dialog.querySelector('form').replaceChildren(...sorted.map((uci) => {
    const button = createElement('button');
    button.value = uci;
    button.setAttribute('aria-label', PIECE_NAMES[uci[4]]);
    button.append(createElement('span', `piece ${side[0]}${uci[4]}`));
    return button;
  }));
  dialog.returnValue = '';
  dialog.onclose = () => { if (dialog.returnValue) act(dialog.returnValue); };
  dialog.showModal();
}

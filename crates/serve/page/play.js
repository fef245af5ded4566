// A game: its board and clocks, and the buttons.

import { Board, FILES, PIECE_NAMES, createElement, opposite, piecesOf, sideOf, turnOf } from './board.js';
import { Connection } from './connection.js';
import { MoveList, Tree } from './moves.js';
import { $, announce, confirmThen, copy, download, enter, fetchAuthorized, setShown, showMessage, showRefusal } from './server.js';
import { study } from './study.js';

/** A move without an answer is shown as pending after this time, or at once if there is no connection. */
const PENDING_DELAY = 700;
/** The events whose sentences stay on the page until the player goes on. */
const ANSWER_EVENTS = ['draw_offered', 'draw_declined', 'takeback_asked', 'takeback_granted', 'takeback_declined', 'undone', 'redone'];
const colorName = (side) => (side === 'white' ? 'White' : 'Black');
const offers = (side) => `${colorName(side)} offers a draw.`;
const asksTakeback = (side) => `${colorName(side)} asks to take a move back.`;

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
  get you() { return this.state.you; },
  get showsCurrent() { return this.viewedPly === null && !study.reviewing; },
  get shownPly() { return this.viewedPly ?? this.current.ply; },

  plays(side) { return this.you === side || this.you === 'both'; },
  /** Whether the game has begun and is not over. */
  isOpen() { return this.current.begun && !this.current.outcome; },
  /** Whether this player is to move. */
  isTurn() { return this.isOpen() && !this.current.paused && this.plays(this.current.turn); },
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
    return outcome ? '' : [offer && offers(offer), takeback && asksTakeback(takeback)].filter(Boolean).join(' ');
  },

  /** Announces and shows something that is not about a move. */
  showNews(text) {
    $('news').textContent = text;
    announce(text);
  },

  /** Announces what happened, and shows the answers of the other side. */
  announceEvents({ events, sentences, board }, before, moved) {
    const passed = moved && !this.plays(before.turn) && !board.outcome;
    const answers = events.some(({ event }) => ANSWER_EVENTS.includes(event)) ? [...sentences] : [];
    const ignored = (asker, what) => {
      if (passed && asker && this.plays(asker)) answers.push(`${colorName(before.turn)} moved instead of ${what}.`);
    };
    ignored(before.offer, 'taking the draw');
    ignored(before.takeback, 'granting the takeback');
    announce([...new Set([...sentences, ...answers])]);
    // The other side's next move does not take an answer away before it is read.
    if (answers.length || !passed || this.you === 'watch') $('news').textContent = answers.join(' ');
  },

  /** Shows the position after a ply, or the current one. */
  view(ply) {
    this.viewedPly = ply;
    this.missedMove &&= ply !== null;
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
    const found = this.current.legal.filter((uci) => uci.startsWith(from) && boardHooks.destinations(uci, this.current).includes(to));
    if (found.length) this.play(found.find((uci) => uci.endsWith(role)) ?? found[0]);
  },

  /** Shows the game for the first time. */
  start() {
    this.boardView = new Board($('board'), $('marks'), boardHooks);
    this.moveList = new MoveList($('moves'), (id) => (study.reviewing ? study.goTo(id) : goToPly(id)));
    this.boardView.bottom = this.you === 'black' ? 'black' : 'white';
    this.boardView.focus = this.you === 'black' ? 'e7' : 'e2';
    this.boardView.build();
    setShown($('game'), true);
    setShown($('message'), false);
    $('pgn').href = `/api/games/${this.id}/pgn`;
    $('page').href = `/api/games/${this.id}/page`;
    $('fen-file').href = `/api/games/${this.id}/fen`;
    controls.start();
    study.start(this);
    clocks.start();
    showLinks();
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
    const found = boardHooks.legal().filter((uci) => uci.startsWith(from) && boardHooks.destinations(uci).includes(to));
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

/** Shows another position of the game. */
function goToPly(ply) {
  const to = Math.max(0, Math.min(ply, game.state.moves.length));
  game.view(to === game.current.ply ? null : to);
  game.boardView.picked = null;
  game.draw();
  const made = game.state.moves[to - 1];
  announce(made ? `After ${made.san}.` : 'At the start.');
}

/** The buttons, the keys and the field for moves. */
const controls = {
  /** The side for which this player offers a draw or resigns, and the one that asks to take its move back. */
  actingSide() { return game.you === 'both' ? game.current.turn : game.you; },
  takebackSide() { return game.you === 'both' ? opposite(game.current.turn) : game.you; },

  start() {
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
    goToPly({ first: 0, back: game.shownPly - 1, forth: game.shownPly + 1, last: game.state.moves.length, now: game.current.ply }[where]);
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
    if (asked) $('question-text').textContent = asks(offer) ? offers(offer) : asksTakeback(takeback);
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
};

/** The clocks, with the names of the players and what they have captured. */
const clocks = {
  start() {
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

/** Shows the links of the game that this browser knows. */
function showLinks() {
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
}

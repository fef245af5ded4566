// A game: its board and clocks, and the buttons.

import { Board, FILES, NAMES, make, other, pieces, sideOf, turnOf } from './board.js';
import { Connection } from './connection.js';
import { MoveList, Tree } from './course.js';
import { $, confirmThen, copy, enter, refuse, save, say, send, show, tell } from './server.js';
import { study } from './study.js';

/** A move without an answer is shown as pending after this time, or at once if there is no connection. */
const LATE = 700;
/** The events whose sentences stay on the page until the player goes on. */
const ANSWERS = /_(offered|asked|granted|declined|lapsed)$|^(un|re)done$/;
const colorName = (side) => (side === 'white' ? 'White' : 'Black');
const offers = (side) => `${colorName(side)} offers a draw.`;
const asksBack = (side) => `${colorName(side)} asks to take a move back.`;

export const game = {
  id: null, state: null, link: null, asked: 0, waiting: new Map(), pending: null,
  viewed: null, missed: false, premove: null, received: 0, view: null, list: null, tree: null, partial: null, wants: new Set(), next: null, returned: false, seen: 0,

  get board() { return this.state.board; },
  get you() { return this.state.you; },
  get live() { return this.viewed === null && !study.reviewing; },
  get ply() { return this.viewed ?? this.board.ply; },

  plays(side) { return this.you === side || this.you === 'both'; },
  open_() { return this.board.begun && !this.board.outcome; },
  isOn() { return this.open_() && !this.board.paused && this.plays(this.board.turn); },
  mayMove() { return this.live && this.isOn(); },
  mayPremove() { return this.live && this.open_() && this.you !== 'watch' && this.you !== 'both' && !this.plays(this.board.turn); },
  isBot(side) { return this.state.players[side].startsWith('bot'); },
  /** Whether no other person plays. */
  alone() { return this.you !== 'watch' && (this.you === 'both' || this.isBot('white') || this.isBot('black')); },
  fen(ply) { return ply === 0 ? this.state.start : this.state.moves[ply - 1]?.fen ?? this.board.fen; },

  async open(id) {
    this.id = id;
    try {
      await enter(id);
    } catch (error) {
      tell(error.message);
      return;
    }
    this.link = new Connection(id, (message) => this.take(message), () => this.draw());
    this.link.start();
  },

  /** Long lists come in pieces: a message with the first part of its list, then the other parts. Returns whole messages. */
  whole(message) {
    if (!['state', 'review', 'more'].includes(message.type)) return message;
    const first = message.type === 'more' ? this.partial : message;
    if (!first) return null;
    const list = first.type === 'state' ? first.moves : first.nodes;
    if (message.type === 'more') list.push(...message.items);
    this.partial = first.count > list?.length ? first : null;
    return this.partial ? null : first;
  },

  take(received) {
    const message = this.whole(received);
    if (!message) return;
    if (!this.state && message.type !== 'state') return;
    if (message.type === 'state' || message.type === 'happened') this.received = performance.now();
    switch (message.type) {
      case 'state': {
        const first = !this.state;
        this.missed ||= this.viewed !== null && message.board.ply !== this.board.ply;
        Object.assign(this, { state: message, tree: null, wants: new Set(), seen: this.received });
        if (this.standing()) $('news').textContent = this.standing();
        if (this.viewed >= message.board.ply) this.look(null);
        if (first) this.begin();
        this.returned = !first;
        this.sendAgain();
        study.joined();
        this.playPremove();
        break;
      }
      case 'happened': this.happened(message); break;
      case 'presence': Object.assign(this, { seen: performance.now() }); this.state.presence = message; break;
      case 'rematch':
        this.wants.add(message.by);
        if (!this.plays(message.by)) this.note(`${colorName(message.by)} wants a rematch.`);
        break;
      case 'next': this.goOn(message); break;
      case 'done': this.answered(message.id, true); break;
      case 'refused':
        refuse('refusal', message.sentences);
        this.answered(message.id, false);
        break;
      case 'notice': refuse('refusal', message.sentences); break;
      case 'advice': study.advised(message); break;
      case 'review': study.reviewed(message); break;
    }
    this.draw();
  },

  happened(message) {
    if (message.number !== this.state.number + 1) {
      // A message is missing. A new connection begins with the whole state.
      this.link.again();
      return;
    }
    const { board: before } = this;
    const moved = message.events.some((event) => event.event === 'moved');
    const walked = moved || message.board.ply !== before.ply;
    // What others do leaves those who look at another position there, as long as the game still has that position.
    const own = moved ? this.plays(before.turn) : walked && this.alone();
    if (own || this.viewed > message.moves_from) this.look(null);
    this.missed ||= moved && this.viewed !== null;
    this.state.number = message.number;
    this.state.moves.splice(message.moves_from, Infinity, ...message.moves);
    this.state.board = message.board;
    if (this.pending?.ply !== this.board.ply) this.pending = null;
    this.tree = null;
    // The links have arrived.
    if (!before.begun && this.board.begun) $('share').open = false;
    if (this.viewed === this.board.ply) this.look(null);
    if (moved && this.live) this.view.picked = null;
    // A premove answers a move, and nothing else.
    if (walked && !moved) this.premove = null;
    this.tell(message, before, moved);
    $('refusal').textContent = '';
    this.playPremove();
  },

  /** The offer and the request that have no answer yet. */
  standing() {
    const { offer, takeback, outcome } = this.board;
    return outcome ? '' : [offer && offers(offer), takeback && asksBack(takeback)].filter(Boolean).join(' ');
  },

  /** Announces and shows something that is not about a move. */
  note(text) {
    $('news').textContent = text;
    say(text);
  },

  /** Announces what happened, and shows the answers of the other side. */
  tell({ events, sentences, board }, before, moved) {
    const passed = moved && !this.plays(before.turn) && !board.outcome;
    const answers = events.some(({ event }) => ANSWERS.test(event)) ? sentences : [];
    say(sentences);
    // The other side's next move does not take an answer away before it is read.
    if (answers.length || !passed || this.you === 'watch') $('news').textContent = answers.join(' ');
  },

  /** Shows the position after a ply, or the current one. */
  look(ply) {
    this.viewed = ply;
    this.missed &&= ply !== null;
  },

  /** The rematch has begun. Players go there at once, and watchers get a button. */
  goOn({ id, token, joined }) {
    this.next = `/game/${id}#${token}`;
    // Whoever opens a game that is over wants to see that game.
    const stays = this.you === 'watch' || (joined && !this.returned);
    if (stays) this.note('The players have begun another game.');
    else location.assign(this.next);
  },

  answered(id, done) {
    if (this.pending?.id === id) this.pending = null;
    this.waiting.get(id)?.then(done);
    this.waiting.delete(id);
  },

  /** Sends a request with the current ply, so that the server does nothing twice. A move waits for the connection. */
  request(request, then = () => {}) {
    const isMove = request.command === 'play';
    if (!this.link.open && !isMove) {
      refuse('refusal', 'The server is not connected.');
      then(false);
      return;
    }
    $('refusal').textContent = '';
    this.asked += 1;
    const message = { id: this.asked, ply: this.board.ply, request };
    this.waiting.set(message.id, { message, then });
    this.link.send(message);
    if (!isMove) return;
    this.pending = message;
    setTimeout(() => { if (this.pending === message) this.draw(); }, this.link.open ? LATE : 0);
  },

  /** On a new connection, what was not answered is sent again if the game stands where it was. */
  sendAgain() {
    const asked = [...this.waiting.values()];
    const { pending } = this;
    this.waiting.clear();
    this.pending = null;
    for (const { message, then } of asked) {
      const isMove = message.request.command === 'play';
      if (message.ply !== this.board.ply || (isMove && (message !== pending || !this.open_()))) {
        then(false);
        continue;
      }
      if (isMove) this.pending = message;
      this.waiting.set(message.id, { message, then });
      this.link.send(message);
    }
  },

  play(uci) {
    this.request({ command: 'play', move: uci });
  },

  playPremove() {
    if (!this.open_()) {
      this.premove = null;
      if ($('promotion').open) $('promotion').close();
    }
    if (!this.premove || !this.isOn()) return;
    const { from, to, promotion: role } = this.premove;
    this.premove = null;
    const found = this.board.legal.filter((uci) => uci.startsWith(from) && hooks.goals(uci, this.board).includes(to));
    if (found.length) this.play(found.find((uci) => uci.endsWith(role)) ?? found[0]);
  },

  begin() {
    this.view = new Board($('board'), $('marks'), hooks);
    this.list = new MoveList($('moves'), (id) => (study.reviewing ? study.look(id) : walk(id)));
    this.view.bottom = this.you === 'black' ? 'black' : 'white';
    this.view.focus = this.you === 'black' ? 'e7' : 'e2';
    this.view.build();
    show($('game'), true);
    show($('message'), false);
    $('pgn').href = `/api/games/${this.id}/pgn`;
    $('page').href = `/api/games/${this.id}/page`;
    $('fen-file').href = `/api/games/${this.id}/fen`;
    controls.start();
    study.start(this);
    clocks.start();
    startLinks();
  },

  /** The moves for the list: a tree without branches, whose node IDs are plies. */
  moves() {
    this.tree ??= new Tree([
      { id: 0, parent: null, ply: 0, fen: this.state.start },
      ...this.state.moves.map((made, at) => ({ id: at + 1, parent: at, ply: at + 1, ...made })),
    ]);
    return this.tree;
  },

  /** The squares of a move that waits for its answer. */
  pendingSquares() {
    const [, from, to] = /^([a-h][1-8])([a-h][1-8])/.exec(this.pending?.request.move) ?? [];
    return from ? { from, to } : null;
  },

  draw() {
    if (!this.state) return;
    if (study.reviewing) {
      study.draw();
    } else {
      const { ply } = this;
      const made = this.state.moves[ply - 1];
      const check = this.live ? this.board.check : /[+#]$/.test(made?.san ?? '');
      const waits = this.live ? this.premove ?? this.pendingSquares() : null;
      this.view.show({ fen: this.fen(ply), last: made?.uci, check, premove: waits, marks: study.marks() });
      this.list.draw(this.moves(), ply, this.board.ply);
      study.drawBeside();
      $('fen').value = this.fen(ply);
    }
    controls.draw();
    clocks.draw();
  },
};

/** The squares of the rooks with which a side may still castle: `K` and `Q` are the outermost ones, other letters are files. */
function castlingRooks(fen, side) {
  const placed = pieces(fen);
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
const hooks = {
  mayPick(name) {
    if (study.reviewing) return study.mayPick(name);
    const piece = pieces(game.board.fen)[name];
    if (!piece) return false;
    if (game.mayMove()) return sideOf(piece[0]) === game.board.turn;
    return game.mayPremove() && game.plays(sideOf(piece[0]));
  },

  legal() {
    if (study.reviewing) return study.known().moves;
    return game.mayMove() ? game.board.legal : [];
  },

  /** The squares that a piece can go to; a king that castles can go to its rook too. */
  goals(uci, { castling } = study.reviewing ? study.known() : game.board) { return [uci.slice(2, 4), castling[uci]]; },

  targets(from) {
    // What a premove can be is not known, except that a king may castle by moving to its own rook.
    if (game.mayPremove()) return new Set(pieces(game.board.fen)[from]?.[1] === 'k' ? castlingRooks(game.board.fen, game.you) : []);
    const found = hooks.legal().filter((uci) => uci.startsWith(from));
    return new Set(found.flatMap((uci) => hooks.goals(uci)));
  },

  /** Plays a move, tries it in a review, or keeps it as a premove. */
  move(from, to) {
    const found = hooks.legal().filter((uci) => uci.startsWith(from) && hooks.goals(uci).includes(to));
    const play = (uci) => (study.reviewing ? study.try(uci) : game.play(uci));
    if (found.length > 1) askPromotion(found, turnOf(game.view.shown.fen), play);
    else if (found.length === 1) play(found[0]);
    if (found.length) return true;
    if (!game.mayPremove() || (hooks.mayPick(to) && !hooks.targets(from).has(to))) return false;
    const pawn = pieces(game.board.fen)[from]?.[1] === 'p' && /[18]$/.test(to);
    const note = (role) => {
      // The turn may have come while the page asked for the piece.
      if (game.isOn()) game.play(from + to + role);
      if (!game.mayPremove()) return;
      game.premove = { from, to, promotion: role };
      say(`Premove ${from} ${to}.`);
      game.draw();
    };
    if (pawn) askPromotion(['q', 'r', 'b', 'n'].map((role) => from + to + role), game.you, (uci) => note(uci[4]));
    else note('');
    return true;
  },

  touched() {
    if (!game.premove) return;
    game.premove = null;
    game.view.shown.premove = null;
  },
};

function askPromotion(found, side, act) {
  const dialog = $('promotion');
  const order = (uci) => 'qrbn'.indexOf(uci[4]);
  const sorted = [...found].sort((a, b) => order(a) - order(b));
  dialog.querySelector('form').replaceChildren(...sorted.map((uci) => {
    const button = make('button');
    button.value = uci;
    button.setAttribute('aria-label', NAMES[uci[4]]);
    button.append(make('span', `piece ${side[0]}${uci[4]}`));
    return button;
  }));
  dialog.returnValue = '';
  dialog.onclose = () => { if (dialog.returnValue) act(dialog.returnValue); };
  dialog.showModal();
}

/** Shows another position of the game. */
function walk(ply) {
  const to = Math.max(0, Math.min(ply, game.state.moves.length));
  game.look(to === game.board.ply ? null : to);
  game.view.picked = null;
  game.draw();
  const made = game.state.moves[to - 1];
  say(made ? `After ${made.san}.` : 'At the start.');
}

const controls = {
  speaker() { return game.you === 'both' ? game.board.turn : game.you; },
  regretful() { return game.you === 'both' ? other(game.board.turn) : game.you; },

  start() {
    const on = (id, act) => $(id).addEventListener('click', act);
    on('flip', () => { game.view.turn(other(game.view.bottom)); game.draw(); });
    on('undo', () => game.request({ command: 'undo', to: { plies: 1 } }));
    on('redo', () => game.request({ command: 'redo', plies: 1 }));
    on('pause', () => game.request({ command: game.board.paused ? 'resume' : 'pause' }));
    on('claim', () => confirmThen('Claim a draw?', () => game.request({ command: 'claim' })));
    on('away', () => confirmThen('Claim the game? Your opponent has left.', () => game.request({ command: 'abandon', winner: game.you })));
    on('offer', () => confirmThen('Offer a draw?', () => game.request({ command: 'offer_draw', side: this.speaker() })));
    on('takeback', () => confirmThen('Ask to take a move back?', () => game.request({ command: 'ask_takeback', side: this.regretful() })));
    on('resign', () => confirmThen('Resign the game?', () => game.request({ command: 'resign', side: this.speaker() })));
    on('rematch', () => (game.next ? location.assign(game.next) : game.request({ command: 'rematch' })));
    on('accept', () => this.answer('accept_draw', 'grant_takeback'));
    on('decline', () => this.answer('decline_draw', 'decline_takeback'));
    on('copy-fen', () => copy($('fen').value, 'FEN'));
    on('copy-pgn', async () => copy(await (await send($('pgn').pathname)).text(), 'PGN'));
    for (const id of ['pgn', 'page', 'fen-file']) on(id, save);
    for (const id of ['first', 'back', 'forth', 'last', 'now']) on(id, () => this.walk(id));
    addEventListener('keydown', (event) => this.key(event));
    $('typed').addEventListener('submit', (event) => { event.preventDefault(); this.typed(); });
  },

  typed() {
    const text = $('move').value.trim();
    const clear = (done) => { if (done) $('move').value = ''; };
    if (!text) return;
    if (study.reviewing) study.try(text, clear);
    else game.request({ command: 'play', move: text }, clear);
  },

  walk(where) {
    if (study.reviewing) { study.walk(where); return; }
    walk({ first: 0, back: game.ply - 1, forth: game.ply + 1, last: game.state.moves.length, now: game.board.ply }[where]);
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
    this.walk(where);
  },

  answer(draw, takeback) {
    const { offer, takeback: wish } = game.board;
    if (offer && game.plays(other(offer))) game.request({ command: draw, side: other(offer) });
    else if (wish && game.plays(other(wish))) game.request({ command: takeback, side: other(wish) });
  },

  draw() {
    const { outcome, paused, offer, takeback, claims, turn } = game.board;
    const open = game.open_() && game.you !== 'watch' && !study.reviewing;
    const asks = (by) => by && open && game.plays(other(by));
    show($('undo'), game.alone() && !study.reviewing && (open || Boolean(outcome)));
    show($('redo'), game.alone() && !study.reviewing);
    $('undo').disabled = game.board.ply === 0;
    $('redo').disabled = game.board.ply >= game.state.moves.length;
    show($('pause'), open && game.alone() && game.state.time.white !== 'unlimited');
    $('pause').textContent = paused ? 'Resume' : 'Pause';
    show($('claim'), open && claims.length > 0 && game.plays(turn));
    show($('offer'), open && !offer && game.you !== 'both');
    show($('takeback'), open && !takeback && !game.alone() && game.board.ply > 0);
    show($('resign'), open);
    const away = game.you === 'white' || game.you === 'black' ? game.state.presence.claim_in_ms[other(game.you)] : null;
    show($('away'), open && away === 0);
    show($('typed'), open || study.reviewing);
    this.drawRematch(Boolean(outcome));
    const asked = asks(offer) || asks(takeback);
    show($('question'), Boolean(asked));
    show($('news'), !asked);
    if (asked) $('question-text').textContent = asks(offer) ? offers(offer) : asksBack(takeback);
    $('status').textContent = this.status();
    const { opening } = game.board;
    $('opening').textContent = opening ? `${opening.eco} ${opening.name}` : '';
    show($('now'), game.viewed !== null && !study.reviewing && (game.open_() || game.missed));
    $('now').textContent = game.missed ? `New move: ${game.moves().name(game.moves().at(game.board.ply))}` : 'To the current position';
    document.title = open && game.plays(turn) ? '● Your move: Tabiya' : 'Tabiya';
  },

  drawRematch(over) {
    const asked = game.you !== 'watch' && game.you !== 'both' && game.wants.has(other(game.you));
    const waits = game.you !== 'both' && game.wants.has(game.you) && !game.next;
    const watches = game.you === 'watch';
    show($('rematch'), over && (!watches || Boolean(game.next)));
    $('rematch').disabled = waits;
    if (watches) $('rematch').textContent = 'Watch the next game';
    else if (game.next) $('rematch').textContent = 'To the rematch';
    else if (waits) $('rematch').textContent = 'Waiting for the opponent…';
    else $('rematch').textContent = asked ? 'Accept the rematch' : 'Rematch';
  },

  status() {
    const { outcome, begun, paused, turn, check } = game.board;
    let status = `${colorName(turn)} to move${check ? ', in check' : ''}.`;
    if (game.pending && !game.link.open) status = `Your move ${game.pending.request.move} waits for the connection.`;
    if (outcome) status = `${outcome.text} ${outcome.result}`;
    else if (!begun) status = 'Waiting for the opponent. Send the link.';
    else if (paused) status = 'The game is paused.';
    return game.you === 'watch' ? `${status} You are watching.` : status;
  },
};

const clocks = {
  start() {
    setInterval(() => this.tick(), 100);
  },

  left(side) {
    const { left_ms: left, running, delay_ms: delay } = game.board.clock;
    if (left[side] === null) return null;
    const passed = running === side ? Math.max(0, performance.now() - game.received - delay) : 0;
    return Math.max(0, left[side] - passed);
  },

  text(ms) {
    const seconds = ms < 10000 ? Math.floor(ms / 100) / 10 : Math.ceil(ms / 1000);
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    const rest = ms < 10000 ? seconds.toFixed(1) : String(seconds % 60);
    const two = (value) => String(value).padStart(ms < 10000 ? 4 : 2, '0');
    if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
    return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${two(rest)}` : `${minutes}:${two(rest)}`;
  },

  sides() { return [['top', other(game.view.bottom)], ['bottom', game.view.bottom]]; },

  tick() {
    for (const [id, side] of this.sides()) {
      const clock = $(id).querySelector('.clock');
      const left = this.left(side);
      clock.textContent = left === null ? '' : this.text(left);
      const runs = game.board.clock.running === side;
      clock.classList.toggle('runs', runs);
      clock.classList.toggle('low', runs && left !== null && left < 20000);
      const name = $(id).querySelector('.name');
      const text = game.state.names[side] + this.away(side);
      if (name.textContent !== text) name.textContent = text;
    }
  },

  /** Says whether a player is away, and tells the opponent when the game can be claimed. */
  away(side) {
    const { here, claim_in_ms: claim } = game.state.presence;
    if (here[side]) return '';
    if (claim[side] === null || game.you !== other(side)) return ' (away)';
    const left = Math.ceil((claim[side] - (performance.now() - game.seen)) / 1000);
    return left > 0 ? ` (away; claim in ${left} s)` : ' (away; the game can be claimed)';
  },

  draw() {
    for (const [id, side] of this.sides()) {
      const here = game.state.presence.here[side];
      $(id).querySelector('.name').classList.toggle('away', !here);
      const order = (letter) => 'qrbnp'.indexOf(letter);
      const lost = [...game.board.captured[other(side)].toLowerCase()].sort((a, b) => order(a) - order(b));
      const list = $(id).querySelector('.lost');
      list.replaceChildren(...lost.map((letter) => make('span', `piece ${other(side)[0]}${letter}`)));
      list.setAttribute('role', 'img');
      list.setAttribute('aria-label', lost.length ? `has captured ${lost.map((letter) => NAMES[letter]).join(', ')}` : 'has captured nothing');
    }
    this.tick();
  },
};

/** Shows the links of the game that this browser knows. */
function startLinks() {
  const known = JSON.parse(sessionStorage.getItem(`links-${game.id}`) ?? 'null');
  if (!known) return;
  const words = { white: 'For White', black: 'For Black', both: 'For both sides', watch: 'To watch' };
  for (const [role, address] of Object.entries(known)) {
    if (role === game.you) continue;
    const label = make('label', '', `${words[role]} `);
    const input = make('input');
    input.readOnly = true;
    input.value = address;
    input.addEventListener('focus', () => input.select());
    label.append(input);
    $('links').append(label);
  }
  if (!game.board.begun) $('share').open = true;
}

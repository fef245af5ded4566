// The page: a lobby for whoever runs the server, and a board. The server decides what is legal, what the clocks show and how
// a game ends; here it is only shown, and asked for.

const PROTOCOL = 1;
const FILES = 'abcdefgh';
const NAMES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };
const $ = (id) => document.getElementById(id);

/** An element with classes and text. */
function make(tag, classes = '', text = '') {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  if (text) element.textContent = text;
  return element;
}

function show(element, shown) {
  element.hidden = !shown;
}

/** Says something to whoever does not see the board. */
function say(sentences) {
  const text = [].concat(sentences).filter(Boolean).join(' ');
  if (text) $('live').textContent = text;
}

// ---- light and dark

const theme = {
  start() {
    const kept = localStorage.getItem('theme');
    const dark = matchMedia('(prefers-color-scheme: dark)');
    this.set(kept ?? (dark.matches ? 'dark' : 'light'));
    dark.addEventListener('change', () => {
      if (!localStorage.getItem('theme')) this.set(dark.matches ? 'dark' : 'light');
    });
    $('theme').addEventListener('click', () => {
      const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
      localStorage.setItem('theme', next);
      this.set(next);
    });
  },
  set(name) {
    document.documentElement.dataset.theme = name;
    $('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
  },
};

// ---- asking the server

async function ask(path, body) {
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

/** Exchanges the secret of the address for a cookie, and takes it out of the address bar. */
async function enter(game) {
  const token = location.hash.slice(1);
  if (!/^[0-9a-f]{32}$/.test(token)) return;
  history.replaceState(null, '', location.pathname);
  await ask('/api/enter', game ? { game, token } : { token });
}

function tell(text) {
  for (const id of ['lobby', 'game']) show($(id), false);
  $('message-text').textContent = text;
  show($('message'), true);
}

// ---- positions as they come: FEN

function pieces(fen) {
  const found = {};
  fen.split(' ')[0].split('/').forEach((row, at) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) { file += Number(sign); continue; }
      const color = sign === sign.toUpperCase() ? 'w' : 'b';
      found[FILES[file] + (8 - at)] = color + sign.toLowerCase();
      file += 1;
    }
  });
  return found;
}

const sideOf = (letter) => (letter === 'w' ? 'white' : 'black');
const other = (side) => (side === 'white' ? 'black' : 'white');

// ---- the game

const game = {
  id: null, state: null, socket: null, tries: 0, asked: 0, waiting: new Map(),
  bottom: 'white', viewed: null, picked: null, premove: null, marks: [], focus: 'e1', received: 0,

  get board() { return this.state.board; },
  get you() { return this.state.you; },
  get live() { return this.viewed === null; },
  get ply() { return this.viewed ?? this.board.ply; },

  plays(side) { return this.you === side || this.you === 'both'; },
  mayMove() { return this.live && this.board.begun && !this.board.outcome && !this.board.paused && this.plays(this.board.turn); },
  mayPremove() { return this.live && this.board.begun && !this.board.outcome && this.you !== 'watch' && this.you !== 'both' && !this.plays(this.board.turn); },
  isBot(side) { return this.state.players[side].startsWith('bot'); },
  against() { return this.you === 'both' || this.isBot('white') || this.isBot('black'); },
  fen(ply) { return ply === 0 ? this.state.start : this.state.moves[ply - 1]?.fen ?? this.board.fen; },

  async open(id) {
    this.id = id;
    try {
      await enter(id);
    } catch (error) {
      return tell(error.message);
    }
    this.connect();
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.connect(); });
    addEventListener('online', () => this.connect());
  },

  connect() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${this.id}/socket?protocol=${PROTOCOL}`);
    this.socket = socket;
    socket.addEventListener('message', (event) => this.take(JSON.parse(event.data)));
    socket.addEventListener('close', () => this.lost(socket));
  },

  /** A connection that is lost is made again; what the game is by then comes with it. */
  async lost(socket) {
    if (socket !== this.socket) return;
    this.waiting.clear();
    if (this.tries === 0) {
      try {
        await ask(`/api/games/${this.id}`);
      } catch (error) {
        if (error.status) return tell(error.message);
      }
    }
    $('connection').textContent = 'Connecting…';
    this.tries += 1;
    setTimeout(() => this.connect(), Math.min(250 * 2 ** this.tries, 5000));
  },

  take(message) {
    if (!this.state && message.type !== 'state') return;
    this.received = performance.now();
    switch (message.type) {
      case 'state': {
        const first = !this.state;
        this.state = message;
        this.tries = 0;
        this.viewed = null;
        $('connection').textContent = '';
        if (first) this.begin();
        break;
      }
      case 'happened': {
        if (message.number !== this.state.number + 1) {
          // Something is missing: the whole state comes with a new connection.
          this.socket.close();
          return;
        }
        this.state.number = message.number;
        this.state.moves.splice(message.moves_from, Infinity, ...message.moves);
        this.state.board = message.board;
        this.viewed = null;
        if (message.events.some((event) => event.event === 'moved')) { this.picked = null; this.marks = []; }
        say(message.sentences);
        $('refusal').textContent = '';
        this.playPremove();
        break;
      }
      case 'presence':
        this.state.presence = message;
        break;
      case 'done':
        this.answered(message.id, true);
        break;
      case 'refused':
        $('refusal').textContent = message.sentences.join(' ');
        this.answered(message.id, false);
        break;
      case 'notice':
        $('refusal').textContent = message.sentences.join(' ');
        break;
    }
    this.draw();
  },

  answered(id, done) {
    this.waiting.get(id)?.(done);
    this.waiting.delete(id);
  },

  /** Asks for something; the place of the game goes along, so that nothing is done twice. */
  request(request, then = () => {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      $('refusal').textContent = 'The server is not connected.';
      return;
    }
    $('refusal').textContent = '';
    this.asked += 1;
    this.waiting.set(this.asked, then);
    this.socket.send(JSON.stringify({ id: this.asked, ply: this.board.ply, request }));
  },

  play(uci) {
    this.picked = null;
    this.request({ command: 'play', move: uci });
  },

  playPremove() {
    if (!this.premove || !this.mayMove()) return;
    const { from, to, promotion } = this.premove;
    this.premove = null;
    const found = this.board.legal.filter((uci) => uci.startsWith(from + to));
    if (found.length) this.play(found.find((uci) => uci.endsWith(promotion)) ?? found[0]);
  },

  begin() {
    this.bottom = this.you === 'black' ? 'black' : 'white';
    this.focus = this.bottom === 'white' ? 'e2' : 'e7';
    show($('game'), true);
    show($('message'), false);
    $('pgn').href = `/api/games/${this.id}/pgn`;
    board.start();
    controls.start();
    links.start();
  },

  draw() {
    if (!this.state) return;
    board.draw();
    controls.draw();
    moves.draw();
    clocks.draw();
  },
};

// ---- the board

const board = {
  squares: {}, drag: null, press: null, right: null,

  start() {
    const root = $('board');
    root.addEventListener('keydown', (event) => this.key(event));
    root.addEventListener('pointerdown', (event) => this.down(event));
    root.addEventListener('contextmenu', (event) => event.preventDefault());
    addEventListener('pointermove', (event) => this.move(event));
    addEventListener('pointerup', (event) => this.up(event));
    addEventListener('pointercancel', () => this.cancel());
    this.build();
  },

  /** Squares in the order in which they are seen. */
  build() {
    const root = $('board');
    root.replaceChildren();
    this.squares = {};
    const ranks = [8, 7, 6, 5, 4, 3, 2, 1];
    const files = [...FILES];
    if (game.bottom === 'black') { ranks.reverse(); files.reverse(); }
    for (const rank of ranks) {
      const row = make('div');
      row.setAttribute('role', 'row');
      for (const file of files) {
        const light = (FILES.indexOf(file) + rank) % 2 === 0;
        const square = make('div', `square ${light ? 'light' : 'dark'}`);
        square.setAttribute('role', 'gridcell');
        square.dataset.square = file + rank;
        // The labels are drawn by the style, so that a square is read by its name only.
        if (file === files[0]) square.append(make('span', 'rank'));
        if (rank === ranks[7]) square.append(make('span', 'file'));
        for (const label of square.children) label.dataset.text = label.className === 'rank' ? rank : file;
        this.squares[file + rank] = square;
        row.append(square);
      }
      root.append(row);
    }
  },

  draw() {
    const fen = game.fen(game.ply);
    const placed = pieces(fen);
    const last = game.ply > 0 ? game.state.moves[game.ply - 1]?.uci : null;
    const turn = sideOf(fen.split(' ')[1]);
    const checked = game.live ? game.board.check : /[+#]$/.test(game.state.moves[game.ply - 1]?.san ?? '');
    const targets = this.targets();
    for (const [name, square] of Object.entries(this.squares)) {
      const piece = placed[name];
      const isTarget = targets.has(name);
      square.classList.toggle('last', Boolean(last) && (last.slice(0, 2) === name || last.slice(2, 4) === name));
      square.classList.toggle('picked', game.picked === name);
      square.classList.toggle('premove', game.premove?.from === name || game.premove?.to === name);
      square.classList.toggle('check', checked && piece === turn[0] + 'k');
      square.classList.toggle('target', isTarget);
      square.classList.toggle('taken', isTarget && Boolean(piece));
      this.put(square, piece);
      const stands = piece ? `${sideOf(piece[0])} ${NAMES[piece[1]]}` : 'empty';
      const notes = [game.picked === name && 'picked', isTarget && 'can be moved to'].filter(Boolean);
      square.setAttribute('aria-label', [`${name}, ${stands}`, ...notes].join(', '));
      square.setAttribute('aria-selected', String(game.picked === name));
      square.tabIndex = name === game.focus ? 0 : -1;
    }
    this.drawMarks();
  },

  put(square, piece) {
    const here = square.querySelector('.piece');
    if ((here?.dataset.piece ?? '') === (piece ?? '')) return;
    here?.remove();
    if (!piece) return;
    const image = make('span', `piece ${piece}`);
    image.dataset.piece = piece;
    square.append(image);
  },

  targets() {
    if (!game.picked || !game.mayMove()) return new Set();
    const from = game.board.legal.filter((uci) => uci.startsWith(game.picked));
    return new Set(from.map((uci) => uci.slice(2, 4)));
  },

  own(name) {
    const piece = pieces(game.board.fen)[name];
    if (!piece) return false;
    if (game.mayMove()) return sideOf(piece[0]) === game.board.turn;
    return game.mayPremove() && game.plays(sideOf(piece[0]));
  },

  /** Picks a piece, or moves the one that is picked. */
  choose(name) {
    if (game.premove) game.premove = null;
    if (game.picked && game.picked !== name && this.tryMove(game.picked, name)) {
      game.picked = null;
    } else {
      game.picked = game.picked !== name && this.own(name) ? name : null;
    }
    game.draw();
  },

  /** Plays a move, or notes it for the own turn. */
  tryMove(from, to) {
    if (game.mayMove()) {
      const found = game.board.legal.filter((uci) => uci.startsWith(from + to));
      if (found.length === 0) return false;
      if (found.length === 1) game.play(found[0]);
      else promotion.ask(found, game.board.turn);
      return true;
    }
    if (!game.mayPremove() || this.own(to)) return false;
    game.premove = { from, to, promotion: 'q' };
    say(`Premove ${from} ${to}.`);
    return true;
  },

  under(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return element?.closest?.('.square')?.dataset.square ?? null;
  },

  down(event) {
    const name = event.target.closest('.square')?.dataset.square;
    if (!name) return;
    event.preventDefault();
    if (event.button === 2) { this.right = name; return; }
    if (event.button !== 0) return;
    game.marks = [];
    game.focus = name;
    this.squares[name].focus({ preventScroll: true });
    const was = game.picked;
    if (game.premove) game.premove = null;
    if (this.own(name)) {
      this.press = { name, x: event.clientX, y: event.clientY, again: was === name };
      if (was !== name) game.picked = name;
    } else if (was) {
      this.choose(name);
    }
    game.draw();
  },

  move(event) {
    if (!this.press) return;
    const far = Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > 5;
    if (!this.drag && far) {
      const square = this.squares[this.press.name];
      const image = square.querySelector('.piece');
      if (!image) return;
      const copy = image.cloneNode();
      copy.classList.add('dragged');
      const size = square.clientWidth;
      copy.style.width = copy.style.height = `${size}px`;
      image.classList.add('lifted');
      document.body.append(copy);
      this.drag = { copy, image, size };
    }
    if (this.drag) {
      const { copy, size } = this.drag;
      copy.style.transform = `translate(${event.clientX - size / 2}px, ${event.clientY - size / 2}px)`;
    }
  },

  up(event) {
    if (event.button === 2 && this.right) {
      const to = this.under(event);
      if (to) this.mark(this.right, to);
      this.right = null;
      return;
    }
    const { press, drag } = this;
    this.cancel();
    if (!press) return;
    if (drag) {
      const to = this.under(event);
      if (to && to !== press.name && this.tryMove(press.name, to)) game.picked = null;
    } else if (press.again) {
      game.picked = null;
    }
    game.draw();
  },

  cancel() {
    this.drag?.copy.remove();
    this.drag?.image.classList.remove('lifted');
    this.drag = null;
    this.press = null;
  },

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) {
      const turned = game.bottom === 'white' ? 1 : -1;
      const file = FILES.indexOf(game.focus[0]) + step[0] * turned;
      const rank = Number(game.focus[1]) + step[1] * turned;
      if (file >= 0 && file < 8 && rank >= 1 && rank <= 8) game.focus = FILES[file] + rank;
    } else if (event.key === 'Home' || event.key === 'End') {
      const left = (event.key === 'Home') === (game.bottom === 'white');
      game.focus = (left ? 'a' : 'h') + game.focus[1];
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.choose(game.focus);
    } else if (event.key === 'Escape') {
      game.picked = null;
      game.premove = null;
    } else {
      return;
    }
    event.preventDefault();
    game.draw();
    this.squares[game.focus].focus();
  },

  mark(from, to) {
    const same = game.marks.findIndex((mark) => mark.from === from && mark.to === to);
    if (same >= 0) game.marks.splice(same, 1);
    else game.marks.push({ from, to });
    this.drawMarks();
  },

  middle(name) {
    const x = FILES.indexOf(name[0]) + 0.5;
    const y = 8 - Number(name[1]) + 0.5;
    return game.bottom === 'white' ? [x, y] : [8 - x, 8 - y];
  },

  drawMarks() {
    const root = $('marks');
    const shape = (tag, values) => {
      const element = document.createElementNS(root.namespaceURI, tag);
      for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
      return element;
    };
    root.replaceChildren(...game.marks.flatMap(({ from, to }) => {
      const [x1, y1] = this.middle(from);
      const [x2, y2] = this.middle(to);
      if (from === to) return [shape('circle', { cx: x1, cy: y1, r: 0.44 })];
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [bx, by] = [x2 - dx * 0.4, y2 - dy * 0.4];
      const points = [[x2, y2], [bx - dy * 0.2, by + dx * 0.2], [bx + dy * 0.2, by - dx * 0.2]];
      return [
        shape('line', { x1, y1, x2: bx, y2: by }),
        shape('polygon', { points: points.map((point) => point.join(',')).join(' ') }),
      ];
    }));
  },
};

// ---- questions

const promotion = {
  ask(found, turn) {
    const dialog = $('promotion');
    const form = dialog.querySelector('form');
    form.replaceChildren(...found.map((uci) => {
      const role = uci[4];
      const button = make('button');
      button.value = uci;
      button.setAttribute('aria-label', NAMES[role]);
      button.append(make('span', `piece ${turn[0]}${role}`));
      return button;
    }));
    const sorted = [...form.children].sort((a, b) => 'qrbn'.indexOf(a.value[4]) - 'qrbn'.indexOf(b.value[4]));
    form.replaceChildren(...sorted);
    dialog.returnValue = '';
    dialog.onclose = () => { if (dialog.returnValue) game.play(dialog.returnValue); };
    dialog.showModal();
  },
};

function confirmThen(text, act) {
  const dialog = $('confirm');
  $('confirm-text').textContent = text;
  dialog.returnValue = '';
  dialog.onclose = () => { if (dialog.returnValue === 'yes') act(); };
  dialog.showModal();
}

// ---- what can be done beside moving

const controls = {
  speaker() { return game.you === 'both' ? game.board.turn : game.you; },
  regretful() { return game.you === 'both' ? other(game.board.turn) : game.you; },

  start() {
    const on = (id, act) => $(id).addEventListener('click', act);
    on('flip', () => { game.bottom = other(game.bottom); board.build(); game.draw(); });
    on('undo', () => game.request({ command: 'undo', to: { plies: 1 } }));
    on('redo', () => game.request({ command: 'redo', plies: 1 }));
    on('pause', () => game.request({ command: game.board.paused ? 'resume' : 'pause' }));
    on('claim', () => game.request({ command: 'claim' }));
    on('away', () => game.request({ command: 'abandon', winner: game.you }));
    on('offer', () => confirmThen('Offer a draw?', () => game.request({ command: 'offer_draw', side: this.speaker() })));
    on('takeback', () => game.request({ command: 'ask_takeback', side: this.regretful() }));
    on('resign', () => confirmThen('Resign the game?', () => game.request({ command: 'resign', side: this.speaker() })));
    on('accept', () => this.answer('accept_draw', 'grant_takeback'));
    on('decline', () => this.answer('decline_draw', 'decline_takeback'));
    on('copy-fen', () => navigator.clipboard?.writeText($('fen').value).then(() => say('FEN copied.')));
    const walk = (ply) => { moves.go(Math.max(0, Math.min(ply, game.state.moves.length))); };
    on('first', () => walk(0));
    on('back', () => walk(game.ply - 1));
    on('forth', () => walk(game.ply + 1));
    on('last', () => walk(game.state.moves.length));
    $('typed').addEventListener('submit', (event) => {
      event.preventDefault();
      const text = $('move').value.trim();
      if (text) game.request({ command: 'play', move: text }, (done) => { if (done) $('move').value = ''; });
    });
  },

  answer(draw, takeback) {
    const { offer, takeback: wish } = game.board;
    if (offer && game.plays(other(offer))) game.request({ command: draw, side: other(offer) });
    else if (wish && game.plays(other(wish))) game.request({ command: takeback, side: other(wish) });
  },

  draw() {
    const { outcome, begun, paused, offer, takeback, claims, turn, check, opening } = game.board;
    const open = begun && !outcome && game.you !== 'watch';
    const alone = open && game.against();
    const asks = (by) => by && open && game.plays(other(by));
    show($('undo'), alone || (game.you !== 'watch' && game.against() && Boolean(outcome)));
    show($('redo'), game.against() && game.you !== 'watch');
    $('undo').disabled = game.board.ply === 0;
    $('redo').disabled = game.board.ply >= game.state.moves.length;
    show($('pause'), alone && game.state.time.white !== 'unlimited');
    $('pause').textContent = paused ? 'Resume' : 'Pause';
    show($('claim'), open && claims.length > 0 && game.plays(turn));
    show($('offer'), open && !offer && game.you !== 'both');
    show($('takeback'), open && !takeback && !game.against() && game.board.ply > 0);
    show($('resign'), open);
    const away = game.you === 'white' || game.you === 'black' ? game.state.presence.claim_in_ms[other(game.you)] : null;
    show($('away'), open && away === 0);
    show($('typed'), open);
    const asked = asks(offer) || asks(takeback);
    show($('question'), Boolean(asked));
    if (asked) {
      $('question-text').textContent = asks(offer) ? `${name(offer)} offers a draw.` : `${name(takeback)} asks to take a move back.`;
    }
    let status = `${name(turn)} to move${check ? ', in check' : ''}.`;
    if (outcome) status = `${outcome.text} ${outcome.result}`;
    else if (!begun) status = 'Waiting for the opponent. Send the link.';
    else if (paused) status = 'The game is paused.';
    if (game.you === 'watch') status += ' You are watching.';
    $('status').textContent = status;
    $('opening').textContent = opening ? `${opening.eco} ${opening.name}` : '';
    $('fen').value = game.fen(game.ply);
    document.title = open && game.plays(turn) ? '● Your move: Tabiya' : 'Tabiya';
  },
};

const name = (side) => (side === 'white' ? 'White' : 'Black');

const moves = {
  draw() {
    const list = $('moves');
    const first = game.state.start.split(' ');
    const offset = first[1] === 'b' ? 1 : 0;
    const number = Number(first[5] ?? 1);
    list.replaceChildren(...game.state.moves.map((made, at) => {
      const item = make('li', at >= game.board.ply ? 'undone' : '');
      const half = at + offset;
      item.append(make('span', 'number', half % 2 === 0 ? `${number + half / 2}.` : at === 0 ? `${number}…` : ''));
      const button = make('button', '', made.san);
      button.type = 'button';
      if (at + 1 === game.ply) button.setAttribute('aria-current', 'step');
      button.addEventListener('click', () => this.go(at + 1));
      item.append(button);
      return item;
    }));
    if (offset && list.firstChild) list.prepend(make('li'));
    const current = list.querySelector('[aria-current]');
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  },

  go(ply) {
    game.viewed = ply === game.board.ply ? null : ply;
    game.picked = null;
    game.draw();
    const made = game.state.moves[ply - 1];
    say(made ? `After ${made.san}.` : 'At the start.');
  },
};

// ---- clocks, names and captured pieces

const clocks = {
  start() {
    setInterval(() => { if (game.state) this.tick(); }, 100);
  },

  left(side) {
    const { left_ms: left, running, delay_ms: delay } = game.board.clock;
    if (left[side] === null) return null;
    const passed = running === side ? Math.max(0, performance.now() - this.at - delay) : 0;
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

  tick() {
    for (const [id, side] of [['top', other(game.bottom)], ['bottom', game.bottom]]) {
      const clock = $(id).querySelector('.clock');
      const left = this.left(side);
      clock.textContent = left === null ? '' : this.text(left);
      const runs = game.board.clock.running === side;
      clock.classList.toggle('runs', runs);
      clock.classList.toggle('low', runs && left !== null && left < 20000);
    }
  },

  draw() {
    if (this.board !== game.board) { this.board = game.board; this.at = game.received; }
    for (const [id, side] of [['top', other(game.bottom)], ['bottom', game.bottom]]) {
      const here = game.state.presence.here[side];
      const label = $(id).querySelector('.name');
      label.textContent = game.state.names[side] + (here ? '' : ' (away)');
      label.classList.toggle('away', !here);
      const lost = [...game.board.captured[other(side)]].sort((a, b) => 'qrbnp'.indexOf(a.toLowerCase()) - 'qrbnp'.indexOf(b.toLowerCase()));
      const list = $(id).querySelector('.lost');
      list.replaceChildren(...lost.map((letter) => make('span', `piece ${other(side)[0]}${letter.toLowerCase()}`)));
      list.setAttribute('role', 'img');
      list.setAttribute('aria-label', lost.length ? `has captured ${lost.map((letter) => NAMES[letter.toLowerCase()]).join(', ')}` : 'has captured nothing');
    }
    this.tick();
  },
};

// ---- links, as far as this browser knows them

const links = {
  start() {
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
  },
};

// ---- the lobby

const lobby = {
  async open() {
    try {
      await enter(null);
    } catch (error) {
      return tell(`${error.message} The address that the server printed can be opened once.`);
    }
    const about = await ask('/api/about');
    if (!about.host) return tell('Open the address that the server printed, or the link of a game.');
    this.levels(about.levels);
    show($('lobby'), true);
    for (const [id, part] of [['clock', 'other-clock-label'], ['start', 'start-text-part']]) {
      $(id).addEventListener('change', () => show($(part), ['other', 'text'].includes($(id).value)));
    }
    $('start-file').addEventListener('change', async () => {
      const file = $('start-file').files[0];
      if (file && file.size <= 200000) $('start-text').value = await file.text();
      else if (file) $('new-error').textContent = 'That file is too large.';
    });
    $('new').addEventListener('submit', (event) => { event.preventDefault(); this.create(); });
    await this.list();
  },

  levels(levels) {
    const options = levels.map(({ level, name, elo }) => {
      const option = make('option', '', `level ${level}, ${name} (${elo})`);
      option.value = `bot:${level}`;
      return option;
    });
    $('opponent').prepend(...options);
    $('opponent').value = 'bot:3';
  },

  async create() {
    const asked = { opponent: $('opponent').value, side: $('side').value };
    const clock = $('clock').value === 'other' ? $('other-clock').value.trim() : $('clock').value;
    if (clock) asked.clock = clock;
    if ($('name').value.trim()) asked.name = $('name').value.trim();
    const start = $('start').value;
    const text = $('start-text').value.trim();
    if (start === 'chess960') asked.chess960 = 'random';
    if (start === 'text' && text) {
      const isFen = /^[1-8pnbrqkPNBRQK/]+\s+[wb]\s/.test(text) && !text.includes('\n');
      asked[isFen ? 'fen' : 'pgn'] = text;
    }
    try {
      const made = await ask('/api/games', asked);
      sessionStorage.setItem(`links-${made.id}`, JSON.stringify(made.links));
      location.assign(`/game/${made.id}`);
    } catch (error) {
      $('new-error').textContent = error.message;
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

// ---- the beginning

theme.start();
clocks.start();
const found = /^\/game\/([0-9a-f]{16})$/.exec(location.pathname);
if (found) game.open(found[1]);
else if (location.pathname === '/') lobby.open().catch((error) => tell(error.message));
else tell('There is no such game.');
// Another link for the page that is open.
addEventListener('hashchange', () => { if (location.hash.length > 1) location.reload(); });

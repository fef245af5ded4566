// A board that shows a position and accepts moves by mouse, touch and keyboard. It knows no rules: its hooks decide which
// pieces can be picked up, where they can go, and what happens to a move. The server's page and exported pages share it.

export const FILES = 'abcdefgh';
export const PIECE_NAMES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };
const ARROW_STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** An element with classes and text. */
export function createElement(tag, classes = '', text = '') {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  if (text) element.textContent = text;
  return element;
}

/** An SVG element, with the namespace of the SVG that is on the page already. */
export function createShape(tag, values) {
  const element = document.createElementNS(document.querySelector('svg').namespaceURI, tag);
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
  return element;
}

/** The pieces of a FEN by square: `wk`, `bp`. */
export function piecesOf(fen) {
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

/** The side of a letter: `w` or `b`. */
export const sideOf = (letter) => (letter === 'w' ? 'white' : 'black');
export const opposite = (side) => (side === 'white' ? 'black' : 'white');
export const turnOf = (fen) => sideOf(fen.split(' ')[1]);

export class Board {
  /**
   * @param root the element of the squares
   * @param marks the picture above it, for arrows and circles
   * @param hooks `mayPick(square)`, `targets(square)`, `move(from, to)`, which says whether it is taken, and `touched()`
   */
  constructor(root, marks, hooks = {}) {
    this.root = root;
    this.marksRoot = marks;
    this.hooks = {
      mayPick: () => false, targets: () => new Set(), move: () => false, touched: () => {}, ...hooks,
    };
    Object.assign(this, { bottom: 'white', focus: 'e2', picked: null, drawn: [], press: null, drag: null, markFrom: null, usesPointer: false });
    this.shown = { fen: '8/8/8/8/8/8/8/8 w - - 0 1', last: null, check: false, premove: null, marks: [] };
    root.addEventListener('keydown', (event) => this.key(event));
    root.addEventListener('pointerdown', (event) => this.pointerDown(event));
    root.addEventListener('contextmenu', (event) => event.preventDefault());
    // Not when the focus leaves the board: a dialog and another tab of the browser give it back.
    addEventListener('keydown', (event) => { if (event.key === 'Tab') this.usesPointer = false; });
    addEventListener('pointermove', (event) => this.pointerMove(event));
    addEventListener('pointerup', (event) => this.pointerUp(event));
    addEventListener('pointercancel', () => { this.endDrag(); this.draw(); });
    this.build();
  }

  /** Shows the board with a side at the bottom. */
  turn(bottom) {
    if (this.bottom === bottom) return;
    this.bottom = bottom;
    this.build();
    this.draw();
  }

  /** Shows a position: its FEN, the last move, whether the king is in check, a premove, and the marks of the game. */
  show(shown) {
    if (shown.fen !== this.shown.fen) this.drawn = [];
    this.shown = { last: null, check: false, premove: null, marks: [], ...shown };
    this.draw();
  }

  /** Creates the squares, in the order of their display. */
  build() {
    this.squares = {};
    const ranks = [8, 7, 6, 5, 4, 3, 2, 1];
    const files = [...FILES];
    if (this.bottom === 'black') { ranks.reverse(); files.reverse(); }
    this.root.replaceChildren(...ranks.map((rank) => {
      const row = createElement('div');
      row.setAttribute('role', 'row');
      row.append(...files.map((file) => {
        const light = (FILES.indexOf(file) + rank) % 2 === 0;
        const square = createElement('div', `square ${light ? 'light' : 'dark'}`);
        square.setAttribute('role', 'gridcell');
        square.dataset.square = file + rank;
        // The style draws the coordinates, so that screen readers read only the label of the square.
        if (file === files[0]) square.append(createElement('span', 'rank'));
        if (rank === ranks[7]) square.append(createElement('span', 'file'));
        for (const label of square.children) label.dataset.text = label.className === 'rank' ? rank : file;
        this.squares[file + rank] = square;
        return square;
      }));
      return row;
    }));
  }

  /** Draws the pieces, and what the squares are marked as. */
  draw() {
    const { fen, last, check, premove } = this.shown;
    const placed = piecesOf(fen);
    const king = check ? `${turnOf(fen)[0]}k` : null;
    const targets = this.picked ? this.hooks.targets(this.picked) : new Set();
    for (const [name, square] of Object.entries(this.squares)) {
      const piece = placed[name];
      const isTarget = targets.has(name);
      const states = {
        last: Boolean(last) && (last.slice(0, 2) === name || last.slice(2, 4) === name),
        picked: this.picked === name,
        premove: premove?.from === name || premove?.to === name,
        check: piece !== undefined && piece === king,
        target: isTarget,
        taken: isTarget && Boolean(piece),
      };
      for (const [state, on] of Object.entries(states)) square.classList.toggle(state, on);
      this.drawPiece(square, piece);
      const stands = piece ? `${sideOf(piece[0])} ${PIECE_NAMES[piece[1]]}` : 'empty';
      const notes = [states.picked && 'picked', isTarget && 'can be moved to', states.check && 'in check'].filter(Boolean);
      square.setAttribute('aria-label', [`${name}, ${stands}`, ...notes].join(', '));
      square.setAttribute('aria-selected', String(states.picked));
      square.tabIndex = name === this.focus ? 0 : -1;
    }
    this.drawMarks();
  }

  /** Shows a piece on a square, or none. */
  drawPiece(square, piece) {
    const here = square.querySelector('.piece');
    if ((here?.dataset.piece ?? '') === (piece ?? '')) return;
    here?.remove();
    if (!piece) return;
    const image = createElement('span', `piece ${piece}`);
    image.dataset.piece = piece;
    square.append(image);
  }

  /** Picks up a piece, or moves the one that is picked up. */
  choose(name) {
    this.hooks.touched();
    if (this.picked && this.picked !== name && this.hooks.move(this.picked, name)) this.picked = null;
    else this.picked = this.picked !== name && this.hooks.mayPick(name) ? name : null;
    this.draw();
  }

  /** The name of the square under the pointer. */
  squareUnder(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    const square = element?.closest?.('.square');
    return square && this.root.contains(square) ? square.dataset.square : null;
  }

  /** Presses a piece, chooses a square, or begins a mark. */
  pointerDown(event) {
    const name = event.target.closest('.square')?.dataset.square;
    if (!name) return;
    event.preventDefault();
    if (event.button === 2) {
      this.markFrom = { name, color: event.shiftKey ? 'red' : event.altKey ? 'blue' : event.ctrlKey ? 'yellow' : 'green' };
      return;
    }
    if (event.button !== 0) return;
    this.drawn = [];
    this.focus = name;
    this.squares[name].focus({ preventScroll: true });
    this.usesPointer = true;
    if (this.picked && this.picked !== name && !this.hooks.mayPick(name)) return this.choose(name);
    if (this.hooks.mayPick(name)) {
      this.hooks.touched();
      this.press = { name, x: event.clientX, y: event.clientY, again: this.picked === name };
      // A king castles by moving to its own rook. Otherwise this picks up another piece.
      const castles = this.picked && this.picked !== name && this.hooks.targets(this.picked).has(name);
      if (castles) { this.press = null; return this.choose(name); }
      this.picked = name;
    } else {
      this.hooks.touched();
    }
    this.draw();
  }

  /** Drags a pressed piece, from the first few pixels on. */
  pointerMove(event) {
    if (!this.press) return;
    if (!this.drag && Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > 5) this.liftPiece();
    if (this.drag) {
      const { copy, size } = this.drag;
      copy.style.transform = `translate(${event.clientX - size / 2}px, ${event.clientY - size / 2}px)`;
    }
  }

  /** Begins to drag the pressed piece: a copy follows the pointer. */
  liftPiece() {
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

  /** Ends a mark, a drag or a click. */
  pointerUp(event) {
    if (event.button === 2 && this.markFrom) {
      const to = this.squareUnder(event);
      if (to) this.toggleMark(this.markFrom.name, to, this.markFrom.color);
      this.markFrom = null;
      return;
    }
    const { press, drag } = this;
    this.endDrag();
    if (!press) return;
    if (drag) {
      const to = this.squareUnder(event);
      if (to && to !== press.name && this.hooks.move(press.name, to)) this.picked = null;
    } else if (press.again) {
      this.picked = null;
    }
    this.draw();
  }

  /** Puts a dragged piece back. */
  endDrag() {
    this.drag?.copy.remove();
    this.drag?.image.classList.remove('lifted');
    this.drag = null;
    this.press = null;
  }

  /** Moves the focus over the board, or chooses the focused square. */
  key(event) {
    const step = ARROW_STEPS[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // After a click the arrow keys go through the moves. They go over the board only for those who came here by the keyboard.
    if (this.usesPointer && (step || event.key === 'Home' || event.key === 'End')) return;
    if (step) {
      const turned = this.bottom === 'white' ? 1 : -1;
      const file = FILES.indexOf(this.focus[0]) + step[0] * turned;
      const rank = Number(this.focus[1]) + step[1] * turned;
      if (file >= 0 && file < 8 && rank >= 1 && rank <= 8) this.focus = FILES[file] + rank;
    } else if (event.key === 'Home' || event.key === 'End') {
      const left = (event.key === 'Home') === (this.bottom === 'white');
      this.focus = (left ? 'a' : 'h') + this.focus[1];
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.choose(this.focus);
    } else if (event.key === 'Escape') {
      this.picked = null;
      this.drawn = [];
      this.hooks.touched();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.draw();
    this.squares[this.focus].focus();
    this.usesPointer &&= event.key === 'Escape';
  }

  /** Draws an arrow or a circle, or removes it. */
  toggleMark(from, to, color) {
    const same = this.drawn.findIndex((mark) => mark.from === from && mark.to === to);
    if (same >= 0) this.drawn.splice(same, 1);
    else this.drawn.push({ from, to, color });
    this.drawMarks();
  }

  /** The middle of a square, in squares from the upper left corner of the picture. */
  center(name) {
    const x = FILES.indexOf(name[0]) + 0.5;
    const y = 8 - Number(name[1]) + 0.5;
    return this.bottom === 'white' ? [x, y] : [8 - x, 8 - y];
  }

  /** Draws the marks of the game and those of the user: a circle on one square, an arrow between two. */
  drawMarks() {
    const all = [...this.shown.marks, ...this.drawn];
    this.marksRoot.replaceChildren(...all.map(({ from, to, color }) => {
      const group = createShape('g', { class: color });
      const [x1, y1] = this.center(from);
      const [x2, y2] = this.center(to);
      if (from === to) {
        group.append(createShape('circle', { cx: x1, cy: y1, r: 0.44 }));
        return group;
      }
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [bx, by] = [x2 - dx * 0.4, y2 - dy * 0.4];
      const points = [[x2, y2], [bx - dy * 0.2, by + dx * 0.2], [bx + dy * 0.2, by - dx * 0.2]];
      group.append(
        createShape('line', { x1, y1, x2: bx, y2: by }),
        createShape('polygon', { points: points.map((point) => point.join(',')).join(' ') }),
      );
      return group;
    }));
  }
}

// A board that shows a position and accepts moves by mouse, touch and keyboard. It knows no rules: its hooks decide which
// pieces can be picked up, where they can go, and what happens to a move. The server's page and exported pages share it.

export const FILES = 'abcdefgh';
export const NAMES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** An element with classes and text. */
export function make(tag, classes = '', text = '') {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  if (text) element.textContent = text;
  return element;
}

/** An SVG element, with the namespace of the SVG that is on the page already. */
export function shape(tag, values) {
  const element = document.createElementNS(document.querySelector('svg').namespaceURI, tag);
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
  return element;
}

/** The pieces of a FEN by square: `wk`, `bp`. */
export function pieces(fen) {
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

export const sideOf = (letter) => (letter === 'w' ? 'white' : 'black');
export const other = (side) => (side === 'white' ? 'black' : 'white');
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
    Object.assign(this, { bottom: 'white', focus: 'e2', picked: null, drawn: [], press: null, drag: null, right: null, pointed: false });
    this.shown = { fen: '8/8/8/8/8/8/8/8 w - - 0 1', last: null, check: false, premove: null, marks: [] };
    root.addEventListener('keydown', (event) => this.key(event));
    root.addEventListener('pointerdown', (event) => this.down(event));
    root.addEventListener('contextmenu', (event) => event.preventDefault());
    // Not when the focus leaves the board: a dialog and another tab of the browser give it back.
    addEventListener('keydown', (event) => { if (event.key === 'Tab') this.pointed = false; });
    addEventListener('pointermove', (event) => this.move(event));
    addEventListener('pointerup', (event) => this.up(event));
    addEventListener('pointercancel', () => { this.cancel(); this.draw(); });
    this.build();
  }

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
      const row = make('div');
      row.setAttribute('role', 'row');
      row.append(...files.map((file) => {
        const light = (FILES.indexOf(file) + rank) % 2 === 0;
        const square = make('div', `square ${light ? 'light' : 'dark'}`);
        square.setAttribute('role', 'gridcell');
        square.dataset.square = file + rank;
        // The style draws the coordinates, so that screen readers read only the label of the square.
        if (file === files[0]) square.append(make('span', 'rank'));
        if (rank === ranks[7]) square.append(make('span', 'file'));
        for (const label of square.children) label.dataset.text = label.className === 'rank' ? rank : file;
        this.squares[file + rank] = square;
        return square;
      }));
      return row;
    }));
  }

  draw() {
    const { fen, last, check, premove } = this.shown;
    const placed = pieces(fen);
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
      this.put(square, piece);
      const stands = piece ? `${sideOf(piece[0])} ${NAMES[piece[1]]}` : 'empty';
      const notes = [states.picked && 'picked', isTarget && 'can be moved to', states.check && 'in check'].filter(Boolean);
      square.setAttribute('aria-label', [`${name}, ${stands}`, ...notes].join(', '));
      square.setAttribute('aria-selected', String(states.picked));
      square.tabIndex = name === this.focus ? 0 : -1;
    }
    this.drawMarks();
  }

  put(square, piece) {
    const here = square.querySelector('.piece');
    if ((here?.dataset.piece ?? '') === (piece ?? '')) return;
    here?.remove();
    if (!piece) return;
    const image = make('span', `piece ${piece}`);
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

  under(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    const square = element?.closest?.('.square');
    return square && this.root.contains(square) ? square.dataset.square : null;
  }

  down(event) {
    const name = event.target.closest('.square')?.dataset.square;
    if (!name) return;
    event.preventDefault();
    if (event.button === 2) {
      this.right = { name, color: event.shiftKey ? 'red' : event.altKey ? 'blue' : event.ctrlKey ? 'yellow' : 'green' };
      return;
    }
    if (event.button !== 0) return;
    this.drawn = [];
    this.focus = name;
    this.squares[name].focus({ preventScroll: true });
    this.pointed = true;
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

  move(event) {
    if (!this.press) return;
    if (!this.drag && Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > 5) this.lift();
    if (this.drag) {
      const { copy, size } = this.drag;
      copy.style.transform = `translate(${event.clientX - size / 2}px, ${event.clientY - size / 2}px)`;
    }
  }

  lift() {
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

  up(event) {
    if (event.button === 2 && this.right) {
      const to = this.under(event);
      if (to) this.mark(this.right.name, to, this.right.color);
      this.right = null;
      return;
    }
    const { press, drag } = this;
    this.cancel();
    if (!press) return;
    if (drag) {
      const to = this.under(event);
      if (to && to !== press.name && this.hooks.move(press.name, to)) this.picked = null;
    } else if (press.again) {
      this.picked = null;
    }
    this.draw();
  }

  cancel() {
    this.drag?.copy.remove();
    this.drag?.image.classList.remove('lifted');
    this.drag = null;
    this.press = null;
  }

  key(event) {
    const step = ARROWS[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // After a click the arrow keys go through the moves. They go over the board only for those who came here by the keyboard.
    if (this.pointed && (step || event.key === 'Home' || event.key === 'End')) return;
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
    this.pointed &&= event.key === 'Escape';
  }

  mark(from, to, color) {
    const same = this.drawn.findIndex((mark) => mark.from === from && mark.to === to);
    if (same >= 0) this.drawn.splice(same, 1);
    else this.drawn.push({ from, to, color });
    this.drawMarks();
  }

  middle(name) {
    const x = FILES.indexOf(name[0]) + 0.5;
    const y = 8 - Number(name[1]) + 0.5;
    return this.bottom === 'white' ? [x, y] : [8 - x, 8 - y];
  }

  drawMarks() {
    const all = [...this.shown.marks, ...this.drawn];
    this.marksRoot.replaceChildren(...all.map(({ from, to, color }) => {
      const group = shape('g', { class: color });
      const [x1, y1] = this.middle(from);
      const [x2, y2] = this.middle(to);
      if (from === to) {
        group.append(shape('circle', { cx: x1, cy: y1, r: 0.44 }));
        return group;
      }
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [bx, by] = [x2 - dx * 0.4, y2 - dy * 0.4];
      const points = [[x2, y2], [bx - dy * 0.2, by + dx * 0.2], [bx + dy * 0.2, by - dx * 0.2]];
      group.append(
        shape('line', { x1, y1, x2: bx, y2: by }),
        shape('polygon', { points: points.map((point) => point.join(',')).join(' ') }),
      );
      return group;
    }));
  }
}

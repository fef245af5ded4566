// The move list with variations and comments, the evaluation bar and the curve of a game. The server's page and exported pages
// share them. A game is a list of nodes in which parents come first: `id`, `parent`, `ply`, `san`, `uci`, `fen`, and optionally
// `glyphs`, `before`, `comments`, `score`, `chance` and `marks`.

import { make, shape, turnOf } from './board.js';

/** A tree of nodes. */
export class Tree {
  constructor(nodes) {
    this.nodes = new Map(nodes.map((node) => [node.id, node]));
    this.below = new Map();
    for (const node of nodes) {
      if (node.parent === null) { this.root = node; continue; }
      if (!this.below.has(node.parent)) this.below.set(node.parent, []);
      this.below.get(node.parent).push(node);
    }
    this.line = [];
    for (let node = this.next(this.root); node; node = this.next(node)) this.line.push(node);
  }

  at(id) { return this.nodes.get(id) ?? this.root; }
  parent(node) { return node.parent === null ? null : this.nodes.get(node.parent); }
  children(node) { return this.below.get(node.id) ?? []; }
  next(node) { return this.children(node)[0] ?? null; }

  /** The last node of the line that a node is on. */
  last(node) {
    let here = node;
    while (this.next(here)) here = this.next(here);
    return here;
  }

  /** The move number: `12.` before White's moves, and `12…` before Black's if `always` is set. */
  number(node, always) {
    const [, turn, , , , number] = this.parent(node).fen.split(' ');
    if (turn === 'w') return `${number}.`;
    return always ? `${number}…` : '';
  }

  /** A move with its number: `12… Nf6`. */
  name(node) { return `${this.number(node, true)} ${node.san}`; }
}

const sign = (node) => node.san + (node.glyphs ?? []).join(' ');

/** A list of moves: two columns for the main line, comments and variations between them. */
export class MoveList {
  constructor(root, go) {
    this.root = root;
    this.go = go;
    this.buttons = new Map();
    this.current = null;
    this.top = 0;
    new ResizeObserver(() => { if (!this.scrolled()) this.scroll(); }).observe(root);
  }

  draw(tree, current, undoneFrom = Infinity) {
    const scrolls = current !== this.current || !this.scrolled();
    if (tree !== this.tree || undoneFrom !== this.undoneFrom) {
      Object.assign(this, { tree, undoneFrom });
      this.buttons.clear();
      this.build();
    }
    for (const [id, button] of this.buttons) {
      if (id === current) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    }
    this.current = current;
    if (scrolls) this.scroll();
  }

  /** Brings the current move to the middle of the list; without one, the list begins at its start. */
  scroll() {
    const here = this.buttons.get(this.current);
    // The style makes the list the element that its buttons are placed in.
    this.root.scrollTop = here ? here.offsetTop + (here.offsetHeight - this.root.clientHeight) / 2 : 0;
    this.top = this.root.scrollTop;
  }

  /** Whether the user has scrolled the list. A list that grows may have moved by itself, to its end. */
  scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.root;
    return Math.abs(scrollTop - Math.min(this.top, scrollHeight - clientHeight)) > 1;
  }

  build() {
    const items = [];
    const { tree } = this;
    const note = (...parts) => {
      const item = make('li', 'note');
      item.append(...parts);
      items.push(item);
    };
    for (const text of tree.root.comments ?? []) note(make('span', 'comment', text));
    let interrupted = true;
    for (const node of tree.line) {
      for (const text of node.before ?? []) { note(make('span', 'comment', text)); interrupted = true; }
      const black = turnOf(tree.parent(node).fen) === 'black';
      const item = make('li', [black ? 'black' : 'white', node.ply > this.undoneFrom ? 'undone' : ''].filter(Boolean).join(' '));
      item.append(make('span', 'number', tree.number(node, interrupted)), this.button(node));
      items.push(item);
      interrupted = false;
      for (const text of node.comments ?? []) { note(make('span', 'comment', text)); interrupted = true; }
      for (const first of tree.children(tree.parent(node)).slice(1)) {
        note(...this.variation(first));
        interrupted = true;
      }
    }
    this.root.replaceChildren(...items);
  }

  button(node) {
    const button = make('button', '', sign(node));
    button.type = 'button';
    for (const glyph of node.glyphs ?? []) button.classList.add({ '?': 'mistake', '??': 'blunder', '?!': 'dubious' }[glyph] ?? 'glyph');
    button.addEventListener('click', () => this.go(node.id));
    this.buttons.set(node.id, button);
    return button;
  }

  /** A variation as a paragraph: its moves, its comments, and its own variations in parentheses. */
  variation(first) {
    const { tree } = this;
    const parts = [make('span', 'bracket', '(')];
    let numbered = true;
    for (let node = first; node; node = tree.next(node)) {
      for (const text of node.before ?? []) { parts.push(make('span', 'comment', text)); numbered = true; }
      const number = tree.number(node, numbered);
      if (number) parts.push(make('span', 'number', number));
      parts.push(this.button(node));
      numbered = false;
      for (const text of node.comments ?? []) { parts.push(make('span', 'comment', text)); numbered = true; }
      if (node === first) continue;
      for (const branch of tree.children(tree.parent(node)).slice(1)) {
        parts.push(...this.variation(branch));
        numbered = true;
      }
    }
    parts.push(make('span', 'bracket', ')'));
    return parts;
  }
}

/** The evaluation bar. Its light part is White's expected score. */
export function drawBar(bar, chance, score, bottom) {
  bar.hidden = chance === null || chance === undefined;
  if (bar.hidden) return;
  bar.classList.toggle('turned', bottom === 'black');
  bar.firstElementChild.style.width = `${Math.round(chance * 100)}%`;
  bar.setAttribute('aria-label', score ? `Evaluation ${score}` : `White can expect ${Math.round(chance * 100)} percent`);
  bar.title = score ?? '';
}

/** The evaluation curve of a game. Clicks and arrow keys on it go to other positions. */
export class Curve {
  constructor(root, go) {
    this.root = root;
    this.go = go;
    root.addEventListener('pointerdown', (event) => {
      const box = root.getBoundingClientRect();
      this.step(Math.round(((event.clientX - box.left) / box.width) * (this.chances.length - 1)));
    });
    root.addEventListener('keydown', (event) => {
      const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.chances.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.step(to);
    });
  }

  step(ply) {
    this.go(Math.max(0, Math.min(ply, this.chances.length - 1)));
  }

  /** `chances` are White's expected scores by ply (`null` if unknown), `marks` the mistakes; `text` describes the position. */
  draw(chances, marks, ply, text) {
    const known = chances.filter((chance) => chance !== null).length;
    this.root.toggleAttribute('hidden', known < 2);
    Object.assign(this, { chances, ply });
    if (known < 2) return;
    const [width, height] = [400, 90];
    const x = (at) => (at * width) / Math.max(1, chances.length - 1);
    const y = (chance) => (1 - chance) * height;
    let [ground, path, from] = ['', '', null];
    chances.forEach((chance, at) => {
      if (chance === null) return;
      if (from === null) { path += `M${x(at).toFixed(1)} ${height}`; from = at; }
      path += `L${x(at).toFixed(1)} ${y(chance).toFixed(1)}`;
      if (at + 1 === chances.length || chances[at + 1] === null) {
        path += `L${x(at).toFixed(1)} ${height}Z`;
        ground += `M${x(from).toFixed(1)} 0H${x(at).toFixed(1)}V${height}H${x(from).toFixed(1)}Z`;
        from = null;
      }
    });
    const dots = marks.filter((mark) => chances[mark.ply] !== null && chances[mark.ply] !== undefined);
    const root = this.root;
    root.setAttribute('viewBox', `0 0 ${width} ${height}`);
    root.replaceChildren(
      shape('rect', { width, height, class: 'unknown' }),
      shape('path', { d: ground, class: 'ground' }),
      shape('path', { d: path, class: 'area' }),
      shape('path', { d: `M0 ${height / 2}H${width}`, class: 'middle' }),
      shape('path', { d: `M${x(ply).toFixed(1)} 0V${height}`, class: 'here' }),
      ...dots.map((mark) => shape('circle', { cx: x(mark.ply).toFixed(1), cy: y(chances[mark.ply]).toFixed(1), r: 4, class: mark.kind })),
    );
    root.setAttribute('aria-valuemax', chances.length - 1);
    root.setAttribute('aria-valuenow', ply);
    root.setAttribute('aria-valuetext', text);
  }
}

/** The mistakes of a line of moves, as marks on its curve. */
export function curveMarks(line) {
  const kinds = { '??': 'blunder', '?': 'mistake', '?!': 'dubious' };
  return line.flatMap((node) => (node.glyphs ?? []).filter((glyph) => kinds[glyph]).map((glyph) => ({ ply: node.ply, kind: kinds[glyph] })));
}

// A game as a tree of moves, and the list that shows it. The server's page and exported pages share them. A game is a list of
// nodes in which parents come first: `id`, `parent`, `ply`, `san`, `uci`, `fen`, and optionally `glyphs`, `before`, `comments`,
// `score`, `chance` and `marks`.

import { createElement, turnOf } from './board.js';

/** A tree of nodes. `line` is the main line, without the root. */
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

  /** The node of an ID, or the root. */
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

  /** The number of a move: `12.` before White's moves, and `12…` before Black's if `always` is set. */
  moveNumber(node, always) {
    const [, turn, , , , number] = this.parent(node).fen.split(' ');
    if (turn === 'w') return `${number}.`;
    return always ? `${number}…` : '';
  }

  /** A move with its number: `12… Nf6`. */
  numberedMove(node) { return `${this.moveNumber(node, true)} ${node.san}`; }
}

const sanWithGlyphs = (node) => node.san + (node.glyphs ?? []).join(' ');

/** A list of moves: two columns for the main line, comments and variations between them. */
export class MoveList {
  /** `go` is called with the ID of the node whose button is pressed. */
  constructor(root, go) {
    this.root = root;
    this.go = go;
    this.buttons = new Map();
    this.current = null;
    this.top = 0;
    new ResizeObserver(() => { if (!this.wasScrolled()) this.scroll(); }).observe(root);
  }

  /** Shows a tree, with the node that is current; moves beyond the ply `undoneFrom` are shown as undone. */
  draw(tree, current, undoneFrom = Infinity) {
    const scrolls = current !== this.current || !this.wasScrolled();
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
  wasScrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.root;
    return Math.abs(scrollTop - Math.min(this.top, scrollHeight - clientHeight)) > 1;
  }

  /** Creates the list: the main line move by move, with notes between them. */
  build() {
    const items = [];
    const { tree } = this;
    const note = (...parts) => {
      const item = createElement('li', 'note');
      item.append(...parts);
      items.push(item);
    };
    for (const text of tree.root.comments ?? []) note(createElement('span', 'comment', text));
    let interrupted = true;
    for (const node of tree.line) {
      for (const text of node.before ?? []) { note(createElement('span', 'comment', text)); interrupted = true; }
      const black = turnOf(tree.parent(node).fen) === 'black';
      const item = createElement('li', [black ? 'black' : 'white', node.ply > this.undoneFrom ? 'undone' : ''].filter(Boolean).join(' '));
      item.append(createElement('span', 'number', tree.moveNumber(node, interrupted)), this.button(node));
      items.push(item);
      interrupted = false;
      for (const text of node.comments ?? []) { note(createElement('span', 'comment', text)); interrupted = true; }
      for (const first of tree.children(tree.parent(node)).slice(1)) {
        note(...this.variation(first));
        interrupted = true;
      }
    }
    this.root.replaceChildren(...items);
  }

  /** The button of a move. */
  button(node) {
    const button = createElement('button', '', sanWithGlyphs(node));
    button.type = 'button';
    for (const glyph of node.glyphs ?? []) button.classList.add({ '?': 'mistake', '??': 'blunder', '?!': 'dubious' }[glyph] ?? 'glyph');
    button.addEventListener('click', () => this.go(node.id));
    this.buttons.set(node.id, button);
    return button;
  }

  /** A variation as a paragraph: its moves, its comments, and its own variations in parentheses. */
  variation(first) {
    const { tree } = this;
    const parts = [createElement('span', 'bracket', '(')];
    let numbered = true;
    for (let node = first; node; node = tree.next(node)) {
      for (const text of node.before ?? []) { parts.push(createElement('span', 'comment', text)); numbered = true; }
      const number = tree.moveNumber(node, numbered);
      if (number) parts.push(createElement('span', 'number', number));
      parts.push(this.button(node));
      numbered = false;
      for (const text of node.comments ?? []) { parts.push(createElement('span', 'comment', text)); numbered = true; }
      if (node === first) continue;
      for (const branch of tree.children(tree.parent(node)).slice(1)) {
        parts.push(...this.variation(branch));
        numbered = true;
      }
    }
    parts.push(createElement('span', 'bracket', ')'));
    return parts;
  }
}

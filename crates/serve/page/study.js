// Engine help: hints, lines and the evaluation bar during a game; and the review of a game, with variations, judgment, curve,
// and another try at each mistake. The server decides who may ask for it.

import { createElement, piecesOf, sideOf, turnOf } from './board.js';
import { $, announce, setShown } from './elements.js';
import { Curve, curveMarks, drawBar } from './evaluation.js';
import { Tree } from './moves.js';

/** The delay before the server is told of a new position, so that going through many positions costs one message. */
const LOOK_DELAY = 150;

export const study = {
  game: null, advice: null, review: null, reviewing: false, tree: null, shownNode: null, curve: null, timer: null,
  // Which node of the review a tab shows is its own. It goes where the server says only after requests that lead somewhere:
  // while answers to such requests are awaited, or when a move is tried.
  legal: { node: null, moves: [], castling: {} }, awaited: 0, isTrying: false,

  start(game) {
    this.game = game;
    const on = (id, act) => $(id).addEventListener('click', act);
    on('hint', () => this.ask({ command: 'hint' }));
    on('lines', () => this.ask({ command: 'lines', shown: $('lines').getAttribute('aria-pressed') !== 'true' }));
    on('judge', () => this.enter({ command: 'judge' }));
    on('retry', () => this.enter({ command: 'retry' }));
    for (const line of ['better', 'refutation']) on(line, () => this.showLine(line));
    on('review', () => { if (this.reviewing) this.leave(); else this.enter({ command: 'review' }); });
    this.curve = new Curve($('curve'), (ply) => this.goToPly(ply));
  },

  /** Repeats earlier requests on a new connection. */
  restart() {
    const flag = `review-${this.game.id}`;
    this.awaited = 0;
    if (this.reviewing || sessionStorage.getItem(flag)) this.askAndFollow({ command: 'review' });
    if (sessionStorage.getItem(flag)) this.reviewing = true;
    sessionStorage.removeItem(flag);
  },

  /** Asks the engine about the game, or about the review. */
  ask(request) {
    this.game.request(this.reviewing ? { ...request, review: true } : request);
  },

  /** Sends a request that may lead to another position. */
  askAndFollow(request, then = () => {}) {
    this.awaited += 1;
    this.game.request(request, (done) => { this.awaited -= 1; then(done); });
  },

  /** Shows the review, once the server has accepted a request that begins it. */
  enter(request) {
    this.askAndFollow(request, (done) => {
      if (!done) return;
      this.reviewing = true;
      this.game.draw();
    });
  },

  /** Shows the game again. */
  leave() {
    this.reviewing = false;
    this.game.boardView.picked = null;
    this.game.draw();
  },

  receiveAdvice(message) {
    this.advice = message;
    announce(message.sentences);
  },

  /** The review has changed, or its shown node. */
  receiveReview(message) {
    if (message.nodes) this.tree = new Tree(message.nodes);
    this.review = message;
    const { at, legal: moves, castling, sentences } = message;
    const verdict = this.isTrying && sentences.length > 0;
    if (this.awaited || verdict || !this.tree.nodes.has(this.shownNode)) this.shownNode = at;
    if (verdict) this.isTrying = false;
    if (at === this.shownNode) this.legal = { node: at, moves, castling };
    if (this.reviewing) announce(message.sentences);
  },

  // ---- going through a review

  /** Goes to a ply of the main line, as clicks on the curve do. */
  goToPly(ply) {
    if (this.reviewing) this.goTo(ply === 0 ? this.tree.root.id : this.tree.line[ply - 1]?.id);
    else this.game.moveList.go(ply);
  },

  /** Goes to the node that a button is named after. */
  step(where) {
    const here = this.tree.at(this.shownNode);
    const last = this.tree.last(here);
    const to = { first: this.tree.root, back: this.tree.parent(here), forth: this.tree.next(here), last, now: last }[where];
    if (to) this.goTo(to.id);
  },

  /** Shows a node of the review, and tells the server a moment later. */
  goTo(id) {
    if (id === undefined) return;
    Object.assign(this, { shownNode: id, isTrying: false });
    this.game.boardView.picked = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.game.request({ command: 'look', node: id });
    }, LOOK_DELAY);
    const node = this.tree.at(id);
    announce(node.san ? [`After ${node.san}.`, ...(node.comments ?? [])] : 'At the start.');
    this.game.draw();
  },

  /** Plays a move in the review: a variation, or an answer to a mistake that is tried again. */
  try(text, then) {
    clearTimeout(this.timer);
    this.timer = null;
    this.isTrying = true;
    this.askAndFollow({ command: 'try', node: this.shownNode, move: text }, then);
  },

  /** Has a line about the shown move written as a variation, and goes to its first move. */
  showLine(command) {
    clearTimeout(this.timer);
    this.timer = null;
    this.askAndFollow({ command, node: this.shownNode });
  },

  /** The legal moves at the shown node, as far as the server has sent them. */
  legalHere() { return this.legal.node === this.shownNode ? this.legal : { moves: [], castling: {} }; },

  /** Whether the piece on a square is one of the side to move. */
  mayPick(name) {
    const { fen } = this.tree.at(this.shownNode);
    const piece = piecesOf(fen)[name];
    return Boolean(piece) && sideOf(piece[0]) === turnOf(fen);
  },

  // ---- drawing

  /** The advice about the position that is shown. */
  adviceHere() {
    const advice = this.advice;
    if (!advice) return null;
    if (this.reviewing) return advice.review && advice.node === this.shownNode ? advice : null;
    return !advice.review && this.game.showsCurrent && advice.ply === this.game.current.ply ? advice : null;
  },

  /** The marks of a hint. */
  hintMarks() {
    const hint = this.adviceHere()?.hint;
    if (!hint) return [];
    return [{ from: hint.from, to: hint.to ?? hint.from, color: 'blue' }];
  },

  /** Shows the buttons that are allowed, the advice and the best lines. */
  drawControls() {
    const { game } = this;
    const allowed = game.you !== 'watch' && game.current.begun && (game.isAlone() || Boolean(game.current.outcome));
    setShown($('study'), allowed);
    setShown($('hint'), this.reviewing || (!game.current.outcome && game.showsCurrent && game.plays(game.current.turn)));
    setShown($('lines'), this.reviewing || !game.current.outcome);
    const here = this.adviceHere();
    $('lines').setAttribute('aria-pressed', String(Boolean(this.advice?.shown)));
    $('review').setAttribute('aria-pressed', String(this.reviewing));
    $('review').textContent = this.reviewing ? 'Back to the game' : 'Review';
    const review = this.reviewing ? this.review : null;
    setShown($('judge'), !review?.judging && game.state.moves.length > 0);
    setShown($('retry'), Boolean(review?.done && review.turning_points > 0));
    const marked = review?.done && this.tree?.at(this.shownNode).glyphs?.some((glyph) => ['?', '??', '?!'].includes(glyph));
    for (const line of ['better', 'refutation']) setShown($(line), Boolean(marked));
    $('advice').textContent = this.adviceText(review, here);
    const lines = here?.shown ? here.lines : [];
    setShown($('best'), lines.length > 0);
    $('best').replaceChildren(...lines.map(({ score, depth, text }) => {
      const item = createElement('li');
      // No line break inside O-O.
      const words = ` ${text} `.split(/(O-O(?:-O)?)/).map((part) => (part.startsWith('O-O') ? createElement('span', 'whole', part) : part));
      item.append(createElement('b', '', score), ...words, createElement('span', 'quiet', depth ? `depth ${depth}` : ''));
      return item;
    }));
  },

  /** What the server says about the review and the shown position. */
  adviceText(review, here) {
    const said = review?.judging && !review.sentences.length ? [`Judging: ${review.judged} of ${review.of} positions.`] : [];
    if (review?.done && !review.sentences.length) {
      const share = (value) => (value === null ? '–' : `${value} %`);
      said.push(`Accuracy: White ${share(review.accuracy.white)}, Black ${share(review.accuracy.black)}.`);
    }
    said.push(...(review?.sentences ?? []), ...(here?.sentences ?? []));
    return said.join(' ');
  },

  /** Draws the advice, the bar and the curve beside the game. */
  drawDuringGame() {
    const { game } = this;
    this.drawControls();
    const here = this.adviceHere();
    const known = this.advice?.review ? [] : this.advice?.chances ?? [];
    const chances = game.state.moves.length + 1 >= known.length ? known : [];
    const chance = here?.lines[0]?.chance ?? chances[game.shownPly];
    drawBar($('bar'), chance, here?.lines[0]?.score, game.boardView.bottom);
    this.curve.draw(chances, [], game.shownPly, game.state.moves[game.shownPly - 1]?.san ?? 'The start');
  },

  /** Draws the review. */
  drawReview() {
    if (!this.tree) return;
    const { game, tree, review } = this;
    const node = tree.at(this.shownNode);
    const here = this.adviceHere();
    game.boardView.show({ fen: node.fen, last: node.uci, check: node.check, marks: [...(node.marks ?? []), ...this.hintMarks()] });
    game.moveList.draw(tree, this.shownNode);
    this.drawControls();
    let on = node;
    while (on !== tree.root && !tree.line.includes(on)) on = tree.parent(on);
    const chances = review.chances.length > 1 ? review.chances : [tree.root, ...tree.line].map((one) => one.chance ?? null);
    const chance = here?.lines[0]?.chance ?? (on === node ? chances[node.ply] : node.chance);
    const score = here?.lines[0]?.score ?? node.score;
    drawBar($('bar'), chance, score, game.boardView.bottom);
    const text = [node.san ?? 'The start', score].filter(Boolean).join(', ');
    this.curve.draw(chances, curveMarks(tree.line), on.ply, text);
    $('fen').value = node.fen;
  },
};

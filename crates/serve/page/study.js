// Engine help: hints, lines and the evaluation bar during a game; and the review of a game, with variations, judgment, curve,
// and another try at each mistake. The server decides who may ask for it.

import { make, pieces, sideOf, turnOf } from './board.js';
import { Curve, Tree, curveMarks, drawBar } from './course.js';
import { $, say, show } from './server.js';

/** The delay before the server is told of a new position, so that going through many positions costs one message. */
const PAUSE = 150;

export const study = {
  game: null, advice: null, review: null, reviewing: false, tree: null, at: null, curve: null, timer: null,
  // Where this tab looks is its own. It goes where the server says only after requests that lead somewhere.
  legal: { at: null, moves: [], castling: {} }, led: 0, tries: false,

  start(game) {
    this.game = game;
    const on = (id, act) => $(id).addEventListener('click', act);
    on('hint', () => this.ask({ command: 'hint' }));
    on('lines', () => this.ask({ command: 'lines', shown: $('lines').getAttribute('aria-pressed') !== 'true' }));
    on('judge', () => this.enter({ command: 'judge' }));
    on('retry', () => this.enter({ command: 'retry' }));
    on('review', () => { if (this.reviewing) this.leave(); else this.enter({ command: 'review' }); });
    this.curve = new Curve($('curve'), (ply) => this.go(ply));
  },

  /** Repeats earlier requests on a new connection. */
  joined() {
    const flag = `review-${this.game.id}`;
    this.led = 0;
    if (this.reviewing || sessionStorage.getItem(flag)) this.lead({ command: 'review' });
    if (sessionStorage.getItem(flag)) this.reviewing = true;
    sessionStorage.removeItem(flag);
  },

  ask(request) {
    this.game.request(this.reviewing ? { ...request, review: true } : request);
  },

  /** Sends a request that may lead to another position. */
  lead(request, then = () => {}) {
    this.led += 1;
    this.game.request(request, (done) => { this.led -= 1; then(done); });
  },

  enter(request) {
    this.lead(request, (done) => {
      if (!done) return;
      this.reviewing = true;
      this.game.draw();
    });
  },

  leave() {
    this.reviewing = false;
    this.game.view.picked = null;
    this.game.draw();
  },

  advised(message) {
    this.advice = message;
    say(message.sentences);
  },

  reviewed(message) {
    if (message.nodes) this.tree = new Tree(message.nodes);
    this.review = message;
    const { at, legal: moves, castling, sentences } = message;
    const verdict = this.tries && sentences.length > 0;
    if (this.led || verdict || !this.tree.nodes.has(this.at)) this.at = at;
    if (verdict) this.tries = false;
    if (at === this.at) this.legal = { at, moves, castling };
    if (this.reviewing) say(message.sentences);
  },

  // ---- going through a review

  go(ply) {
    if (this.reviewing) this.look(ply === 0 ? this.tree.root.id : this.tree.line[ply - 1]?.id);
    else this.game.list.go(ply);
  },

  walk(where) {
    const here = this.tree.at(this.at);
    const last = this.tree.last(here);
    const to = { first: this.tree.root, back: this.tree.parent(here), forth: this.tree.next(here), last, now: last }[where];
    if (to) this.look(to.id);
  },

  look(id) {
    if (id === undefined) return;
    Object.assign(this, { at: id, tries: false });
    this.game.view.picked = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.game.request({ command: 'look', node: id });
    }, PAUSE);
    const node = this.tree.at(id);
    say(node.san ? [`After ${node.san}.`, ...(node.comments ?? [])] : 'At the start.');
    this.game.draw();
  },

  /** Plays a move in the review: a variation, or an answer to a mistake that is tried again. */
  try(text, then) {
    clearTimeout(this.timer);
    this.timer = null;
    this.tries = true;
    this.lead({ command: 'try', node: this.at, move: text }, then);
  },

  known() { return this.legal.at === this.at ? this.legal : { moves: [], castling: {} }; },

  mayPick(name) {
    const { fen } = this.tree.at(this.at);
    const piece = pieces(fen)[name];
    return Boolean(piece) && sideOf(piece[0]) === turnOf(fen);
  },

  // ---- drawing

  /** The advice about the position that is shown. */
  here() {
    const advice = this.advice;
    if (!advice) return null;
    if (this.reviewing) return advice.review && advice.node === this.at ? advice : null;
    return !advice.review && this.game.live && advice.ply === this.game.board.ply ? advice : null;
  },

  /** The marks of a hint. */
  marks() {
    const hint = this.here()?.hint;
    if (!hint) return [];
    return [{ from: hint.from, to: hint.to ?? hint.from, color: 'blue' }];
  },

  drawControls() {
    const { game } = this;
    const allowed = game.you !== 'watch' && game.board.begun && (game.alone() || Boolean(game.board.outcome));
    show($('study'), allowed);
    show($('hint'), this.reviewing || (!game.board.outcome && game.live && game.plays(game.board.turn)));
    show($('lines'), this.reviewing || !game.board.outcome);
    const here = this.here();
    $('lines').setAttribute('aria-pressed', String(Boolean(this.advice?.shown)));
    $('review').setAttribute('aria-pressed', String(this.reviewing));
    $('review').textContent = this.reviewing ? 'Back to the game' : 'Review';
    const review = this.reviewing ? this.review : null;
    show($('judge'), !review?.judging && game.state.moves.length > 0);
    show($('retry'), Boolean(review?.done && review.turning_points > 0));
    $('advice').textContent = this.words(review, here);
    const lines = here?.shown ? here.lines : [];
    show($('best'), lines.length > 0);
    $('best').replaceChildren(...lines.map(({ score, depth, text }) => {
      const item = make('li');
      // No line break inside O-O.
      const words = ` ${text} `.split(/(O-O(?:-O)?)/).map((part) => (part.startsWith('O-O') ? make('span', 'whole', part) : part));
      item.append(make('b', '', score), ...words, make('span', 'quiet', depth ? `depth ${depth}` : ''));
      return item;
    }));
  },

  words(review, here) {
    const said = review?.judging && !review.sentences.length ? [`Judging: ${review.judged} of ${review.of} positions.`] : [];
    if (review?.done && !review.sentences.length) {
      const share = (value) => (value === null ? '–' : `${value} %`);
      said.push(`Accuracy: White ${share(review.accuracy.white)}, Black ${share(review.accuracy.black)}.`);
    }
    said.push(...(review?.sentences ?? []), ...(here?.sentences ?? []));
    return said.join(' ');
  },

  /** Draws what belongs to the game. */
  drawBeside() {
    const { game } = this;
    this.drawControls();
    const here = this.here();
    const known = this.advice?.review ? [] : this.advice?.chances ?? [];
    const chances = game.state.moves.length + 1 >= known.length ? known : [];
    const chance = here?.lines[0]?.chance ?? chances[game.ply];
    drawBar($('bar'), chance, here?.lines[0]?.score, game.view.bottom);
    this.curve.draw(chances, [], game.ply, game.state.moves[game.ply - 1]?.san ?? 'The start');
  },

  /** Draws the review. */
  draw() {
    if (!this.tree) return;
    const { game, tree, review } = this;
    const node = tree.at(this.at);
    const here = this.here();
    game.view.show({ fen: node.fen, last: node.uci, check: node.check, marks: [...(node.marks ?? []), ...this.marks()] });
    game.list.draw(tree, this.at);
    this.drawControls();
    let on = node;
    while (on !== tree.root && !tree.line.includes(on)) on = tree.parent(on);
    const chances = review.chances.length > 1 ? review.chances : [tree.root, ...tree.line].map((one) => one.chance ?? null);
    const chance = here?.lines[0]?.chance ?? (on === node ? chances[node.ply] : node.chance);
    const score = here?.lines[0]?.score ?? node.score;
    drawBar($('bar'), chance, score, game.view.bottom);
    const text = [node.san ?? 'The start', score].filter(Boolean).join(', ');
    this.curve.draw(chances, curveMarks(tree.line), on.ply, text);
    $('fen').value = node.fen;
  },
};

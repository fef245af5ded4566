// The evaluation bar, and the evaluation curve of a game. The server's page and exported pages share them.

import { createShape } from './board.js';

/** The evaluation bar. Its light part is White's expected score. */
export function drawBar(bar, chance, score, bottom) {
  bar.hidden = chance === null || chance === undefined;
  if (bar.hidden) return;
  bar.classList.toggle('turned', bottom === 'black');
  bar.firstElementChild.style.width = `${Math.round(chance * 100)}%`;
  bar.setAttribute('aria-label', score ? `Evaluation ${score}` : `White can expect ${Math.round(chance * 100)} percent`);
  bar.title = score ?? '';
}

/** The size of the picture of a curve, which is shown at any size. */
const CURVE_WIDTH = 400;
const CURVE_HEIGHT = 90;

/** The area below a curve, and the ground behind it, as paths. Both have gaps where nothing is known. */
function curvePaths(chances, x, y) {
  let [ground, area, from] = ['', '', null];
  chances.forEach((chance, at) => {
    if (chance === null) return;
    if (from === null) { area += `M${x(at)} ${CURVE_HEIGHT}`; from = at; }
    area += `L${x(at)} ${y(chance)}`;
    if (at + 1 === chances.length || chances[at + 1] === null) {
      area += `L${x(at)} ${CURVE_HEIGHT}Z`;
      ground += `M${x(from)} 0H${x(at)}V${CURVE_HEIGHT}H${x(from)}Z`;
      from = null;
    }
  });
  return { ground, area };
}

/** The evaluation curve of a game. Clicks and arrow keys on it go to other positions. */
export class Curve {
  constructor(root, go) {
    this.root = root;
    this.go = go;
    root.addEventListener('pointerdown', (event) => {
      const box = root.getBoundingClientRect();
      this.goToPly(Math.round(((event.clientX - box.left) / box.width) * (this.chances.length - 1)));
    });
    root.addEventListener('keydown', (event) => {
      const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.chances.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.goToPly(to);
    });
  }

  /** Goes to a ply, or to the nearest that there is. */
  goToPly(ply) {
    this.go(Math.max(0, Math.min(ply, this.chances.length - 1)));
  }

  /** `chances` are White's expected scores by ply (`null` if unknown), `marks` the mistakes; `text` describes the position. */
  draw(chances, marks, ply, text) {
    const known = chances.filter((chance) => chance !== null).length;
    this.root.toggleAttribute('hidden', known < 2);
    Object.assign(this, { chances, ply });
    if (known < 2) return;
    const x = (at) => ((at * CURVE_WIDTH) / Math.max(1, chances.length - 1)).toFixed(1);
    const y = (chance) => ((1 - chance) * CURVE_HEIGHT).toFixed(1);
    const { ground, area } = curvePaths(chances, x, y);
    const dots = marks.filter((mark) => chances[mark.ply] !== null && chances[mark.ply] !== undefined);
    const root = this.root;
    root.setAttribute('viewBox', `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`);
    root.replaceChildren(
      createShape('rect', { width: CURVE_WIDTH, height: CURVE_HEIGHT, class: 'unknown' }),
      createShape('path', { d: ground, class: 'ground' }),
      createShape('path', { d: area, class: 'area' }),
      createShape('path', { d: `M0 ${CURVE_HEIGHT / 2}H${CURVE_WIDTH}`, class: 'middle' }),
      createShape('path', { d: `M${x(ply)} 0V${CURVE_HEIGHT}`, class: 'here' }),
      ...dots.map((mark) => createShape('circle', { cx: x(mark.ply), cy: y(chances[mark.ply]), r: 4, class: mark.kind })),
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

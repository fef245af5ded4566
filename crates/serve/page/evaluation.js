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
      createShape('rect', { width, height, class: 'unknown' }),
      createShape('path', { d: ground, class: 'ground' }),
      createShape('path', { d: path, class: 'area' }),
      createShape('path', { d: `M0 ${height / 2}H${width}`, class: 'middle' }),
      createShape('path', { d: `M${x(ply).toFixed(1)} 0V${height}`, class: 'here' }),
      ...dots.map((mark) => createShape('circle', { cx: x(mark.ply).toFixed(1), cy: y(chances[mark.ply]).toFixed(1), r: 4, class: mark.kind })),
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

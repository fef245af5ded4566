// An exported game, for keyboard, mouse and touch. It loads nothing and sends nothing.

import { Board, createElement, opposite } from './board.js';
import { Curve, curveMarks, drawBar } from './evaluation.js';
import { MoveList, Tree } from './moves.js';

const $ = (id) => document.getElementById(id);
const data = JSON.parse($('data').textContent);
const tree = new Tree(data.nodes);
const board = new Board($('board'), $('marks'));
let here = tree.root;

const moves = new MoveList($('moves'), (id) => goTo(tree.at(id)));
const curve = new Curve($('curve'), (ply) => goTo(ply === 0 ? tree.root : tree.line[ply - 1] ?? here));
const chances = [tree.root, ...tree.line].map((node) => node.chance ?? null);
const steps = {
  first: () => tree.root,
  back: () => tree.parent(here),
  forth: () => tree.next(here),
  last: () => tree.last(here),
};

/** Shows another position and announces it. */
function goTo(node) {
  if (!node) return;
  here = node;
  draw();
  const said = node.san ? tree.numberedMove(node) + (node.glyphs ?? []).join('') : 'The start.';
  $('live').textContent = [said, node.score, ...(node.comments ?? [])].filter(Boolean).join(' ');
}

function draw() {
  board.show({ fen: here.fen, last: here.uci, check: here.check, marks: here.marks ?? [] });
  moves.draw(tree, here.id);
  drawBar($('bar'), here.chance, here.score, board.bottom);
  const text = here.san ? tree.numberedMove(here) : 'The start';
  curve.draw(chances, curveMarks(tree.line), onLine(here).ply, text + (here.score ? `, ${here.score}` : ''));
  $('score').textContent = here.score ?? '';
  $('fen').value = here.fen;
  for (const [id, to] of Object.entries(steps)) $(id).disabled = !to() || to() === here;
  for (const [id, side] of [['top', opposite(board.bottom)], ['bottom', board.bottom]]) $(id).textContent = data.names[side];
}

/** The node of the main line at which a variation branches off. */
function onLine(node) {
  let found = node;
  while (found !== tree.root && !tree.line.includes(found)) found = tree.parent(found);
  return found;
}

/** Turns the board around. */
function turn() {
  board.turn(opposite(board.bottom));
  draw();
}

for (const [id, to] of Object.entries(steps)) $(id).addEventListener('click', () => goTo(to()));
$('flip').addEventListener('click', turn);
$('copy').addEventListener('click', () => navigator.clipboard?.writeText($('pgn').value));
addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, textarea')) return;
  const key = {
    ArrowLeft: 'back', ArrowRight: 'forth', ArrowUp: 'first', ArrowDown: 'last', PageUp: 'back', PageDown: 'forth', Home: 'first', End: 'last',
  }[event.key];
  if (key) { event.preventDefault(); goTo(steps[key]()); } else if (event.key === 'f') turn();
});
// A swipe over the board goes to the next or the previous position; so does a tap on its right or left half.
let touched = null;
$('frame').addEventListener('pointerdown', (event) => { if (event.pointerType === 'touch') touched = event.clientX; });
addEventListener('pointerup', (event) => {
  if (touched === null) return;
  const [from, box] = [touched, $('frame').getBoundingClientRect()];
  touched = null;
  const way = event.clientX - from;
  const back = Math.abs(way) > 40 ? way > 0 : event.clientX < box.left + box.width / 2;
  goTo(steps[back ? 'back' : 'forth']());
});

for (const [name, value] of data.about) $('about').append(createElement('dt', '', name), createElement('dd', '', value));
$('result').textContent = data.result;
$('pgn').value = data.pgn;
draw();

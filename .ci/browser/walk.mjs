// Going through the moves of a game: the list, the keys, and looking back while the game goes on.
import assert from 'node:assert/strict';
import { click, drag, plies, says, settled, square, type } from './harness.mjs';
import { exported } from './pages.mjs';
import { pair } from './people.mjs';

const SIZES = [[1366, 768], [820, 1180], [390, 844], [844, 390]];

/** A game of 60 plies, with a comment and a variation. */
const LONG = `[White "A"]
[Black "B"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {the usual move, after which White has a choice between giving up the bishop and keeping it} 4. Ba4 Nf6
5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 (9... Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2) 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8
13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 21. Ra3 Rb8 22. Rea1 Bc8 23. Nf1 Kg7
24. N1h2 Bd7 25. Qe3 Nh7 26. Bxe7 Qxe7 27. axb5 axb5 28. Ra7 Qf6 29. g3 Rb6 30. Kg2 Kg8 *
`;

/** The current move is on the screen and nothing covers it. */
async function seesCurrent(page, where) {
  const hidden = await page.evaluate(() => {
    const current = document.querySelector('#moves [aria-current]');
    if (!current) return 'no move is current';
    const { left, top, right, bottom } = current.getBoundingClientRect();
    const corners = [[left + 2, top + 2], [right - 2, bottom - 2]];
    const seen = corners.every(([x, y]) => document.elementFromPoint(x, y) === current);
    return seen ? '' : `${current.textContent} is at ${Math.round(left)}, ${Math.round(top)}`;
  });
  assert.equal(hidden, '', where);
}

/** Walks from the start to the end of the line, and back. */
async function walksAlong(page, plies, name) {
  if (await page.locator('#first').isEnabled()) await page.click('#first');
  for (const [key, count] of [['ArrowRight', plies], ['ArrowLeft', plies - 1]]) {
    for (let at = 1; at <= count; at += 1) {
      await page.keyboard.press(key);
      await seesCurrent(page, `${name}: ${key} ${at}`);
    }
  }
}

/** Left and Right go one move back and forth, whatever was clicked. */
async function steps(page, san, before, name) {
  const current = async () => page.locator('#moves [aria-current]').textContent();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await current(), before, name);
  await page.keyboard.press('ArrowRight');
  assert.equal(await current(), san, name);
}

/** Clicks on the board; then it loses the focus and gets it back, as when somebody looks at another tab of the browser. */
async function leavesAndReturns(page) {
  await square(page, 'e5').click();
  await page.evaluate(() => { const here = document.activeElement; here.blur(); here.focus(); });
}

export const walk = {
  async 'the current move is seen after every move, at four sizes'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'here' });
    const moves = 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7'.split(' ');
    for (const [at, move] of moves.entries()) {
      await type(page, move);
      await settled(page, at + 1);
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        // The list scrolls when its size has changed, before the next picture.
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        await seesCurrent(page, `${move} at ${width} × ${height}`);
      }
    }
  },

  async 'the current move is seen wherever one looks in a game and in its review, at four sizes'(world) {
    for (const [width, height] of SIZES) {
      const page = await world.newPage();
      await page.setViewportSize({ width, height });
      await world.begin(page, { opponent: 'here', text: LONG });
      await settled(page, 60);
      await walksAlong(page, 60, `game, ${width}`);
      await page.click('#review');
      await page.waitForSelector('#moves .note');
      await walksAlong(page, 60, `review, ${width}`);
      await page.click('#moves .note button:text-is("Nbd2")');
      await seesCurrent(page, `a variation, ${width}`);
      await page.close();
    }
  },

  async 'the current move is seen wherever one looks in an exported game, at four sizes'(world) {
    for (const [width, height] of SIZES) {
      const { context, page } = await exported(world, { viewport: { width, height } }, LONG);
      await walksAlong(page, 60, `export, ${width}`);
      await context.close();
    }
  },

  async 'after a click anywhere the arrow keys go through the moves'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'here', text: '1. e4 e5 2. Nf3 *' });
    const clicks = {
      'a square': () => square(page, 'e5').click(),
      'a piece': () => square(page, 'b8').click(),
      'a drag that is no move': () => drag(page, 'b8', 'b5'),
      'the next button': async () => { await page.click('#back'); await page.click('#forth'); },
      'a move in the list': () => page.click('#moves button:text-is("Nf3")'),
      'the list': () => page.click('#moves', { position: { x: 4, y: 60 } }),
      'the field for moves': () => page.click('#move'),
      'the board that is turned': async () => { await square(page, 'd4').click(); await page.click('#flip'); },
      'the colors of the board': () => page.click('#board-theme'),
      'the panel': () => page.click('#status'),
      'the board and another tab': () => leavesAndReturns(page),
    };
    for (const [name, act] of Object.entries(clicks)) {
      await act();
      await page.keyboard.press('Escape');
      await steps(page, 'Nf3', 'e5', name);
    }
    // Whoever comes to the board by the keyboard walks over the board.
    await page.click('#move');
    await page.keyboard.press('Shift+Tab');
    const focused = () => page.evaluate(() => document.activeElement.dataset.square);
    const from = await focused();
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await focused(), from);
    assert.equal(await page.locator('#moves [aria-current]').textContent(), 'Nf3');
  },

  async 'after a promotion by mouse the arrow keys go through the moves'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'here', text: '[FEN "8/4P3/6k1/8/8/8/8/4K3 w - - 0 1"]\n\n1. Kd2 Kg7 *' });
    await click(page, 'e7', 'e8');
    await page.click('#promotion button[value=e7e8q]');
    await settled(page, 3);
    await steps(page, 'e8=Q', 'Kg7', 'a promotion');
  },

  async 'the list stays where it was scrolled to while an engine sends lines'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'here', text: LONG });
    await settled(page, 60);
    await page.click('#lines');
    await page.waitForSelector('#best li');
    await page.hover('#moves');
    await page.mouse.wheel(0, -5000);
    await page.waitForFunction(() => document.querySelector('#moves').scrollTop === 0);
    // The lines are drawn some more times.
    await page.evaluate(() => new Promise((done) => {
      let left = 5;
      const seen = () => { left -= 1; if (left === 0) done(); };
      new MutationObserver(seen).observe(document.querySelector('#best'), { childList: true });
    }));
    assert.equal(await page.evaluate(() => document.querySelector('#moves').scrollTop), 0);
    // Whoever goes to another move sees it.
    await page.keyboard.press('ArrowLeft');
    await seesCurrent(page, 'after scrolling');
  },

  async 'after a click anywhere on an exported page the arrow keys go through the moves'(world) {
    const { context, page } = await exported(world, {}, '1. e4 e5 2. Nf3 *');
    const clicks = {
      'the last button': () => page.click('#last'),
      'a square': () => square(page, 'e5').click(),
      'a move in the list': () => page.click('#moves button:text-is("Nf3")'),
      'the board that is turned': async () => { await square(page, 'd4').click(); await page.click('#flip'); },
      'the board and another tab': () => leavesAndReturns(page),
    };
    for (const [name, act] of Object.entries(clicks)) {
      await act();
      await steps(page, 'Nf3', 'e5', name);
    }
    await page.keyboard.press('PageUp');
    assert.equal(await page.locator('#moves [aria-current]').textContent(), 'e5');
    await context.close();
  },

  async 'whoever looks back stays there when others move, sees that there is a move, and gets back by a key or a click'(world) {
    const { page, guest, away, links } = await pair(world);
    const third = await world.newContext();
    const watcher = await world.newPage(third);
    await watcher.goto(links.watch);
    await says(watcher, 'status', 'You are watching');
    await click(page, 'e2', 'e4');
    await settled(guest, 1);
    await click(guest, 'e7', 'e5');
    for (const one of [page, watcher]) {
      await settled(one, 2);
      assert.ok(await one.locator('#now').isHidden());
      await one.keyboard.press('ArrowLeft');
      await says(one, 'now', 'To the current position');
    }
    // White looks at the position before the answer; the next moves of both leave the watcher there.
    await page.click('#now');
    await click(page, 'g1', 'f3');
    await settled(guest, 3);
    await page.click('#first');
    await click(guest, 'b8', 'c6');
    for (const one of [page, watcher]) await settled(one, 4);
    await says(page, 'now', 'New move: 2… Nc6');
    await says(watcher, 'now', 'New move: 2… Nc6');
    assert.equal(await page.locator('#moves [aria-current]').count(), 0);
    assert.equal(await watcher.locator('#moves [aria-current]').textContent(), 'e4');
    assert.equal(await square(watcher, 'e7').locator('.bp').count(), 1);
    await page.keyboard.press('End');
    assert.ok(await page.locator('#now').isHidden());
    assert.equal(await square(page, 'c6').locator('.bn').count(), 1);
    await watcher.click('#now');
    assert.equal(await square(watcher, 'c6').locator('.bn').count(), 1);
    // A premove is played while one looks back, and one's own move shows the position again.
    await click(page, 'f1', 'b5');
    await settled(guest, 5);
    await click(page, 'e1', 'g1');
    await page.waitForSelector('.premove');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('.premove', { state: 'detached' });
    await click(guest, 'a7', 'a6');
    await settled(page, 7);
    assert.equal(await page.locator('#moves [aria-current]').textContent(), 'O-O');
    assert.equal(await plies(watcher), 7);
    await third.close();
    await away.close();
  },
};

// How the page looks: axe-core, sizes, light and dark, less motion.
import assert from 'node:assert/strict';
import { accessible, says, square, type, wide } from './harness.mjs';

export const looks = {
  async 'axe finds nothing serious, light, dark and narrow, and nothing is cut off'(world) {
    const page = await world.newPage();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${world.base}/`);
    await page.waitForSelector('#lobby:not([hidden])');
    await accessible(page, 'lobby');
    await world.shot(page, 'lobby');
    await world.begin(page, { opponent: 'bot:2', clock: '10+5', name: 'Ada', text: '[White "Ada"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *' });
    // The clock of a game that goes on from a PGN stands until somebody lets it run.
    await page.click('#pause');
    await says(page, 'status', 'White to move');
    for (const id of ['top', 'bottom']) assert.match(await page.locator(`#${id} .clock`).textContent(), /^(9|10):\d\d$/);
    await page.click('#lines');
    await page.waitForFunction(() => document.querySelectorAll('#best li').length === 3);
    await square(page, 'c3').click();
    for (const [name, width, height, colorScheme] of [
      ['light', 1920, 1080, 'light'], ['dark', 1280, 800, 'dark'], ['narrow', 360, 640, 'dark'], ['narrow-light', 360, 640, 'light'],
    ]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, colorScheme);
      await accessible(page, name);
      assert.ok(await wide(page) <= width, `${name}: ${await wide(page)} pixels wide`);
      const board = await page.locator('#board').boundingBox();
      assert.ok(board.width === board.height && board.y + board.height <= height, `${name}: the whole board is seen`);
      await world.shot(page, name);
    }
    for (const theme of ['sea', 'forest', 'night', 'contrast']) {
      await page.selectOption('#board-theme', theme);
      await accessible(page, theme);
    }
    await page.selectOption('#board-theme', 'wood');
    await type(page, 'Be2');
  },

  async 'with reduced motion nothing moves'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'here' });
    const takes = () => square(page, 'e4').evaluate((one) => getComputedStyle(one).transitionDuration);
    assert.notEqual(await takes(), '0s');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.equal(await takes(), '0s');
  },
};

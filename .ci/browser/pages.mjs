// A game that was exported, opened from the disk without a network.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { accessible, middle, program, runsNoForeignScript, says, square, wide } from './harness.mjs';

const HOSTILE = '</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>';
const GAME = `[White "Ada ${HOSTILE}"]
[Black "Bob"]
[Event "${HOSTILE}"]
[Result "1-0"]

{A short one. ${HOSTILE}} 1. e4 {[%eval 0.3] [%cal Ge2e4,Rd1h5] [%csl Ye4]} (1. d4 {[%eval 0.2] quiet} d5 (1... Nf6 2. c4) 2. c4)
1... e5 {[%eval 0.3]} 2. Qh5?! {[%eval -0.5]} Nc6 {[%eval -0.4]} 3. Bc4 {[%eval -0.4]} Nf6?? {[%eval #1] g6 was better.}
4. Qxf7# 1-0
`;

/** Exports a game and opens it where nothing can be reached. */
export async function exported(world, options = {}, game = GAME) {
  const [pgn, html] = [join(world.folder, 'game.pgn'), join(world.folder, 'game.html')];
  writeFileSync(pgn, game);
  const done = spawnSync(program, ['export', pgn, '--html', html], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  assert.ok(statSync(html).size <= 150000);
  const context = await world.newContext({ offline: true, ...options });
  const page = await world.newPage(context);
  const asked = [];
  page.on('request', (request) => { if (!/^(file|data):/.test(request.url())) asked.push(request.url()); });
  await page.goto(pathToFileURL(html).href);
  await page.waitForSelector('#board [data-square=e4]');
  return { context, page, asked };
}

export const pages = {
  async 'an exported game is walked with keys and mouse, and nothing in it acts'(world) {
    const { context, page, asked } = await exported(world);
    assert.match(await page.title(), /^Ada <\/script>/);
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('#board [data-square=e4] .wp');
    assert.equal(await page.locator('#marks .green polygon').count(), 1);
    assert.equal(await page.locator('#marks .red line').count(), 1);
    assert.equal(await page.locator('#marks .yellow circle').count(), 1);
    assert.match(await page.locator('#bar').getAttribute('aria-label'), /\+0\.30/);
    await page.keyboard.press('End');
    await page.waitForSelector('#board [data-square=f7] .wq');
    await page.click('#moves .note button:text-is("c4") >> nth=0');
    await page.waitForSelector('#board [data-square=c4] .wp');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('#board [data-square=c4] .wp', { state: 'detached' });
    await page.keyboard.press('f');
    const [[, white], [, black]] = [await middle(page, 'e1'), await middle(page, 'e8')];
    assert.ok(white < black, 'Black is at the bottom');
    const box = await page.locator('#curve').boundingBox();
    await page.mouse.click(box.x + box.width - 2, box.y + 10);
    await page.waitForSelector('#board [data-square=f7] .wq');
    assert.equal(await page.locator('#curve .blunder').count(), 1);
    assert.equal(await page.locator('#moves button.blunder').textContent(), 'Nf6??');
    await says(page, 'moves', 'A short one. </script>');
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(asked, []);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await accessible(page, `export, ${colorScheme}`);
      await world.shot(page, `export-${colorScheme}`);
    }
    await context.close();
  },

  async 'an exported game runs no script that somebody puts into it'(world) {
    const { context, page } = await exported(world);
    await runsNoForeignScript(world, page);
    world.forgive();
    await context.close();
  },

  async 'an exported game is walked by touch on a phone'(world) {
    const { context, page } = await exported(world, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    assert.ok(await wide(page) <= 360, `${await wide(page)} pixels wide`);
    const [x, y] = await middle(page, 'g4');
    await page.touchscreen.tap(x, y);
    await page.waitForSelector('#board [data-square=e4] .wp');
    await page.touchscreen.tap(...await middle(page, 'b4'));
    await page.waitForSelector('#board [data-square=e2] .wp');
    await page.locator('#forth').tap();
    await page.waitForSelector('#board [data-square=e4] .wp');
    await page.locator('#moves button:text-is("Qh5?!")').tap();
    await square(page, 'h5').locator('.wq').waitFor();
    await world.shot(page, 'export-phone');
    await context.close();
  },
};

// What an engine says beside a game, and its review.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { accessible, click, says, settled, square, type } from './harness.mjs';

const BLUNDERED = '[White "A"]\n[Black "B"]\n\n1. e4 {the usual move [%cal Ge2e4]} (1. d4 d5) 1... e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0';

export const study = {
  async 'hints in stages, lines and the bar against a bot'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'bot:1' });
    await page.click('#hint');
    await page.waitForSelector('#marks .blue circle', { state: 'attached' });
    assert.notEqual(await page.locator('#advice').textContent(), '');
    await page.click('#hint');
    await page.waitForSelector('#marks .blue polygon', { state: 'attached' });
    await page.click('#lines');
    await page.waitForFunction(() => document.querySelectorAll('#best li').length === 3);
    await page.waitForSelector('#bar:not([hidden])');
    assert.match(await page.locator('#bar').getAttribute('aria-label'), /Evaluation [+-]\d/);
    await accessible(page, 'with lines');
    await click(page, 'e2', 'e4');
    await settled(page, 2);
    await page.waitForFunction(() => document.querySelector('#best li')?.textContent.includes('2. '));
    await page.waitForSelector('#curve:not([hidden])');
    await page.click('#lines');
    await page.waitForSelector('#best', { state: 'hidden' });
  },

  async 'a game is judged: marks, accuracy, curve, variations, and a mistake is tried again'(world) {
    const page = await world.newPage();
    await page.setViewportSize({ width: 1600, height: 1000 });
    await world.begin(page, { opponent: 'nobody', text: BLUNDERED });
    await says(page, 'review', 'Back to the game');
    assert.ok(await page.locator('#moves .note').count() >= 2, 'a comment and a variation');
    await page.click('#judge');
    await says(page, 'advice', 'Accuracy');
    await page.waitForSelector('#curve:not([hidden])');
    await page.waitForSelector('#moves button.blunder');
    assert.ok(await page.locator('#curve .blunder').count() >= 1);
    // Along the curve by keys.
    await page.focus('#curve');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await says(page, 'live', 'After e4');
    await page.waitForSelector('#marks .green polygon', { state: 'attached' });
    await accessible(page, 'a judged game');
    await world.shot(page, 'judged');
    await page.click('#retry');
    await says(page, 'advice', 'Find a better move');
    await page.fill('#move', 'Nf6');
    await page.press('#move', 'Enter');
    await says(page, 'refusal', 'That is what was played');
    await type(page, 'a6');
    await says(page, 'advice', 'a6 is not good enough');
    await click(page, 'g7', 'g6');
    await says(page, 'advice', 'the best move');
    // The better move is a variation now.
    await page.waitForFunction(() => [...document.querySelectorAll('#moves .note button')].some((one) => one.textContent === 'g6'));
    await page.click('#share summary');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#pgn')]);
    assert.match(readFileSync(await download.path(), 'utf8'), /Nf6(\?\?|\s+\$4)/);
  },

  async 'a move in a review is a variation, and the game stays as it was'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'nobody', text: BLUNDERED });
    await says(page, 'review', 'Back to the game');
    await page.click('#first');
    await page.click('#forth');
    await page.waitForFunction(() => document.querySelector('[data-square=e4] .wp'));
    await page.click('#lines');
    await page.waitForSelector('#best li');
    await click(page, 'c7', 'c5');
    await page.waitForFunction(() => [...document.querySelectorAll('#moves .note button')].some((one) => one.textContent === 'c5'));
    await page.click('#review');
    await page.waitForFunction(() => !document.querySelector('#moves .note'));
    await settled(page, 7);
    assert.equal(await square(page, 'f7').locator('.wq').count(), 1);
  },
};

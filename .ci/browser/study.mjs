// What an engine says beside a game, and its review.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { accessible, click, says, settled, square, type } from './harness.mjs';
import { pair } from './people.mjs';

const BLUNDERED = '[White "A"]\n[Black "B"]\n\n1. e4 {the usual move [%cal Ge2e4]} (1. d4 d5) 1... e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0';

/** Plays a move in a review, as soon as the server has said what is legal there. */
async function tries(page, from, to) {
  await square(page, from).click();
  await page.waitForSelector(`[data-square=${to}].target`);
  await square(page, to).click();
}

export const study = {
  async 'after a game each player looks at another position, each tab too, and the judgment is found by both'(world) {
    const { page, guest, away, links } = await pair(world);
    const third = await world.newContext();
    const watcher = await world.newPage(third);
    await watcher.goto(links.watch);
    await says(watcher, 'status', 'You are watching');
    for (const [at, [from, to]] of [['e2', 'e4'], ['e7', 'e5'], ['d1', 'h5'], ['b8', 'c6'], ['f1', 'c4'], ['g8', 'f6'], ['h5', 'f7']].entries()) {
      const [one, other] = at % 2 === 0 ? [page, guest] : [guest, page];
      await click(one, from, to);
      await settled(other, at + 1);
    }
    await says(guest, 'status', 'Checkmate');
    const current = (one) => one.locator('#moves [aria-current]').textContent();
    const reviews = async (one) => { await one.click('#review'); await says(one, 'review', 'Back to the game'); };
    await page.click('#judge');
    await says(page, 'advice', 'Accuracy');
    await page.click('#first');
    await page.click('#forth');
    await page.waitForSelector('[data-square=e4] .wp');
    await tries(page, 'c7', 'c5');
    await page.waitForSelector('#moves .note button:text-is("c5")');
    // The opponent begins at the end, and finds the judgment and the variation.
    await reviews(guest);
    await guest.waitForSelector('#moves .note button:text-is("c5")');
    await says(guest, 'advice', 'Accuracy');
    assert.equal(await current(guest), 'Qxf7#');
    await guest.click('#retry');
    await says(guest, 'advice', 'Find a better move');
    assert.equal(await current(guest), 'Bc4');
    assert.equal(await current(page), 'c5');
    assert.doesNotMatch(await page.locator('#advice').textContent(), /Find a better move/);
    // Another tab of the same player looks elsewhere, and both may move where they are.
    const tab = await world.newPage(away);
    await tab.goto(guest.url());
    await tab.waitForSelector('#study:not([hidden])');
    await reviews(tab);
    await tab.click('#first');
    await tab.click('#forth');
    await tab.waitForSelector('[data-square=e4] .wp');
    await tries(tab, 'g8', 'f6');
    await tab.waitForFunction(() => document.querySelector('#moves [aria-current]').textContent === 'Nf6');
    assert.equal(await current(guest), 'Bc4');
    await guest.click('#back');
    await guest.waitForSelector('[data-square=c6] .bn');
    await tries(guest, 'g1', 'f3');
    await guest.waitForFunction(() => document.querySelector('#moves [aria-current]').textContent === 'Nf3');
    assert.equal(await current(tab), 'Nf6');
    assert.equal(await page.locator('#moves .note button:text-is("Nf3")').count(), 0);
    // Whoever watches looks back too.
    await watcher.keyboard.press('ArrowLeft');
    assert.equal(await current(watcher), 'Nf6');
    assert.ok(await watcher.locator('#study').isHidden());
    await third.close();
    await away.close();
  },

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
    // So is the better line, which the arrow keys walk.
    await page.click('#moves button.blunder');
    await page.click('#better');
    await says(page, 'advice', 'Better was 3...g6');
    await page.keyboard.press('ArrowLeft');
    await says(page, 'live', 'After Bc4');
    await page.click('#moves button.blunder');
    await page.click('#refutation');
    await says(page, 'advice', 'The answer is 4.Qxf7#');
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

// What passes between two players: offers and their answers, premoves, and what is asked before a move.
import assert from 'node:assert/strict';
import { click, confirm, drag, says, settled, square, tap } from './harness.mjs';
import { pair } from './people.mjs';

/** The text of an element, if it can be seen. */
const seen = async (page, id) => ((await page.locator(`#${id}`).isVisible()) ? page.locator(`#${id}`).textContent() : '');

export const between = {
  async 'an offer and its answer are seen by both players, until they go on'(world) {
    const { page, guest, away } = await pair(world);
    await click(page, 'e2', 'e4');
    await settled(guest, 1);
    await page.click('#offer');
    await confirm(page);
    await says(page, 'news', 'White offers a draw.');
    await says(guest, 'question-text', 'White offers a draw.');
    assert.equal(await seen(guest, 'news'), '', 'the question says it already');
    await guest.click('#decline');
    await says(page, 'news', 'Black declines the draw.');
    assert.equal(await seen(page, 'news'), 'Black declines the draw.');
    await page.click('#takeback');
    await confirm(page);
    await guest.click('#decline');
    await says(page, 'news', 'Black declines the takeback.');
    assert.equal(await seen(page, 'news'), 'Black declines the takeback.');
    // The other's move does not take the answer away before it is read. One's own does.
    await click(guest, 'e7', 'e5');
    await settled(page, 2);
    assert.equal(await seen(page, 'news'), 'Black declines the takeback.');
    await click(page, 'g1', 'f3');
    for (const one of [page, guest]) await settled(one, 3);
    assert.equal(await seen(page, 'news'), '');
    // Whoever moves instead of answering has declined.
    await page.click('#offer');
    await confirm(page);
    await says(guest, 'question-text', 'White offers a draw.');
    await click(guest, 'b8', 'c6');
    await says(page, 'news', 'Black moved instead of taking the draw.');
    await page.click('#takeback');
    await confirm(page);
    await guest.click('#accept');
    await says(page, 'news', 'Black lets the move be taken back.');
    await away.close();
  },

  async 'whoever reviews the game sees that the other wants a rematch; the links give way to the moves'(world) {
    const { page, guest, away } = await pair(world);
    assert.ok(await page.locator('#links').isHidden());
    await click(page, 'e2', 'e4');
    await settled(guest, 1);
    await guest.click('#resign');
    await confirm(guest);
    await says(page, 'status', '1-0');
    await page.click('#review');
    await says(page, 'review', 'Back to the game');
    await guest.click('#rematch');
    await says(page, 'news', 'Black wants a rematch.');
    assert.equal(await seen(page, 'rematch'), 'Accept the rematch');
    await away.close();
  },

  async 'no premove is left when the game ends or a move is taken back'(world) {
    const { page, guest, away } = await pair(world);
    await drag(guest, 'e7', 'e5');
    await guest.waitForSelector('.premove');
    await page.click('#resign');
    await confirm(page);
    await says(guest, 'status', '0-1');
    assert.equal(await guest.locator('.premove').count(), 0);
    await away.close();
    const other = await pair(world);
    await click(other.page, 'e2', 'e4');
    await settled(other.guest, 1);
    await drag(other.page, 'd2', 'd4');
    await other.page.waitForSelector('.premove');
    await other.page.click('#takeback');
    await confirm(other.page);
    await other.guest.click('#accept');
    await other.page.waitForSelector('#moves li.undone');
    assert.equal(await other.page.locator('.premove').count(), 0);
    assert.equal(await square(other.page, 'd2').locator('.wp').count(), 1);
    await other.away.close();
  },

  async 'castling is a premove too: the king onto its rook, by a click, by dragging, or by the usual squares'(world) {
    const ways = [
      { act: (guest) => click(guest, 'e8', 'h8') },
      { act: (guest) => drag(guest, 'e8', 'h8') },
      { act: (guest) => click(guest, 'e8', 'g8'), standard: true },
    ];
    for (const { act, standard } of ways) {
      // Number 518 has the pieces where they usually are.
      const { page, guest, away } = await pair(world, standard ? {} : { chess960: 518 });
      const moves = [['e2', 'e4'], ['e7', 'e5'], ['g1', 'f3'], ['g8', 'f6'], ['f1', 'c4'], ['f8', 'c5']];
      for (const [at, [from, to]] of moves.entries()) {
        await settled(at % 2 ? guest : page, at);
        await click(at % 2 ? guest : page, from, to);
      }
      await settled(guest, 6);
      await act(guest);
      await guest.waitForSelector('[data-square=e8].premove');
      await click(page, 'd2', 'd3');
      await settled(guest, 8);
      assert.equal(await square(guest, 'g8').locator('.bk').count(), 1);
      assert.equal(await square(guest, 'f8').locator('.br').count(), 1);
      await away.close();
    }
    // In a standard game the king goes onto its rook too; with the right lost, the rook is picked up instead.
    for (const [rights, castles] of [['Kk', true], ['K', false]]) {
      const text = `4k2r/8/8/8/8/8/8/4K2R w ${rights} - 0 1`;
      const { page, guest, away } = await pair(world, { text });
      await click(guest, 'e8', 'h8');
      assert.equal(await guest.locator('.premove').count(), castles ? 2 : 0);
      assert.equal(await square(guest, 'h8').evaluate((element) => element.classList.contains('picked')), !castles);
      await click(page, 'e1', 'd1');
      await settled(guest, castles ? 2 : 1);
      await away.close();
    }
  },

  async 'an offer or a request that stands is seen by both players also after they load the page again'(world) {
    const { page, guest, away } = await pair(world);
    await click(page, 'e2', 'e4');
    await settled(guest, 1);
    for (const [act, said] of [['offer', 'White offers a draw.'], ['takeback', 'White asks to take a move back.']]) {
      await page.click(`#${act}`);
      await confirm(page);
      await says(guest, 'question-text', said);
      await page.reload();
      await guest.reload();
      await says(page, 'news', said);
      assert.equal(await seen(page, 'news'), said);
      await says(guest, 'question-text', said);
      assert.equal(await seen(guest, 'news'), '');
      await guest.click('#decline');
      await says(page, 'news', 'Black declines');
    }
    await away.close();
  },

  async 'a promotion is not chosen by a click beside the question, by Escape, or after the end'(world) {
    const { page, guest, away } = await pair(world, { text: '7k/4P3/8/8/8/8/7r/K7 w - - 0 1' });
    const promote = () => drag(page, 'e7', 'e8');
    await promote();
    await page.waitForSelector('#promotion[open]');
    // Between two pieces is beside nothing.
    const inside = await page.locator('#promotion button').first().boundingBox();
    await page.mouse.click(inside.x - 3, inside.y + 5);
    assert.ok(await page.locator('#promotion').evaluate((dialog) => dialog.open));
    await page.mouse.click(5, 5);
    await page.waitForSelector('#promotion', { state: 'hidden' });
    await promote();
    await page.waitForSelector('#promotion[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#promotion', { state: 'hidden' });
    assert.equal(await square(page, 'e7').locator('.wp').count(), 1);
    await page.click('#offer');
    await page.mouse.click(5, 5);
    await page.waitForSelector('#confirm', { state: 'hidden' });
    await promote();
    await page.waitForSelector('#promotion[open]');
    await guest.click('#resign');
    await confirm(guest);
    await says(page, 'status', '1-0');
    await page.waitForSelector('#promotion', { state: 'hidden' });
    await away.close();
  },

  async 'the question for a promotion stays open under the finger that opened it'(world) {
    const host = await world.newPage();
    await world.begin(host, { opponent: 'bot:1', text: '7k/4P3/8/8/8/8/7r/K7 w - - 0 1' });
    const links = await world.links(host);
    const phone = await world.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const page = await world.newPage(phone);
    await page.goto(links.white);
    await page.waitForSelector('#board [data-square=e7] .wp');
    for (const leave of [() => page.touchscreen.tap(5, 5), () => page.locator('#promotion button[aria-label=queen]').tap()]) {
      await tap(page, 'e7', 'e8');
      await page.waitForSelector('#promotion[open]');
      await leave();
      await page.waitForSelector('#promotion', { state: 'hidden' });
    }
    await settled(page, 2);
    await phone.close();
  },
};

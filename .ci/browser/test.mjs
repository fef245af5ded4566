// The page in a real browser, as people use it: dragging, clicking, touching, typing, with the keyboard alone.
// Usage: TABIYA=path TABIYA_BROWSER=folder-with-node_modules node test.mjs [folder for screenshots]
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { axe, browse, serve, temporary, watch } from './harness.mjs';

const shots = process.argv[2];
const { folder, remove } = temporary();
const faults = [];
let server = await serve(join(folder, 'data'));
const context = await browse(join(folder, 'profile'));
context.setDefaultTimeout(20000);

async function newPage(from = context) {
  const page = await from.newPage();
  watch(page, faults);
  return page;
}

/** Begins a game by the form. */
async function begin(page, { opponent, side = 'white', clock = 'unlimited', text }) {
  await page.goto(`${server.base}/`);
  await page.selectOption('#opponent', opponent);
  await page.selectOption('#side', side);
  await page.selectOption('#clock', clock);
  if (text) {
    await page.selectOption('#start', 'text');
    await page.fill('#start-text', text);
  }
  await page.click('#new button[type=submit]');
  await page.waitForURL(/\/game\//);
  await page.waitForSelector('#board [data-square=e4]');
  return page.url();
}

const square = (page, name) => page.locator(`[data-square=${name}]`);
const status = (page) => page.locator('#status');
const plies = (page) => page.locator('#moves button').count();

async function settled(page, count) {
  await page.waitForFunction((wanted) => document.querySelectorAll('#moves button').length === wanted, count);
}

async function click(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
}

async function drag(page, from, to) {
  const middle = async (name) => {
    const box = await square(page, name).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...await middle(from));
  await page.mouse.down();
  await page.mouse.move(...await middle(to), { steps: 6 });
  await page.mouse.up();
}

async function type(page, text) {
  await page.fill('#move', text);
  await page.press('#move', 'Enter');
}

async function shot(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
}

const tests = {
  async 'the printed address is entered once, and its secret leaves the address bar'() {
    const page = await newPage();
    await page.goto(server.entry);
    await page.waitForSelector('#lobby:not([hidden])');
    assert.equal(page.url(), `${server.base}/`);
    const cookies = await context.cookies(`${server.base}/api`);
    assert.ok(cookies.length === 1 && cookies[0].httpOnly && cookies[0].sameSite === 'Strict', JSON.stringify(cookies));
    assert.equal(await page.evaluate(() => document.cookie), '');
    await page.close();
    const clean = await newPage();
    await clean.goto('about:blank');
    await clean.goto(server.entry);
    await clean.waitForSelector('#message:not([hidden])');
    await clean.close();
    // A refused request is written to the console, and that one was meant.
    faults.length = 0;
  },

  async 'a whole game against a bot by dragging'() {
    const page = await newPage();
    await begin(page, { opponent: 'bot:1', text: '7k/8/8/8/8/8/R7/1R5K w - - 0 1' });
    await drag(page, 'a2', 'a7');
    await settled(page, 2);
    await drag(page, 'b1', 'b8');
    await page.waitForFunction(() => document.querySelector('#status').textContent.includes('Checkmate'));
    assert.match(await page.locator('#live').textContent(), /Checkmate! White wins\./);
    await page.close();
  },

  async 'an illegal drag and an illegal click do nothing'() {
    const page = await newPage();
    await begin(page, { opponent: 'here' });
    await drag(page, 'e2', 'e5');
    await click(page, 'g1', 'g3');
    await drag(page, 'e7', 'e5');
    assert.equal(await plies(page), 0);
    await page.keyboard.press('Escape');
    await type(page, 'Ke2');
    await page.waitForFunction(() => document.querySelector('#refusal').textContent !== '');
    assert.equal(await plies(page), 0);
    await page.close();
  },

  async 'castling, en passant, promotion, last move, check, capture'() {
    const page = await newPage();
    await begin(page, { opponent: 'here', text: 'r3k3/2P2p2/8/4P3/8/8/8/4K2R w Kq - 0 1' });
    await click(page, 'e1', 'g1');
    await settled(page, 1);
    assert.equal(await square(page, 'f1').locator('.wr').count(), 1);
    await click(page, 'f7', 'f5');
    await settled(page, 2);
    await drag(page, 'e5', 'f6');
    await settled(page, 3);
    assert.equal(await square(page, 'f5').locator('.piece').count(), 0);
    await click(page, 'e8', 'd7');
    await settled(page, 4);
    await click(page, 'c7', 'c8');
    await page.click('#promotion button[aria-label=knight]');
    await settled(page, 5);
    assert.equal(await square(page, 'c8').locator('.wn').count(), 1);
    assert.equal(await square(page, 'c8').evaluate((one) => one.classList.contains('last')), true);
    await click(page, 'd7', 'c8');
    await settled(page, 6);
    await type(page, 'Rc1+');
    await settled(page, 7);
    assert.equal(await square(page, 'c8').evaluate((one) => one.classList.contains('check')), true);
    assert.match(await page.locator('#top .lost').getAttribute('aria-label'), /knight/);
    await page.close();
  },

  async 'arrows by the right button, flip, coordinates, walking through the moves'() {
    const page = await newPage();
    await begin(page, { opponent: 'here' });
    const box = async (name) => square(page, name).boundingBox();
    const [a, b] = [await box('g1'), await box('f3')];
    await page.mouse.move(a.x + 10, a.y + 10);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(b.x + 10, b.y + 10);
    await page.mouse.up({ button: 'right' });
    await page.waitForSelector('#marks polygon', { state: 'attached' });
    await square(page, 'e4').click({ button: 'right' });
    await page.waitForSelector('#marks circle', { state: 'attached' });
    await click(page, 'e2', 'e4');
    await settled(page, 1);
    assert.equal(await page.locator('#marks circle').count(), 0);
    await page.click('#flip');
    const [white, black] = [await box('e1'), await box('e8')];
    assert.ok(white.y < black.y, 'White is at the top');
    await type(page, 'c5');
    await settled(page, 2);
    assert.equal(await page.locator('#opening').textContent(), 'B20 Sicilian Defense');
    await page.click('#back');
    assert.equal(await square(page, 'c7').locator('.bp').count(), 1);
    await page.click('#last');
    await page.click('#undo');
    await page.waitForSelector('#moves li.undone');
    await page.click('#redo');
    await page.waitForSelector('#moves li.undone', { state: 'detached' });
    await page.close();
  },

  async 'with the keyboard alone'() {
    const page = await newPage();
    await page.goto(`${server.base}/`);
    await page.waitForSelector('#lobby:not([hidden])');
    await page.focus('#opponent');
    await page.keyboard.type('a person, at');
    for (let at = 0; at < 20 && !await page.evaluate(() => document.activeElement?.type === 'submit'); at += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#board [data-square=e2]');
    for (let at = 0; at < 20 && !await page.evaluate(() => document.activeElement?.dataset.square); at += 1) await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'e2, white pawn');
    for (const key of ['Enter', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await settled(page, 1);
    assert.match(await page.locator('#live').textContent(), /White plays e4\./);
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', ' ', 'ArrowDown', ' ']) await page.keyboard.press(key);
    await settled(page, 2);
    for (let at = 0; at < 30 && !await page.evaluate(() => document.activeElement?.id === 'resign'); at += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#status').textContent.includes('resigns'));
    await page.close();
  },

  async 'by touch at the size of a phone'() {
    const phone = await context.browser()?.newContext({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    const page = await newPage(phone ?? context);
    if (!phone) await page.setViewportSize({ width: 360, height: 640 });
    const host = await newPage();
    await begin(host, { opponent: 'bot:1', text: '7k/8/8/8/8/8/R7/1R5K w - - 0 1' });
    const known = await host.evaluate(() => Object.values(sessionStorage)[0]);
    await host.close();
    await page.goto(JSON.parse(known).white);
    await page.waitForSelector('#board [data-square=a2]');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${wide} pixels wide`);
    const tap = (name) => (phone ? square(page, name).tap() : square(page, name).click());
    await tap('a2');
    await tap('a7');
    await settled(page, 2);
    await shot(page, 'phone');
    await tap('b1');
    await tap('b8');
    await page.waitForFunction(() => document.querySelector('#status').textContent.includes('Checkmate'));
    await page.close();
    await phone?.close();
  },

  async 'two browsers, a watcher, premove, offers, takeback, reconnecting'() {
    const page = await newPage();
    await begin(page, { opponent: 'person', clock: '5+3' });
    assert.match(await status(page).textContent(), /Waiting/);
    const known = JSON.parse(await page.evaluate(() => Object.values(sessionStorage).at(-1)));
    const second = temporary();
    const away = await browse(second.folder);
    const guest = await newPage(away);
    await guest.goto(known.black);
    await page.waitForFunction(() => document.querySelector('#status').textContent.startsWith('White to move'));
    assert.ok(!guest.url().includes('#'));
    // Black moves in advance.
    await click(guest, 'e7', 'e5');
    await guest.waitForSelector('.premove');
    await click(page, 'e2', 'e4');
    await settled(page, 2);
    await settled(guest, 2);
    assert.match(await page.locator('#bottom .clock').textContent(), /^[45]:\d\d$/);
    const watcher = await newPage(away);
    await watcher.goto(known.watch);
    // The cookie of Black is of the same browser; whoever opens another link is who it says.
    await watcher.waitForFunction(() => document.querySelector('#status').textContent.includes('You are watching'));
    await watcher.close();
    await guest.goto(known.black);
    await settled(guest, 2);
    // The connection is cut while White plays on.
    await away.setOffline(true);
    await guest.evaluate(() => dispatchEvent(new Event('offline')));
    await click(page, 'g1', 'f3');
    await settled(page, 3);
    await away.setOffline(false);
    await guest.evaluate(() => dispatchEvent(new Event('online')));
    await settled(guest, 3);
    await page.click('#takeback');
    await guest.click('#decline');
    await guest.click('#offer');
    await guest.click('#confirm button[value=yes]');
    await page.click('#accept');
    await guest.waitForFunction(() => document.querySelector('#status').textContent.includes('1/2-1/2'));
    await guest.close();
    await away.close();
    second.remove();
    await page.close();
    faults.length = 0;
  },

  async 'a flag falls, a draw is claimed, a PGN is pasted and saved'() {
    const page = await newPage();
    await page.goto(`${server.base}/`);
    await page.selectOption('#opponent', 'here');
    await page.selectOption('#clock', 'other');
    await page.fill('#other-clock', '1s');
    await page.click('#new button[type=submit]');
    await page.waitForFunction(() => document.querySelector('#status')?.textContent.includes('ran out of time'));
    await begin(page, { opponent: 'here', text: '[White "A"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *' });
    await page.click('#claim');
    await page.waitForFunction(() => document.querySelector('#status').textContent.includes('1/2-1/2'));
    await page.click('#share summary');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#pgn')]);
    assert.match(readFileSync(await download.path(), 'utf8'), /1\. Nf3 Nf6 2\. Ng1 Ng8/);
    await page.close();
  },

  async 'killed and started again, the game goes on'() {
    const page = await newPage();
    await begin(page, { opponent: 'here' });
    await click(page, 'd2', 'd4');
    await settled(page, 1);
    const port = Number(new URL(server.base).port);
    server.child.kill('SIGKILL');
    await server.ended;
    server = await serve(join(folder, 'data'), port);
    await page.waitForFunction(() => document.querySelector('#connection').textContent === '');
    await click(page, 'd7', 'd5');
    await settled(page, 2);
    await page.close();
    faults.length = 0;
  },

  async 'axe finds nothing serious, light, dark and narrow'() {
    const page = await newPage();
    const look = async (name) => {
      await page.addScriptTag({ path: axe }).catch(async () => page.evaluate(readFileSync(axe, 'utf8')));
      const found = await page.evaluate(() => axe.run());
      const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      const told = serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
      assert.deepEqual(told, [], name);
    };
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${server.base}/`);
    await page.waitForSelector('#lobby:not([hidden])');
    await look('lobby');
    await shot(page, 'lobby');
    await begin(page, { opponent: 'here', clock: '10+5', text: undefined });
    for (const text of ['e4', 'c5', 'Nf3', 'd6', 'd4', 'cxd4', 'Nxd4', 'Nf6', 'Nc3', 'a6']) {
      await type(page, text);
      await page.waitForFunction(() => document.querySelector('#move').value === '');
    }
    await square(page, 'd4').click();
    await page.setViewportSize({ width: 1920, height: 1080 });
    await look('light');
    await shot(page, 'light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
    await look('dark');
    await page.setViewportSize({ width: 1280, height: 800 });
    await shot(page, 'dark');
    await page.setViewportSize({ width: 360, height: 640 });
    await look('narrow');
    await shot(page, 'narrow');
    await page.close();
    faults.length = 0;
  },
};

let failed = 0;
const only = process.env.ONLY;
for (const [name, test] of Object.entries(tests)) {
  if (only && !name.includes(only) && !name.startsWith('the printed')) continue;
  const start = Date.now();
  try {
    await test();
    assert.deepEqual(faults, [], 'the console says nothing');
    console.log(`ok      ${name} (${Date.now() - start} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
    faults.length = 0;
    for (const page of context.pages().slice(1)) await page.close();
  }
}
await context.close();
server.child.kill('SIGTERM');
const { code } = await server.ended;
if (code !== 0) { failed += 1; console.log(`FAILED  SIGTERM ends the server with ${code}`); }
remove();
process.exit(failed ? 1 : 0);

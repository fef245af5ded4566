// Games that one person plays.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { accessible, click, confirm, drag, middle, plies, runsNoForeignScript, says, settled, square, tap, type, wide } from './harness.mjs';

/** A bot of the first level cannot save this: the rooks mate in two moves. */
const WON = '7k/8/8/8/8/8/R7/1R5K w - - 0 1';

export const games = {
  async 'the printed address is entered once, and its secret leaves the address bar'(world) {
    const page = await world.newPage();
    await page.goto(world.server.entry);
    await page.waitForSelector('#lobby:not([hidden])');
    assert.equal(page.url(), `${world.base}/`);
    assert.deepEqual(await world.context.cookies(), []);
    // The host is led to the lobby again, and others are not.
    const again = await world.newPage();
    await again.goto(world.server.entry);
    await again.waitForSelector('#lobby:not([hidden])');
    const elsewhere = await world.newContext();
    const stranger = await world.newPage(elsewhere);
    await stranger.goto(world.server.entry);
    await says(stranger, 'message-text', 'can be opened once');
    assert.ok(await stranger.locator('#lobby').isHidden());
    await elsewhere.close();
    world.forgive();
  },

  async 'the page runs no script that somebody puts into it, and no other site reads anything of the server'(world) {
    const page = await world.newPage();
    await page.goto(`${world.base}/`);
    await page.waitForSelector('#lobby:not([hidden])');
    await runsNoForeignScript(world, page);
    // Another port of this machine is another site.
    const site = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<title>elsewhere</title>'));
    await new Promise((done) => site.listen(0, '127.0.0.1', done));
    const elsewhere = await world.newPage();
    await elsewhere.goto(`http://localhost:${site.address().port}/`);
    const found = await elsewhere.evaluate(async (base) => {
      const tried = async (act) => { try { return await act(); } catch { return 'refused'; } };
      const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}', credentials: 'include' };
      return {
        read: await tried(async () => (await fetch(`${base}/api/about`, { credentials: 'include' })).text()),
        ask: await tried(async () => (await fetch(`${base}/api/games`, json)).text()),
        socket: await tried(() => new Promise((done, failed) => {
          const socket = new WebSocket(`${base.replace('http', 'ws')}/api/games/0123456789abcdef/socket`);
          socket.onopen = () => done('open');
          socket.onerror = failed;
        })),
      };
    }, world.base);
    assert.deepEqual(found, { read: 'refused', ask: 'refused', socket: 'refused' });
    site.close();
    world.forgive();
  },

  async 'a very long game, which the server sends in pieces'(world) {
    const page = await world.newPage();
    const text = `${'Nf3 Nf6 Ng1 Ng8 '.repeat(3000)}e4 e5 *`;
    await world.begin(page, { opponent: 'here', text });
    await settled(page, 12002);
    await click(page, 'd2', 'd4');
    await settled(page, 12003);
    await page.reload();
    await settled(page, 12003);
  },

  async 'a whole game against a bot by dragging'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'bot:1', text: WON });
    await drag(page, 'a2', 'a7');
    await settled(page, 2);
    await drag(page, 'b1', 'b8');
    await says(page, 'status', 'Checkmate');
    assert.match(await page.locator('#live').textContent(), /Checkmate! White wins\./);
  },

  async 'a whole game against a bot by touch at the size of a phone'(world) {
    const host = await world.newPage();
    await world.begin(host, { opponent: 'bot:1', text: WON });
    const links = await world.links(host);
    const phone = await world.newContext({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    const page = await world.newPage(phone);
    await page.goto(links.white);
    await page.waitForSelector('#board [data-square=a2]');
    assert.ok(await wide(page) <= 360, `${await wide(page)} pixels wide`);
    await tap(page, 'a2', 'a7');
    await settled(page, 2);
    await world.shot(page, 'phone');
    // A finger that draws a piece over the board.
    const client = await phone.newCDPSession(page);
    const [[x, y], [toX, toY]] = [await middle(page, 'b1'), await middle(page, 'b8')];
    const touch = (kind, at) => client.send('Input.dispatchTouchEvent', { type: kind, touchPoints: at ? [{ x: at[0], y: at[1] }] : [] });
    await touch('touchStart', [x, y]);
    for (let step = 1; step <= 5; step += 1) await touch('touchMove', [x + ((toX - x) * step) / 5, y + ((toY - y) * step) / 5]);
    await touch('touchEnd');
    await says(page, 'status', 'Checkmate');
    await phone.close();
  },

  async 'a whole game against a bot by the keyboard alone'(world) {
    const page = await world.newPage();
    await page.goto(`${world.base}/`);
    await page.waitForSelector('#lobby:not([hidden])');
    const tabTo = async (found) => {
      for (let at = 0; at < 60 && !await page.evaluate(found); at += 1) await page.keyboard.press('Tab');
      assert.ok(await page.evaluate(found), `${found} is reached by Tab`);
    };
    await tabTo(() => document.activeElement.id === 'opponent');
    await page.keyboard.type('level 1,');
    await tabTo(() => document.activeElement.id === 'start');
    await page.keyboard.type('a FEN');
    await tabTo(() => document.activeElement.id === 'start-text');
    await page.keyboard.type(WON);
    await tabTo(() => document.activeElement.type === 'submit');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#board [data-square=e2]');
    await says(page, 'status', 'White to move');
    await tabTo(() => document.activeElement.dataset.square === 'e2');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'e2, empty');
    const keys = async (...pressed) => { for (const key of pressed) await page.keyboard.press(key); };
    await keys('Home', 'Enter');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'a2, white rook, picked');
    await keys('ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter');
    await settled(page, 2);
    assert.match(await page.locator('#live').textContent(), /plays K/);
    await keys(...Array(6).fill('ArrowDown'), 'ArrowRight', ' ', ...Array(7).fill('ArrowUp'), ' ');
    await says(page, 'status', 'Checkmate');
    // Page Up and Page Down walk through the moves; a game that is over is resigned by nobody.
    await keys('PageUp');
    await says(page, 'live', 'After');
    assert.ok(await page.locator('#resign').isHidden());
  },

  async 'an illegal drag, click and text do nothing and say why'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'here' });
    await drag(page, 'e2', 'e5');
    await click(page, 'g1', 'g3');
    await drag(page, 'e7', 'e5');
    assert.equal(await plies(page), 0);
    await page.fill('#move', 'Ke2');
    await page.press('#move', 'Enter');
    await page.waitForFunction(() => document.querySelector('#refusal').textContent !== '');
    assert.equal(await page.locator('#live').textContent(), await page.locator('#refusal').textContent());
    assert.equal(await page.locator('[aria-live], [role=alert], [role=status]').count(), 1, 'one live region');
    assert.equal(await plies(page), 0);
  },

  async 'castling, en passant, promotion, last move, check, capture'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'here', text: 'r3k3/2P2p2/8/4P3/8/8/8/4K2R w Kq - 0 1' });
    const has = (name, state) => square(page, name).evaluate((one, wanted) => one.classList.contains(wanted), state);
    await square(page, 'e1').click();
    assert.ok(await has('g1', 'target') && !await has('h3', 'target'), 'the legal targets are shown');
    await square(page, 'g1').click();
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
    assert.ok(await has('c8', 'last'));
    await click(page, 'd7', 'c8');
    await settled(page, 6);
    await type(page, 'Rc1+');
    await settled(page, 7);
    assert.ok(await has('c8', 'check'));
    assert.match(await page.locator('#top .lost').getAttribute('aria-label'), /knight/);
  },

  async 'Chess960: the king takes its rook, by number'(world) {
    const page = await world.newPage();
    // Number 0 begins with BBQNNRKR.
    await world.begin(page, { opponent: 'here', chess960: 0 });
    assert.equal(await square(page, 'g1').locator('.wk').count(), 1);
    await world.begin(page, { opponent: 'here', text: '4k3/8/8/8/8/8/8/2K4R w H - 0 1' });
    await drag(page, 'c1', 'h1');
    await settled(page, 1);
    assert.equal(await page.locator('#moves [aria-current]').textContent(), 'O-O');
    assert.equal(await square(page, 'g1').locator('.wk').count(), 1);
  },

  async 'a king that is dragged or clicked onto its rook castles, in a game and in its review'(world) {
    const page = await world.newPage();
    const start = 'r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1';
    await world.begin(page, { opponent: 'here', text: start });
    await drag(page, 'e1', 'h1');
    await settled(page, 1);
    await click(page, 'e8', 'a8');
    await settled(page, 2);
    assert.equal(await square(page, 'g1').locator('.wk').count(), 1);
    assert.equal(await square(page, 'c8').locator('.bk').count(), 1);
    await page.click('#review');
    await says(page, 'review', 'Back to the game');
    await page.click('#first');
    await page.waitForSelector('[data-square=e1] .wk');
    await square(page, 'e1').click();
    await page.waitForSelector('[data-square=h1].target');
    await square(page, 'h1').click();
    await page.waitForSelector('[data-square=g1] .wk');
    // With the right lost there is no castling, and the rook is picked up instead.
    await world.begin(page, { opponent: 'here', text: start.replace('Kq', 'q') });
    await drag(page, 'e1', 'h1');
    await click(page, 'e1', 'h1');
    assert.ok(await square(page, 'h1').evaluate((one) => one.classList.contains('picked')));
    assert.equal(await square(page, 'e1').locator('.wk').count(), 1);
  },

  async 'arrows and circles, flip, coordinates, walking, undo and redo, opening'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'here' });
    await drag(page, 'g1', 'f3', { button: 'right' });
    await page.waitForSelector('#marks .green polygon', { state: 'attached' });
    await page.keyboard.down('Shift');
    await square(page, 'e4').click({ button: 'right' });
    await page.keyboard.up('Shift');
    await page.waitForSelector('#marks .red circle', { state: 'attached' });
    await click(page, 'e2', 'e4');
    await settled(page, 1);
    assert.equal(await page.locator('#marks circle').count(), 0);
    await page.click('#flip');
    const [[, white], [, black]] = [await middle(page, 'e1'), await middle(page, 'e8')];
    assert.ok(white < black, 'White is at the top');
    assert.equal(await square(page, 'h1').locator('.rank').getAttribute('data-text'), '1');
    await type(page, 'c5');
    await settled(page, 2);
    await says(page, 'opening', 'B20 Sicilian Defense');
    await page.click('#back');
    assert.equal(await square(page, 'c7').locator('.bp').count(), 1);
    await page.click('#last');
    await page.click('#undo');
    await page.waitForSelector('#moves li.undone');
    await page.click('#redo');
    await page.waitForSelector('#moves li.undone', { state: 'detached' });
    for (const theme of ['sea', 'contrast', 'wood']) {
      await page.selectOption('#board-theme', theme);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.board), theme);
    }
  },

  async 'undo against a bot takes back both moves'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'bot:1', side: 'black' });
    await settled(page, 1);
    await click(page, 'e7', 'e5');
    await settled(page, 3);
    await page.click('#undo');
    await page.waitForFunction(() => document.querySelectorAll('#moves li.undone').length === 2);
    await page.click('#redo');
    await page.waitForSelector('#moves li.undone', { state: 'detached' });
  },

  async 'a flag falls'(world) {
    const page = await world.newPage();
    await page.goto(`${world.base}/`);
    await page.waitForSelector('#lobby:not([hidden])');
    await page.selectOption('#opponent', 'here');
    await page.selectOption('#clock', 'other');
    await page.fill('#other-clock', '1s');
    await page.click('#new button[type=submit]');
    await says(page, 'status', 'ran out of time');
  },

  async 'a PGN is pasted, a draw is claimed after a question, PGN and FEN are saved and copied'(world) {
    const page = await world.newPage();
    await page.goto(`${world.base}/`);
    await page.waitForSelector('#lobby:not([hidden])');
    // A paste beside all fields becomes the start of the next game.
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, '[White "A"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *');
    await page.selectOption('#opponent', 'here');
    await page.click('#new button[type=submit]');
    await settled(page, 8);
    await page.click('#claim');
    await confirm(page, 'no');
    assert.doesNotMatch(await page.locator('#status').textContent(), /1\/2/);
    await page.click('#claim');
    await confirm(page);
    await says(page, 'status', '1/2-1/2');
    await page.click('#share summary');
    const save = async (id) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(id)]);
      return readFileSync(await download.path(), 'utf8');
    };
    assert.match(await save('#pgn'), /1\. Nf3 Nf6 2\. Ng1 Ng8/);
    assert.match(await save('#fen-file'), /^rnbqkbnr\/pppppppp/);
    assert.match(await save('#page'), /default-src 'none'/);
    await world.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('#copy-fen');
    await says(page, 'live', 'FEN copied');
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^rnbqkbnr/);
    await page.click('#copy-pgn');
    await says(page, 'live', 'PGN copied');
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\[White "A"\]/);
  },

  async 'a file is the start of a game, and one that is no game is refused'(world) {
    const page = await world.newPage();
    await page.goto(`${world.base}/`);
    await page.waitForSelector('#lobby:not([hidden])');
    await page.selectOption('#start', 'text');
    const file = (text) => page.setInputFiles('#start-file', { name: 'game.pgn', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await file('1. e4 e5 2. Ke3 *');
    await page.waitForFunction(() => document.querySelector('#start-text').value !== '');
    await page.selectOption('#opponent', 'here');
    await page.click('#new button[type=submit]');
    await page.waitForFunction(() => document.querySelector('#new-error').textContent.includes('Ke3'));
    await accessible(page, 'a refusal');
    await file('8/8/4k3/8/8/4K3/4P3/8 w - - 0 1');
    await page.waitForFunction(() => document.querySelector('#start-text').value.startsWith('8/8'));
    await page.click('#new button[type=submit]');
    await page.waitForSelector('#board .wp');
    world.forgive();
  },

  async 'killed and started again, the game goes on; another tab shows the same'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'here' });
    await click(page, 'd2', 'd4');
    await settled(page, 1);
    await world.kill();
    await page.waitForFunction(() => document.querySelector('#connection').textContent === '');
    const tab = await world.newPage();
    await tab.goto(page.url());
    await settled(tab, 1);
    await click(page, 'd7', 'd5');
    await settled(tab, 2);
    await click(tab, 'c2', 'c4');
    await settled(page, 3);
    world.forgive();
  },
};

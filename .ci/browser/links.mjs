// Half-open connections: a proxy freezes one direction or both, and tells neither end.
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { click, confirm, freePort, plies, says, serve, settled } from './harness.mjs';

/** The longest time in ms from the last message that came through until a lost connection is noticed: nine seconds, and some more. */
const NOTICED = 13000;

/**
 * Something between the browser and a server that can freeze the connections that are open now; those made later are frozen as
 * `later` says.
 */
async function wire(to) {
  const open = new Set();
  const later = { toServer: false, toClient: false };
  const passed = { toServer: 0, toClient: 0 };
  const proxy = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    const link = { ...later };
    open.add(link);
    for (const [from, other, way] of [[near, far, 'toServer'], [far, near, 'toClient']]) {
      from.on('data', (bytes) => {
        if (link[way]) return;
        passed[way] = Date.now();
        other.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => { if (!link[way]) other.destroy(); });
    }
  });
  await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
  return {
    port: proxy.address().port,
    later,
    /** Freezes what is open, and returns when something came through there last. */
    freeze(ways) {
      for (const link of open) Object.assign(link, ways);
      return ways.toClient ? passed.toClient : passed.toServer;
    },
    close() { proxy.close(); },
  };
}

/** A server behind a wire, and its host in a game for two; White's move is asked for beside the wire. */
async function scene(world, name) {
  const port = await freePort();
  const cable = await wire(port);
  const public_ = `http://127.0.0.1:${cable.port}`;
  const server = await serve(join(world.folder, name), port, '--public', public_);
  const context = await world.newContext();
  const page = await world.newPage(context);
  await page.goto(server.entry);
  await page.waitForSelector('#lobby:not([hidden])');
  await world.begin(page, { opponent: 'person', side: 'black', clock: '5+3' }, public_);
  const links = await world.links(page);
  const white = (path, body) => fetch(`http://127.0.0.1:${port}/api/games/${page.url().split('/game/')[1]}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${links.white.split('#')[1]}` },
    body: body && JSON.stringify(body),
  });
  assert.equal((await white('/moves', { move: 'e4' })).status, 200);
  await settled(page, 1);
  return {
    page, white, cable,
    async end() {
      server.child.kill('SIGTERM');
      await server.ended;
      cable.close();
      await context.close();
      world.forgive();
    },
  };
}

async function frozen(world, name, ways) {
  const { page, white, cable, end } = await scene(world, name);
  await page.waitForFunction(() => /^\d+ ms$/.test(document.querySelector('#lag').textContent));
  const last = cable.freeze(ways);
  await click(page, 'e7', 'e5');
  // The move is shown as pending until there is an answer.
  await page.waitForSelector('[data-square=e5].premove');
  await page.waitForFunction(() => document.querySelector('#connection').textContent === 'Reconnecting…');
  const silence = Date.now() - last;
  assert.ok(silence < NOTICED, `noticed after ${silence} ms`);
  await settled(page, 2);
  await page.waitForFunction(() => document.querySelector('#connection').textContent === '');
  await page.waitForSelector('.premove', { state: 'detached' });
  await says(page, 'status', 'White to move');
  // It was played once, and nobody was away for long.
  const state = await (await white('')).json();
  assert.deepEqual(state.moves.map(({ uci }) => uci), ['e2e4', 'e7e5']);
  assert.equal((await white('/requests', { command: 'abandon', winner: 'white' })).status, 409);
  assert.equal((await white('/moves', { move: 'Nf3' })).status, 200);
  await settled(page, 3);
  await end();
}

/**
 * The connection is frozen, and an event gives reason for doubt: shortly after the last ping it means nothing, but after
 * five seconds the page connects again, and after another event at once. Without them it would wait for nine seconds.
 */
async function doubted(world, name, raise) {
  const { page, cable, end } = await scene(world, name);
  await page.waitForFunction(() => /^\d+ ms$/.test(document.querySelector('#lag').textContent));
  await page.evaluate(() => {
    const { WebSocket } = globalThis;
    globalThis.sockets = 0;
    globalThis.WebSocket = class extends WebSocket {
      constructor(...given) { super(...given); globalThis.sockets += 1; }
    };
  });
  /** What the page says after the event, and how often it has tried to connect after one and after two. */
  const after = () => page.evaluate(`${raise};
    [document.querySelector('#connection').textContent, globalThis.sockets, (() => { ${raise}; return globalThis.sockets; })()]`);
  const last = cable.freeze({ toServer: true, toClient: true });
  assert.deepEqual(await after(), ['', 0, 0]);
  await new Promise((done) => { setTimeout(done, last + 6000 - Date.now()); });
  assert.deepEqual(await after(), ['Reconnecting…', 0, 1]);
  assert.ok(Date.now() - last < 9000, 'the machine was too slow to tell');
  await page.waitForFunction(() => document.querySelector('#connection').textContent === '');
  await end();
}

export const links = {
  async 'a connection that is frozen towards the server is noticed, and the move is sent again'(world) {
    await frozen(world, 'to-server', { toServer: true });
  },

  async 'a connection that is frozen towards the page is noticed, and the move is not played twice'(world) {
    await frozen(world, 'to-client', { toClient: true });
  },

  async 'a connection that is frozen in both directions is noticed'(world) {
    await frozen(world, 'to-both', { toServer: true, toClient: true });
  },

  async 'a page that hears that the computer is online again looks at once whether the server is there'(world) {
    await doubted(world, 'online', "dispatchEvent(new Event('online'))");
  },

  async 'a page that is seen again looks at once whether the server is there'(world) {
    await doubted(world, 'seen', "document.dispatchEvent(new Event('visibilitychange'))");
  },

  async 'on a path that is frozen for long, a move is said to wait, and is played when the path is free'(world) {
    const { page, white, cable, end } = await scene(world, 'long');
    const both = { toServer: true, toClient: true };
    cable.freeze(both);
    Object.assign(cable.later, both);
    await click(page, 'e7', 'e5');
    await page.waitForSelector('[data-square=e5].premove');
    await says(page, 'connection', 'Reconnecting…');
    assert.equal(await page.textContent('#status'), 'Your move e7e5 waits for the connection.');
    Object.assign(cable.later, { toServer: false, toClient: false });
    await settled(page, 2);
    await says(page, 'status', 'White to move');
    assert.equal((await white('/moves', { move: 'Nf3' })).status, 200);
    await end();
  },

  async 'an offer into a frozen connection is sent again'(world) {
    const { page, white, cable, end } = await scene(world, 'offer');
    cable.freeze({ toServer: true });
    await page.click('#offer');
    await confirm(page);
    await page.waitForFunction(() => document.querySelector('#connection').textContent === 'Reconnecting…');
    for (;;) {
      const { board } = await (await white('')).json();
      if (board.offer === 'black') break;
      await new Promise((done) => { setTimeout(done, 200); });
    }
    await end();
  },

  async 'a page that answers stays connected while nothing happens'(world) {
    const { page, white, end } = await scene(world, 'stays');
    const shown = [];
    await page.exposeFunction('noted', (text) => { shown.push(text); });
    await page.evaluate(() => {
      new MutationObserver(() => globalThis.noted(document.querySelector('#connection').textContent))
        .observe(document.querySelector('#connection'), { childList: true });
    });
    await new Promise((done) => { setTimeout(done, 20000); });
    assert.deepEqual(shown, []);
    assert.equal((await (await white('')).json()).presence.here.black, true);
    assert.equal(await plies(page), 1);
    await end();
  },
};

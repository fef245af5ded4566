// The secrets of a browser: who gets them, and which tab has which seat.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { click, confirm, says, serve, settled } from './harness.mjs';

/** A site on another port of the same machine, which keeps the heads of all requests that it gets. */
async function neighbor() {
  const heads = [];
  const site = createServer((request, response) => {
    heads.push(request.headers);
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>elsewhere</title>');
  });
  await new Promise((done) => site.listen(0, '127.0.0.1', done));
  return { heads, base: `http://127.0.0.1:${site.address().port}`, close: () => site.close() };
}

/** Everything that a page can try to get the secrets of a server on another port, or to act with them. */
async function attack({ base, game }) {
  const tried = async (act) => { try { return await act(); } catch { return 'refused'; } };
  const ask = (path, options) => tried(async () => {
    const response = await fetch(`${base}${path}`, { credentials: 'include', ...options });
    return `${response.type} ${response.status} ${await response.text()}`;
  });
  const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
  const form = { method: 'POST', body: new URLSearchParams({ opponent: 'here' }) };
  const socket = (offered) => tried(() => new Promise((done, failed) => {
    const tries = new WebSocket(`${base.replace('http', 'ws')}/api/games/${game}/socket`, offered);
    tries.onopen = () => done('open');
    tries.onerror = failed;
  }));
  const window_ = (make) => tried(() => new Promise((done) => {
    const found = make();
    // A window that refuses is as good as one that never loads.
    setTimeout(() => {
      try { done(JSON.stringify({ ...found.localStorage }) + found.document.cookie); } catch { done('refused'); }
    }, 1000);
  }));
  const frame = document.createElement('iframe');
  return {
    storage: JSON.stringify({ ...localStorage, ...sessionStorage }),
    cookie: document.cookie,
    about: await ask('/api/about'),
    games: await ask('/api/games'),
    begin: await ask('/api/games', json),
    form: await ask('/api/games', form),
    bare: await ask('/api/games', { method: 'POST', body: '{"opponent":"here"}' }),
    renew: await ask('/api/session', json),
    end: await ask('/api/session/end', json),
    state: await ask(`/api/games/${game}`),
    socket: await socket(undefined),
    version: await socket(['tabiya.2']),
    script: await tried(async () => (await import(`${base}/script/server.js`)).secrets.of('/api/games')),
    frame: await window_(() => { frame.src = base; document.body.append(frame); return frame.contentWindow; }),
    opened: await window_(() => window.open(base)),
  };
}

export const sessions = {
  async 'a page on another port gets no secret, and cannot act as the host'(world) {
    const server = await serve(join(world.folder, 'neighbor'));
    const context = await world.newContext();
    const page = await world.newPage(context);
    await page.goto(server.entry);
    await page.waitForSelector('#lobby:not([hidden])');
    await world.begin(page, { opponent: 'person' }, server.base);
    const game = page.url().split('/game/')[1];
    const secrets = await page.evaluate(() => Object.values({ ...localStorage }).filter((value) => /^([0-9a-f]{32}|[0-9a-f]{64})$/.test(value)));
    assert.equal(secrets.length, 2, 'a session and a seat');
    const listed = async () => (await (await fetch(`${server.base}/api/games`, { headers: { Authorization: `Bearer ${secrets.find((one) => one.length === 64)}` } })).json()).games.length;
    assert.equal(await listed(), 1);
    const site = await neighbor();
    const elsewhere = await world.newPage(context);
    await elsewhere.goto(site.base);
    const found = await elsewhere.evaluate(attack, { base: server.base, game });
    const { storage, cookie, ...rest } = found;
    assert.deepEqual([storage, cookie], ['{}', '']);
    for (const [what, got] of Object.entries(rest)) assert.equal(got, 'refused', `${what}: ${got}`);
    // The browser sent it nothing of the other port either, and nothing has happened there.
    assert.ok(site.heads.length > 0);
    for (const secret of secrets) assert.ok(!JSON.stringify(site.heads).includes(secret));
    assert.ok(site.heads.every((head) => head.cookie === undefined && head.authorization === undefined));
    assert.equal(await listed(), 1);
    site.close();
    server.child.kill('SIGTERM');
    await server.ended;
    await context.close();
    world.forgive();
  },

  async 'two tabs of one browser are two players, and each keeps its seat'(world) {
    const white = await world.newPage();
    await world.begin(white, { opponent: 'person', clock: '5+3' });
    const { black: link } = await world.links(white);
    const black = await world.newPage();
    await black.goto(link);
    await says(black, 'status', 'White to move');
    for (const round of [0, 2]) {
      await click(white, round ? 'd2' : 'e2', round ? 'd4' : 'e4');
      await settled(black, round + 1);
      await click(black, round ? 'd7' : 'e7', round ? 'd5' : 'e5');
      await settled(white, round + 2);
      for (const tab of [white, black]) {
        await tab.reload();
        await says(tab, 'status', 'White to move');
      }
    }
    // A third tab has a seat of this browser, and the others keep theirs.
    const third = await world.newPage();
    await third.goto(white.url());
    await says(third, 'status', 'White to move');
    await black.click('#resign');
    await confirm(black);
    await says(white, 'status', '1-0');
  },

  async 'after a week the browser gets a new secret, and the old one is worth nothing'(world) {
    const server = await serve(join(world.folder, 'week'));
    const context = await world.newContext();
    const page = await world.newPage(context);
    await page.goto(server.entry);
    await page.waitForSelector('#lobby:not([hidden])');
    const secret = () => page.evaluate(() => localStorage.getItem('session'));
    const listed = async (session) => (await fetch(`${server.base}/api/games`, { headers: { Authorization: `Bearer ${session}` } })).status;
    const old = await secret();
    await page.reload();
    await page.waitForSelector('#lobby:not([hidden])');
    assert.equal(await secret(), old);
    // The server reads the file of its sessions again when it has changed.
    const file = join(world.folder, 'week', 'tabiya', 'serve', 'sessions.json');
    const stored = JSON.parse(readFileSync(file));
    for (const session of stored.sessions) session.since -= 8 * 24 * 3600;
    writeFileSync(file, JSON.stringify(stored));
    await page.reload();
    await page.waitForFunction((before) => localStorage.getItem('session') !== before, old);
    // The page uses it, and goes on as the host.
    await world.begin(page, { opponent: 'here' }, server.base);
    assert.deepEqual([await listed(await secret()), await listed(old)], [200, 401]);
    server.child.kill('SIGTERM');
    await server.ended;
    await context.close();
    world.forgive();
  },

  async 'whoever signs out is no longer the host'(world) {
    const server = await serve(join(world.folder, 'leaving'));
    const context = await world.newContext();
    const page = await world.newPage(context);
    await page.goto(server.entry);
    await page.waitForSelector('#lobby:not([hidden])');
    const session = await page.evaluate(() => localStorage.getItem('session'));
    const kept = (tab) => tab.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    const secret = /[0-9a-f]{32}/;
    // Another tab has begun a game, and both know links.
    const other = await world.newPage(context);
    for (const tab of [page, other]) await world.begin(tab, { opponent: 'person' }, server.base);
    await page.goto(`${server.base}/`);
    await page.click('#theme');
    for (const tab of [page, other]) assert.match(await kept(tab), secret);
    await page.click('#sign-out');
    await confirm(page);
    await says(page, 'message-text', 'signed out');
    assert.equal(await page.evaluate(() => localStorage.getItem('session')), null);
    assert.ok(await page.evaluate(() => localStorage.getItem('theme')), 'what is no secret stays');
    assert.doesNotMatch(await kept(page), secret);
    await other.waitForFunction(() => !/[0-9a-f]{32}/.test(JSON.stringify({ ...sessionStorage })));
    assert.doesNotMatch(await kept(other), secret);
    const answer = await fetch(`${server.base}/api/games`, { headers: { Authorization: `Bearer ${session}` } });
    assert.equal(answer.status, 401);
    await page.reload();
    await says(page, 'message-text', 'Open the address');
    server.child.kill('SIGTERM');
    await server.ended;
    await context.close();
    world.forgive();
  },
};

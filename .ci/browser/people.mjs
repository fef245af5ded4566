// Games between two people.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { accessible, click, confirm, drag, freePort, plies, says, serve, settled, terminal, wire } from './harness.mjs';

/** A game between two people, each in a browser of their own. */
export async function pair(world, asked = {}) {
  const page = await world.newPage();
  await world.begin(page, { opponent: 'person', clock: '5+3', ...asked });
  await says(page, 'status', 'Waiting');
  const links = await world.links(page);
  const away = await world.newContext();
  const guest = await world.newPage(away);
  await guest.goto(links.black);
  await says(page, 'status', 'White to move');
  return { page, guest, away, links };
}

export const people = {
  async 'two browsers against each other: premove, watcher, offers, takeback, resigning'(world) {
    const { page, guest, away, links } = await pair(world);
    assert.ok(!guest.url().includes('#'));
    // Black moves in advance, thinks again, and moves in advance.
    await click(guest, 'd7', 'd5');
    await guest.waitForSelector('.premove');
    await guest.keyboard.press('Escape');
    await guest.waitForSelector('.premove', { state: 'detached' });
    await drag(guest, 'e7', 'e5');
    await guest.waitForSelector('.premove');
    await click(page, 'e2', 'e4');
    await settled(page, 2);
    await settled(guest, 2);
    await guest.waitForSelector('.premove', { state: 'detached' });
    assert.match(await page.locator('#bottom .clock').textContent(), /^[45]:\d\d$/);
    const third = await world.newContext();
    const watcher = await world.newPage(third);
    await watcher.goto(links.watch);
    await says(watcher, 'status', 'You are watching');
    assert.ok(await watcher.locator('#resign').isHidden());
    await third.close();
    await page.click('#takeback');
    await confirm(page);
    await guest.click('#decline');
    await page.click('#takeback');
    await confirm(page);
    await guest.click('#accept');
    await says(guest, 'status', 'White to move');
    await guest.click('#offer');
    await confirm(guest);
    await page.click('#decline');
    await page.click('#resign');
    await confirm(page, 'no');
    await page.click('#resign');
    await confirm(page);
    await says(guest, 'status', '0-1');
    await away.close();
  },

  async 'no engine helps in a game between two people, whatever is sent'(world) {
    const { page, guest, away } = await pair(world);
    assert.ok(await page.locator('#study').isHidden() && await guest.locator('#study').isHidden());
    const answers = await page.evaluate(async () => {
      const { secrets } = await import('/script/server.js');
      const path = `/api${location.pathname.replace('game', 'games')}/socket`;
      const socket = new WebSocket(`${location.origin.replace('http', 'ws')}${path}`, ['tabiya.2', `tabiya.bearer.${secrets.of(path)}`]);
      await new Promise((open) => { socket.onopen = open; });
      const wishes = [
        { command: 'hint' }, { command: 'lines', shown: true }, { command: 'review' }, { command: 'judge' }, { command: 'retry' },
        { command: 'hint', review: true }, { command: 'look', node: '100000000' }, { command: 'try', node: '100000000', move: 'e4' },
      ];
      const heard = [];
      const done = new Promise((all) => {
        socket.onmessage = (event) => {
          const message = JSON.parse(event.data);
          if (['advice', 'review', 'done'].includes(message.type)) heard.push(message.type);
          if (message.type === 'refused') heard.push(message.sentences.join(' '));
          if (heard.length === wishes.length) all();
        };
      });
      wishes.forEach((request, at) => socket.send(JSON.stringify({ id: at + 1, request })));
      await done;
      socket.close();
      return heard;
    });
    assert.ok(answers.every((said) => said.startsWith('Engines do not help in a game between two people')), answers.join('\n'));
    // When it is over, both may look at it.
    await click(page, 'e2', 'e4');
    await settled(guest, 1);
    await guest.click('#resign');
    await confirm(guest);
    await says(page, 'status', '1-0');
    await page.waitForSelector('#study:not([hidden])');
    await page.click('#review');
    await says(page, 'review', 'Back to the game');
    await away.close();
  },

  async 'a connection that is cut comes back to where the game is'(world) {
    const cable = await wire();
    const public_ = `http://127.0.0.1:${cable.from}`;
    const port = await freePort();
    const server = await serve(join(world.folder, 'cut'), port, '--public', public_);
    cable.join(port);
    const context = await world.newContext();
    const page = await world.newPage(context);
    await page.goto(server.entry);
    await page.waitForSelector('#lobby:not([hidden])');
    await world.begin(page, { opponent: 'person', clock: '5+3' }, public_);
    const links = await world.links(page);
    const black = (move) => fetch(`http://127.0.0.1:${port}/api/games/${page.url().split('/game/')[1]}/moves`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${links.black.split('#')[1]}` },
      body: JSON.stringify({ move }),
    });
    // Whoever asks is here, and refused: it is not Black's turn.
    assert.equal((await black('e5')).status, 409);
    await click(page, 'e2', 'e4');
    await settled(page, 1);
    // A server that is busy or ending says so, and is asked again.
    await page.route(/\/api\/games\/[0-9a-f]{16}$/, (route) => route.fulfill({ status: 503, json: { error: 'The server is ending.' } }));
    cable.sever();
    await says(page, 'connection', 'Reconnecting…');
    // What is asked for meanwhile gets nowhere, and that is said; a premove waits until the connection is back.
    await page.click('#offer');
    await confirm(page);
    await says(page, 'refusal', 'not connected');
    await click(page, 'd2', 'd4');
    await page.waitForSelector('.premove');
    assert.equal((await black('e5')).status, 200);
    assert.equal(await plies(page), 1);
    cable.join(port);
    await settled(page, 3);
    await says(page, 'status', 'Black to move');
    await page.waitForSelector('.premove', { state: 'detached' });
    await page.waitForFunction(() => document.querySelector('#connection').textContent === '');
    assert.equal((await black('exd4')).status, 200);
    await settled(page, 4);
    await click(page, 'd1', 'd4');
    await settled(page, 5);
    server.child.kill('SIGTERM');
    await server.ended;
    cable.close();
    await context.close();
    world.forgive();
  },

  async 'a rematch: both want it, the colors are swapped, and whoever watches may follow'(world) {
    const { page, guest, away, links } = await pair(world, { name: 'Ada' });
    const third = await world.newContext();
    const watcher = await world.newPage(third);
    await watcher.goto(links.watch);
    await says(watcher, 'status', 'You are watching');
    assert.ok(await page.locator('#rematch').isHidden());
    await click(page, 'e2', 'e4');
    await settled(guest, 1);
    await guest.click('#resign');
    await confirm(guest);
    await says(page, 'status', '1-0');
    assert.ok(await watcher.locator('#rematch').isHidden());
    const first = page.url();
    await page.click('#rematch');
    await page.waitForFunction(() => document.querySelector('#rematch').disabled);
    await says(guest, 'rematch', 'Accept the rematch');
    assert.match(await guest.locator('#live').textContent(), /White wants a rematch/);
    await accessible(guest, 'a rematch is wanted');
    await guest.click('#rematch');
    for (const one of [page, guest]) {
      await one.waitForURL((url) => url.href.includes('/game/') && url.href !== first && !url.hash);
      await says(one, 'status', 'White to move');
    }
    assert.equal(page.url(), guest.url());
    // The guest is White now.
    await click(guest, 'd2', 'd4');
    await settled(page, 1);
    assert.match(await page.locator('#bottom .name').textContent(), /^Ada/);
    await says(watcher, 'rematch', 'Watch the next game');
    await watcher.click('#rematch');
    await watcher.waitForURL(page.url());
    await settled(watcher, 1);
    await third.close();
    await away.close();
  },

  async 'a player who is away is shown, with the time after which the game can be claimed'(world) {
    const { page, away } = await pair(world);
    await away.close();
    await page.waitForFunction(() => /\(away; claim in \d+ s\)/.test(document.querySelector('#top .name').textContent));
    assert.ok(await page.locator('#away').isHidden());
  },

  async 'the browser against a terminal'(world) {
    const page = await world.newPage();
    await world.begin(page, { opponent: 'person', clock: '10+5' });
    await says(page, 'status', 'Waiting');
    const links = await world.links(page);
    const screen = terminal(world.folder, links.black);
    await says(page, 'status', 'White to move');
    await click(page, 'e2', 'e4');
    await settled(page, 1);
    await screen.shows('e4');
    // How long a message takes to the server and back.
    await screen.shows('ms');
    screen.type('e5\r');
    await settled(page, 2);
    // A premove of the terminal is played when its turn comes.
    screen.type('Nc6\r');
    await drag(page, 'g1', 'f3');
    await settled(page, 4);
    await page.click('#resign');
    await confirm(page);
    await says(page, 'status', '0-1');
    await screen.shows('0-1');
    await screen.close();
  },
};

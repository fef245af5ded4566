// Games between two people.
import assert from 'node:assert/strict';
import { click, confirm, drag, says, settled } from './harness.mjs';

/** A game between two people, each in a browser of their own. */
async function pair(world, asked = {}) {
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
      const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api${location.pathname.replace('game', 'games')}/socket?protocol=1`);
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
    assert.ok(answers.every((said) => said.startsWith('In a game between two people no engine helps')), answers.join('\n'));
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
    const { page, guest, away } = await pair(world);
    await click(page, 'e2', 'e4');
    await settled(guest, 1);
    await away.setOffline(true);
    await guest.evaluate(() => dispatchEvent(new Event('offline')));
    // The socket itself is cut, as by a router that forgets it.
    const cut = await away.newCDPSession(guest);
    await cut.send('Network.enable');
    await cut.send('Network.emulateNetworkConditions', { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    await page.reload();
    await settled(page, 1);
    await world.server.child.kill('SIGSTOP');
    await world.server.child.kill('SIGCONT');
    await away.setOffline(false);
    await cut.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    await guest.evaluate(() => dispatchEvent(new Event('online')));
    await click(guest, 'e7', 'e5');
    await settled(page, 2);
    await settled(guest, 2);
    await away.close();
    world.forgive();
  },
};

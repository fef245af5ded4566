// A server of the program and a browser, for tests of the page as people use it, and what people do on it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(join(process.env.TABIYA_BROWSER, 'package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** The machine may be busy with other things. */
const PATIENCE = 180000;

export const program = process.env.TABIYA;

/** Starts `tabiya serve` with a folder of its own, and reads the address that it prints. */
export async function serve(folder, port = 0, ...others) {
  const child = spawn(program, ['serve', '--listen', `127.0.0.1:${port}`, ...others], {
    env: { ...process.env, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const entry = await new Promise((found, failed) => {
    createInterface({ input: child.stdout }).once('line', found);
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
  });
  const ended = new Promise((done) => child.once('exit', (code, signal) => done({ code, signal })));
  return { entry, base: entry.split('/#')[0], child, ended };
}

/** `tabiya play --join` on the full screen of a terminal; what it shows is text with escape sequences. */
export function terminal(folder, link) {
  const quoted = [program, 'play', '--join', link].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', `stty rows 40 cols 120; exec ${quoted}`, '/dev/null'], {
    env: { ...process.env, XDG_DATA_HOME: join(folder, 'terminal'), XDG_CONFIG_HOME: join(folder, 'terminal'), TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const shown = { text: '' };
  child.stdout.on('data', (bytes) => { shown.text += bytes; });
  return {
    type: (text) => child.stdin.write(text),
    async shows(part) {
      for (const end = Date.now() + PATIENCE; !shown.text.includes(part);) {
        assert.ok(Date.now() < end && child.exitCode === null, `the terminal shows no "${part}": ${JSON.stringify(shown.text.slice(-2000))}`);
        await new Promise((done) => setTimeout(done, 50));
      }
      shown.text = '';
    },
    async close() {
      child.stdin.end();
      child.kill('SIGTERM');
      await new Promise((done) => (child.exitCode === null && child.signalCode === null ? child.once('exit', done) : done()));
    },
  };
}

/** A port of this machine that nobody listens on. */
export async function freePort() {
  const found = createServer();
  await new Promise((done) => found.listen(0, '127.0.0.1', done));
  const { port } = found.address();
  await new Promise((done) => found.close(done));
  return port;
}

/** Something between the browser and a server that can cut all connections. */
export async function wire() {
  const open = new Set();
  const wires = { to: 0, cut: true };
  const proxy = createServer((near) => {
    if (wires.cut) { near.destroy(); return; }
    const far = connect(wires.to, '127.0.0.1');
    for (const [one, another] of [[near, far], [far, near]]) {
      open.add(one);
      one.pipe(another);
      one.on('error', () => another.destroy());
      one.on('close', () => { open.delete(one); another.destroy(); });
    }
  });
  await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
  return Object.assign(wires, {
    from: proxy.address().port,
    join(port) { Object.assign(wires, { to: port, cut: false }); },
    sever() { wires.cut = true; for (const one of open) one.destroy(); },
    close() { this.sever(); proxy.close(); },
  });
}

/** A server, a browser, and the context of whoever runs the server. */
export class World {
  static async start(shots) {
    const world = new World();
    world.folder = mkdtempSync(join(tmpdir(), 'tabiya-browser-'));
    world.shots = shots;
    world.faults = [];
    world.server = await serve(join(world.folder, 'data'));
    world.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      headless: true,
      args: [
        '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync',
      ],
    });
    world.context = await world.newContext();
    return world;
  }

  get base() { return this.server.base; }

  /** A browser without the storage of others. */
  async newContext(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(PATIENCE);
    return context;
  }

  /** A page of which everything that it says in its console is a fault. */
  async newPage(from = this.context) {
    const page = await from.newPage();
    page.on('pageerror', (error) => this.faults.push(`${page.url().split('#')[0]}: ${error}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.faults.push(message.text());
    });
    return page;
  }

  /** What was meant to fail is no fault. */
  forgive() { this.faults.length = 0; }

  async kill() {
    const port = Number(new URL(this.base).port);
    this.server.child.kill('SIGKILL');
    await this.server.ended;
    this.server = await serve(join(this.folder, 'data'), port);
  }

  async end() {
    await this.browser.close();
    this.server.child.kill('SIGTERM');
    const { code } = await this.server.ended;
    rmSync(this.folder, { recursive: true, force: true });
    assert.equal(code, 0, 'SIGTERM ends the server');
  }

  async shot(page, name) {
    if (this.shots) await page.screenshot({ path: join(this.shots, `${name}.png`) });
  }

  /** Begins a game by the form. */
  async begin(page, { opponent, side = 'white', clock = 'unlimited', text, chess960, name }, base = this.base) {
    await page.goto(`${base}/`);
    await page.waitForSelector('#lobby:not([hidden])');
    await page.selectOption('#opponent', opponent);
    await page.selectOption('#side', side);
    await page.selectOption('#clock', clock);
    if (name) await page.fill('#name', name);
    if (text) {
      await page.selectOption('#start', 'text');
      await page.fill('#start-text', text);
    }
    if (chess960 !== undefined) {
      await page.selectOption('#start', 'chess960');
      await page.fill('#chess960', String(chess960));
    }
    await page.click('#new button[type=submit]');
    await page.waitForURL(/\/game\//);
    await page.waitForSelector('#board [data-square=e4]');
    await page.waitForFunction(() => document.querySelector('#status').textContent !== '');
  }

  /** The links of the game that was begun last. */
  links(page) {
    return page.evaluate(() => JSON.parse(sessionStorage.getItem(`links-${location.pathname.slice(6)}`)));
  }
}

export const square = (page, name) => page.locator(`[data-square=${name}]`);
export const plies = (page) => page.locator('#moves li:not(.note) button').count();

/** Waits until the list has so many moves. */
export const settled = (page, count) => page.waitForFunction(
  (wanted) => document.querySelectorAll('#moves li:not(.note) button').length === wanted, count,
);

/** Waits until an element says something. */
export const says = (page, id, text) => page.waitForFunction(
  ([name, part]) => document.getElementById(name)?.textContent.includes(part), [id, text],
);

export async function click(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
}

export async function tap(page, from, to) {
  await square(page, from).tap();
  await square(page, to).tap();
}

export async function middle(page, name) {
  const box = await square(page, name).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

export async function drag(page, from, to, options = {}) {
  await page.mouse.move(...await middle(page, from));
  await page.mouse.down(options);
  await page.mouse.move(...await middle(page, to), { steps: 6 });
  await page.mouse.up(options);
}

export async function type(page, text) {
  await page.fill('#move', text);
  await page.press('#move', 'Enter');
  await page.waitForFunction(() => document.querySelector('#move').value === '');
}

export async function confirm(page, answer = 'yes') {
  await page.click(`#confirm button[value=${answer}]`);
}

/** Whether an element is where the page can be scrolled to. */
export const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth);

/** axe-core finds nothing serious on the page. */
export async function accessible(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run());
  const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  assert.deepEqual(told, [], name);
}

/** The page runs no script that is put into it, and the browser names the policy that refuses it. */
export async function runsNoForeignScript(world, page) {
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.hacked = 1';
    document.body.append(script);
    const button = document.createElement('button');
    button.setAttribute('onclick', 'window.hacked = 1');
    document.body.append(button);
    button.click();
  });
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.ok(world.faults.some((said) => said.includes('Content Security Policy')), world.faults.join('\n'));
}

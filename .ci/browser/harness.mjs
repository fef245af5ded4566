// A server of the program and a browser, for tests of the page as people use it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(join(process.env.TABIYA_BROWSER, 'package.json'));
const { chromium } = require('playwright-core');
export const axe = require.resolve('axe-core/axe.min.js');

/** Starts `tabiya serve` with a folder of its own, and reads the address that it prints. */
export async function serve(folder, port = 0) {
  const child = spawn(process.env.TABIYA, ['serve', '--listen', `127.0.0.1:${port}`], {
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

export function temporary() {
  const folder = mkdtempSync(join(tmpdir(), 'tabiya-browser-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function browse(profile) {
  return chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
    viewport: { width: 1280, height: 800 },
  });
}

/** Everything that the page says in its console is a fault. */
export function watch(page, faults) {
  page.on('pageerror', (error) => faults.push(`${page.url().split('#')[0]}: ${error}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
}

// The page in a real browser, as people use it: dragging, clicking, touching, typing, with the keyboard alone.
// Usage: TABIYA=path TABIYA_BROWSER=folder-with-node_modules [ONLY=part of a name] node test.mjs [folder for screenshots]
import assert from 'node:assert/strict';
import { World } from './harness.mjs';
import { between } from './between.mjs';
import { games } from './games.mjs';
import { links } from './links.mjs';
import { looks } from './looks.mjs';
import { pages } from './pages.mjs';
import { people } from './people.mjs';
import { sessions } from './sessions.mjs';
import { study } from './study.mjs';
import { walk } from './walk.mjs';

const world = await World.start(process.argv[2]);
const tests = { ...games, ...people, ...between, ...walk, ...study, ...pages, ...looks, ...links, ...sessions };
const only = process.env.ONLY;
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  // The first lets the browser in.
  if (only && !name.includes(only) && name !== Object.keys(tests)[0]) continue;
  const start = Date.now();
  try {
    await test(world);
    assert.deepEqual(world.faults, [], 'the console says nothing');
    console.log(`ok      ${name} (${Date.now() - start} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
    world.forgive();
  }
  for (const page of world.context.pages()) await page.close();
}
try {
  await world.end();
} catch (error) {
  failed += 1;
  console.log(`FAILED  the end\n${error.stack}`);
}
process.exit(failed ? 1 : 0);

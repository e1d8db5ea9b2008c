// Makes the pictures of the documentation, from real runs: npm run images
//
// docs/images/report.png is the HTML report of `standin verify` at examples/library/server.cjs --broken,
// docs/images/window-*.png are the views of the window of a mock of examples/library. It needs Chromium; CHROMIUM names one
// that is somewhere else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const LIBRARY = join(ROOT, 'examples', 'library');
const PICTURE = join(ROOT, 'docs', 'images', 'report.png');
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));
if (executablePath === undefined) throw new Error('No Chromium is installed; CHROMIUM names another place');

const folder = mkdtempSync(join(tmpdir(), 'standin-images-'));
const server = spawn(process.execPath, ['server.cjs', '--broken', '--port', '0'], { cwd: LIBRARY });
try {
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const baseUrl = /http:\S+/.exec(line)[0];
  const report = join(folder, 'report.html');
  await verify(baseUrl, report);
  // The port of this run is left out: a picture made again differs in its time alone.
  writeFileSync(report, readFileSync(report, 'utf8').replaceAll(baseUrl, 'http://127.0.0.1:3000'));
  mkdirSync(dirname(PICTURE), { recursive: true });
  await photograph(report, PICTURE);
  console.log(`${PICTURE}: ${statSync(PICTURE).size} bytes`);
  await photographWindow();
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function verify(baseUrl, report) {
  const target = ['--spec', 'openapi.yaml', '--base-url', baseUrl, '--seed', '1'];
  const output = ['--report', `html=${report}`, '--ledger', join(folder, 'ledger.ndjson')];
  const run = spawn(
    process.execPath,
    [join(ROOT, 'dist/bin/standin.js'), 'verify', 'contracts', '--config', 'off', ...target, ...output],
    { cwd: LIBRARY, env: { ...process.env, STANDIN_API_KEY: 'secret' }, stdio: 'ignore' },
  );
  const [code] = await once(run, 'exit');
  if (code !== 1) throw new Error(`The run ended with ${code}; a failing one is wanted, which ends with 1`);
}

async function photograph(page, picture) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const tab = await browser.newPage({ viewport: { width: 900, height: 690 }, colorScheme: 'light' });
  await tab.goto(pathToFileURL(page).href);
  await tab.screenshot({ path: picture });
  await browser.close();
}

/** The views of the window, after what a client might have done. */
async function photographWindow() {
  const args = ['mock', 'openapi.yaml', '--port', '4010', '--config', 'off', '--log', 'silent'];
  const mock = spawn(process.execPath, [join(ROOT, 'dist/bin/standin.js'), ...args], { cwd: LIBRARY });
  try {
    await once(createInterface({ input: mock.stdout }), 'line');
    const send = async (method, path, body, headers = {}) => {
      const key = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json', ...headers };
      await fetch(`http://127.0.0.1:4010${path}`, { method, headers: key, body: body && JSON.stringify(body) });
    };
    await send('GET', '/books');
    await send('POST', '/books', { title: 'Emma', year: 1815 });
    await send('POST', '/books', { year: 'last year' });
    await send('PATCH', '/books/5', { lent: true });
    await send('GET', '/books?lent=true');
    await send('GET', '/books/99');
    await send('POST', '/books', { title: 'Persuasion', year: 1817 }, { 'X-Standin-Sandbox': 'ann' });
    await send('PUT', '/__standin/responses', { operation: 'getBook', status: 404, times: 2 });
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const tab = await browser.newPage({ viewport: { width: 1100, height: 520 }, colorScheme: 'light' });
    for (const [name, address, prepare] of [
      ['requests', 'requests'],
      ['state', 'state/books'],
      ['responses', 'responses'],
      ['coverage', 'coverage'],
      ['sandboxes', 'sandboxes'],
      ['api', 'api/changeBook', tryChangeBook],
    ]) {
      await tab.goto(`http://127.0.0.1:4010/__standin/#/${address}`);
      await tab.getByText('live', { exact: true }).waitFor();
      await prepare?.(tab);
      await tab.waitForTimeout(500);
      const picture = join(ROOT, 'docs', 'images', `window-${name}.png`);
      await tab.screenshot({ path: picture });
      console.log(`${picture}: ${statSync(picture).size} bytes`);
    }
    await browser.close();
  } finally {
    mock.kill();
  }
}

async function tryChangeBook(tab) {
  const operation = tab.locator('.opblock.is-open');
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('textbox', { name: 'bookId' }).fill('5');
  await operation.getByRole('textbox', { name: 'Request body' }).fill('{\n  "lent": true\n}');
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table').waitFor();
  await tab.setViewportSize({ width: 1100, height: 860 });
  await operation.evaluate((element) => element.scrollIntoView({ block: 'start' }));
}

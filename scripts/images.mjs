// Makes the pictures of the documentation, from a real run: npm run images
//
// docs/images/report.png is the HTML report of `standin verify` at examples/library/server.cjs --broken. It needs
// Chromium; CHROMIUM names one that is somewhere else.
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

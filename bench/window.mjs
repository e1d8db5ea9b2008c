// What the window costs: a mock that a page looks at beside one that no page ever saw; how soon the page shows something;
// and, beside an earlier build, start and memory.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import * as commands from './commands.mjs';
import { exchange } from './exchange.mjs';
import * as expect from './expect.mjs';
import { findProgram } from './machine.mjs';
import { runRounds } from './rounds.mjs';
import { findFreePort, startProcess, startServer, stopProcess, timeFirstAnswer } from './server-process.mjs';

const { headers } = commands;
const request = { path: '/pets/1', headers };

/** The journal is full: the page has as much to show as it ever has. */
const ENTRIES = 10_000;

export async function measureWindow(settings) {
  const servers = [];
  const browser = await openBrowser(settings.pinning.generatorCore);
  try {
    const start = async (label) => {
      const server = await startServer({
        ...commands.mockServer({ ...settings, label }),
        core: settings.pinning.serverCore,
      });
      servers.push(server);
      return server;
    };
    return [
      ...(await measureLoad(settings, browser, start)),
      await measureFirstView(settings, start),
      ...(await measureBeside(settings)),
    ];
  } finally {
    await browser.stop();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Three mocks alike: no page ever, one that was closed again, one that is open and live. */
async function measureLoad(settings, browser, start) {
  const never = await start('no window');
  const closed = await start('window closed again');
  const open = await start('window open and live');
  await (await openWindow(browser, closed)).close();
  const page = await openWindow(browser, open);
  const pet = JSON.parse((await exchange(never.port, request)).body);
  const check = (answer) => expect.expectJson(answer, 200, pet);

  const rows = await runRounds(
    [never, closed, open].map((server) => ({ server, request, check })),
    settings,
  );
  if (!(await page.getByText('live', { exact: true }).isVisible())) rows[2].invalid ??= 'the page lost the mock';
  await page.close();

  const [of, ofClosed, ofOpen] = rows;
  const micros = rows.map((row) => ({ ...row, rounds: row.rounds.map(processorMicros) }));
  return [
    {
      title: 'GET one pet, with and without the window',
      unit: 'requests/s',
      rows,
      goals: [
        { what: 'GET with the window open and live / without', of: ofOpen, over: of, atLeast: 0.95 },
        { what: 'GET after the window was closed / without', of: ofClosed, over: of, atLeast: 0.98 },
      ],
    },
    {
      title: 'Processor time of the mock for one GET',
      unit: 'µs',
      rows: micros,
      goals: [
        {
          what: 'Processor time of a GET: window open and live / without',
          of: micros[2],
          over: micros[0],
          atMost: 1.05,
        },
        {
          what: 'Processor time of a GET: window closed again / without',
          of: micros[1],
          over: micros[0],
          atMost: 1.02,
        },
      ],
    },
  ];
}

function processorMicros({ serverCpu, perSecond }) {
  return { micros: (serverCpu / perSecond) * 1e6 };
}

/**
 * From the navigation until the frame that shows requests, beside that of an empty page of the same server, by the clock
 * of the page: what watches from outside asks too seldom. Not pinned, as people use it.
 */
async function measureFirstView(settings, start) {
  const server = await start('the window');
  const browser = await openBrowser(undefined);
  try {
    return await timeFirstView(settings, browser, server);
  } finally {
    await browser.stop();
  }
}

async function timeFirstView(settings, browser, server) {
  for (let sent = 0; sent < ENTRIES; sent += 100) {
    await Promise.all(Array.from({ length: 100 }, () => exchange(server.port, request)));
  }
  const kinds = [
    { label: 'an empty page', path: '/__standin/window/window.css', text: 'body' },
    {
      label: `the window, ${ENTRIES.toLocaleString('en-US')} requests`,
      path: '/__standin/',
      text: '/pets/1',
    },
  ];
  const rows = kinds.map(({ label }) => ({ label, rounds: [] }));
  // Round 0 fills caches and does not count.
  for (let round = 0; round <= settings.rounds * 2; round++) {
    for (const [index, { path, text }] of kinds.entries()) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.addInitScript(noteWhenShown, text);
      await page.goto(`http://127.0.0.1:${server.port}${path}`);
      // The policy of the page forbids what would wait inside of it.
      let ms;
      while ((ms = await page.evaluate('window.shownAfterMs')) === undefined) await sleep(20);
      if (round > 0) rows[index].rounds.push({ ms });
      await context.close();
    }
  }
  return {
    title: 'First view',
    unit: 'ms',
    rows,
    goals: [{ what: 'First view: the window, more than an empty page', of: rows[1], over: rows[0], atMostMore: 300 }],
  };
}

/** Runs in the page. */
function noteWhenShown(text) {
  const look = () => {
    const isThere = document.body?.textContent.includes(text);
    requestAnimationFrame(isThere ? () => (window.shownAfterMs = performance.now()) : look);
  };
  look();
}

/** Start and memory beside the build of another state, such as the one before the window. */
async function measureBeside(settings) {
  const { bin, beside } = settings;
  if (beside === undefined) return [];
  const kinds = [
    { label: 'the other build', bin: beside },
    { label: 'this build', bin },
  ];
  const starts = kinds.map(({ label }) => ({ label, rounds: [] }));
  const memory = kinds.map(({ label }) => ({ label, rounds: [] }));
  for (let run = 0; run <= settings.starts; run++) {
    for (const index of run % 2 === 1 ? [0, 1] : [1, 0]) {
      const port = await findFreePort();
      const server = commands.mockServer({ ...settings, ...kinds[index], port });
      const started = await timeFirstAnswer({ ...server, port, request });
      try {
        if (run === 0) continue;
        starts[index].rounds.push({ ms: started.ms });
        await sleep(2_000);
        memory[index].rounds.push({ mib: started.residentMiB() });
      } finally {
        await started.stop();
      }
    }
  }
  const goal = { atMost: 1.03 };
  return [
    {
      title: 'Start to first answer, beside the other build',
      unit: 'ms',
      rows: starts,
      goals: [{ what: 'Start: this build / the other', of: starts[1], over: starts[0], ...goal }],
    },
    {
      title: 'Memory at rest, beside the other build',
      unit: 'MiB',
      rows: memory,
      goals: [{ what: 'Memory: this build, more than the other', of: memory[1], over: memory[0], atMostMore: 3 }],
    },
  ];
}

/** On the core of the load generator, so that what the page does is not taken from the server's core. */
async function openBrowser(core) {
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
  const program = process.env.CHROMIUM ?? names.map(findProgram).find((found) => found !== undefined);
  if (program === undefined || !existsSync(program)) {
    throw new Error('No Chromium is installed, which the window is measured in; CHROMIUM names another place');
  }
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', 'about:blank'];
  const child = startProcess([program, ...flags], { core });
  const deadline = Date.now() + 30_000;
  for (;;) {
    const address = /DevTools listening on (ws:\S+)/.exec(child.output)?.[1];
    if (address !== undefined) {
      const browser = await chromium.connectOverCDP(address);
      // Closing what is connected to alone leaves the program running.
      return Object.assign(browser, { stop: () => stopProcess(child) });
    }
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`Chromium did not start: ${child.output}`);
    await sleep(20);
  }
}

async function openWindow(browser, server) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://127.0.0.1:${server.port}/__standin/`);
  await page.getByText('live', { exact: true }).waitFor();
  return page;
}

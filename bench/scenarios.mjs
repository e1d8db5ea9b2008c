// What is measured, against what, and the goals.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as commands from './commands.mjs';
import { exchange } from './exchange.mjs';
import { writeDescription } from './description.mjs';
import * as expect from './expect.mjs';
import { writeFixture } from './fixture.mjs';
import { runRounds } from './rounds.mjs';
import { findFreePort, startServer, timeFirstAnswer } from './server-process.mjs';

const { headers, jsonHeaders } = commands;

/** GET of one pet: our mock checks the key and the request and reads its state; bare node:http answers the same bytes. */
export async function measureGet(settings) {
  const request = { path: '/pets/1', headers };
  return withServers(settings, async (start) => {
    const mock = await start(commands.mockServer(settings));
    await expect.expectGuardedReads(mock, { headers });
    const { body } = await exchange(mock.port, request);
    const bodyFile = path.join(settings.temporaryFolder, 'pet.json');
    writeFileSync(bodyFile, body);
    const pet = JSON.parse(body);
    const samePet = (answer) => expect.expectJson(answer, 200, pet);

    const contestants = [
      { server: await start(commands.bareGetServer(bodyFile)), request, check: samePet },
      { server: await start(commands.expressServer(bodyFile)), request, check: samePet },
      { server: mock, request, check: (answer) => expect.expectPet(answer, 200, { id: 1 }) && samePet(answer) },
    ];
    for (const server of await startPrisms(settings, start)) {
      contestants.push({ server, request, check: (answer) => expect.expectPet(answer, 200) });
    }

    const rows = await runRounds(contestants, settings);
    const [bare, , ours, prism, silentPrism] = rows;
    const absent = 'Prism did not run';
    return [
      {
        title: 'GET one pet',
        unit: 'requests/s',
        rows,
        goals: [
          { what: 'GET one pet: mock / bare node:http', of: ours, over: bare, atLeast: 0.7 },
          { what: 'GET one pet: mock / Prism as it starts', of: ours, over: prism, atLeast: 12, absent },
          { what: 'GET one pet: mock / Prism, log silent', of: ours, over: silentPrism, atLeast: 12, absent },
        ],
      },
    ];
  });
}

/** POST of a pet: bare node:http reads, parses and answers the body; our mock also judges it and keeps it. */
export async function measurePost(settings) {
  const body = '{"name":"Rex","categoryId":1}';
  const request = { method: 'POST', path: '/pets', headers: jsonHeaders, body };
  return withServers(settings, async (start) => {
    const mock = await start(commands.mockServer(settings));
    await expect.expectGuardedWrites(mock, { request, headers });
    const sameBody = (answer) => expect.expectJson(answer, 201, JSON.parse(body));

    const contestants = [
      { server: await start(commands.barePostServer()), request, check: sameBody },
      { server: await start(commands.expressServer()), request, check: sameBody },
      {
        server: mock,
        request,
        check: (answer) => expect.expectPet(answer, 201, { name: 'Rex', categoryId: 1 }),
        // Each load starts from the fixture: the pets of the one before are gone.
        reset: () => resetMock(mock),
      },
    ];
    for (const server of await startPrisms(settings, start)) {
      contestants.push({ server, request, check: (answer) => expect.expectPet(answer, 201) });
    }

    const rows = await runRounds(contestants, settings);
    return [
      {
        title: 'POST a pet',
        unit: 'requests/s',
        rows,
        goals: [{ what: 'POST a pet: mock / bare node:http', of: rows[2], over: rows[0], atLeast: 0.6 }],
      },
    ];
  });
}

/** The same reads from two processes of the mock, one with 100 pets and one with 100,000. */
export async function measureList(settings) {
  return withServers(settings, async (start) => {
    const sizes = [];
    for (const count of [100, 100_000]) {
      const fixture = writeFixture(settings.temporaryFolder, count);
      const label = `${count.toLocaleString('en-US')} pets`;
      sizes.push({
        ...fixture,
        server: await start(commands.mockServer({ ...settings, fixtures: fixture.file, label })),
      });
    }

    const kinds = [
      {
        title: 'List of 20 pets',
        request: () => ({ path: '/pets', headers }),
        check: (size) => (answer) => expect.expectList(answer, { length: 20, total: size.count }),
        goal: { what: 'List of 20: times slower out of 100,000 than out of 100', atMost: 4 },
      },
      {
        title: 'List of 20 pets with a status filter and X-Total-Count',
        request: () => ({ path: '/pets?status=available', headers }),
        check: (size) => (answer) =>
          expect.expectList(answer, { length: 20, total: size.tally.available, status: 'available' }),
        goal: { what: 'Filtered list: times slower out of 100,000 than out of 100', atMost: 10 },
      },
      {
        title: 'GET by id, spread over all ids',
        request: (size) => {
          const paths = spreadIds(settings.generator.maxPaths, size.count).map((id) => `/pets/${id}`);
          return { path: paths[0], paths, headers };
        },
        check: () => (answer, at) => expect.expectPet(answer, 200, { id: Number(at.split('/').at(-1)) }),
        goal: { what: 'GET by id: out of 100,000 / out of 100', atLeast: 0.9 },
      },
    ];

    const sections = [];
    for (const { title, request, check, goal } of kinds) {
      settings.log(title);
      const contestants = sizes.map((size) => ({ server: size.server, request: request(size), check: check(size) }));
      const rows = await runRounds(contestants, settings);
      const [small, large] = rows;
      const ratio = goal.atMost === undefined ? { of: large, over: small } : { of: small, over: large };
      sections.push({ title, unit: 'requests/s', rows, goals: [{ ...goal, ...ratio }] });
    }
    return sections;
  });
}

/** The same read from two processes of the mock, one with 10 operations and one with 1,000. */
export async function measureOperations(settings) {
  return withServers(settings, async (start) => {
    const contestants = [];
    for (const count of [10, 1_000]) {
      const { file, fixtures, request, item } = writeDescription(settings.temporaryFolder, count);
      const label = `${count.toLocaleString('en-US')} operations`;
      const server = await start(commands.mockServer({ ...settings, spec: file, fixtures, label }));
      contestants.push({ server, request, check: (answer) => expect.expectJson(answer, 200, item) });
    }
    const rows = await runRounds(contestants, settings);
    const [few, many] = rows;
    const goal = { what: 'GET by id: with 1,000 operations / with 10', of: many, over: few, atLeast: 0.9 };
    return [{ title: 'GET by id, of descriptions of two sizes', unit: 'requests/s', rows, goals: [goal] }];
  });
}

/** From the spawn to the first 200, and the memory two seconds later; not pinned, as a user starts it. */
export async function measureStart(settings) {
  const pet = { path: '/pets/1', headers };
  const kinds = [
    { of: (port) => commands.expressHelloServer(port), request: { path: '/', headers } },
    { of: (port) => commands.mockServer({ ...settings, port }), request: pet },
  ];
  if (settings.prism.bin) kinds.push({ of: (port) => commands.prismServer({ ...settings, port }), request: pet });

  const starts = kinds.map(({ of }) => ({ label: of(0).label, rounds: [] }));
  const memory = kinds.map(({ of }) => ({ label: of(0).label, rounds: [] }));
  // Run 0 fills the file cache and does not count.
  for (let run = 0; run <= settings.starts; run++) {
    const order = kinds.map((_, index) => index);
    for (const index of run % 2 === 1 ? order : order.toReversed()) {
      const port = await findFreePort();
      const started = await timeFirstAnswer({ ...kinds[index].of(port), port, request: kinds[index].request });
      try {
        if (run === 0) continue;
        starts[index].rounds.push({ ms: started.ms });
        if (run <= settings.memoryRuns) {
          await new Promise((resolve) => setTimeout(resolve, 2_000));
          memory[index].rounds.push({ mib: started.residentMiB() });
        }
      } finally {
        await started.stop();
      }
    }
    if (run > 0) settings.log(`  run ${run}/${settings.starts}  ${starts.map(lastStart).join(', ')}`);
  }
  return [
    {
      title: 'Start to first answer',
      unit: 'ms',
      rows: starts,
      goals: [{ what: 'Start to first answer: mock / Express hello world', of: starts[1], over: starts[0], atMost: 2 }],
    },
    {
      title: 'Memory at rest (RSS, 2 s after the first answer)',
      unit: 'MiB',
      rows: memory,
      goals: [{ what: 'Memory at rest: mock / Express hello world', of: memory[1], over: memory[0], atMost: 1.5 }],
    },
  ];
}

function lastStart({ label, rounds }) {
  return `${label} ${Math.round(rounds.at(-1).ms)} ms`;
}

/** Runs `measure` and stops every server that it started, also when it fails. */
async function withServers(settings, measure) {
  const servers = [];
  const start = async (options) => {
    const server = await startServer({ ...options, core: settings.pinning.serverCore });
    servers.push(server);
    return server;
  };
  try {
    return await measure(start);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Prism twice, with its log and without. It is a guest: when it does not start, the rest runs without it. */
async function startPrisms({ prism, spec, log }, start) {
  if (!prism.bin) return [];
  const servers = [];
  try {
    for (const silent of [false, true]) {
      servers.push(await start(commands.prismServer({ prism, spec, silent, port: await findFreePort() })));
    }
  } catch (error) {
    prism.reason = error.message;
    log(error.message);
  }
  return servers;
}

async function resetMock(mock) {
  const answer = await exchange(
    mock.port,
    { method: 'POST', path: '/__standin/reset', headers: jsonHeaders, body: '{}' },
    { timeoutMs: 30_000 },
  );
  if (answer.status < 200 || answer.status > 299) throw new Error(`reset of the mock was answered ${answer.status}`);
}

/** `length` ids from 1 to `count` in a sequence that visits the whole range evenly and never in order. */
function spreadIds(length, count) {
  const golden = (Math.sqrt(5) - 1) / 2;
  return Array.from({ length }, (_, index) => 1 + Math.floor(((index * golden) % 1) * count));
}

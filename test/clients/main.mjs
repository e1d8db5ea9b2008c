// npm run measure -- clients: official clients at mocks of their own APIs. Each flow is what a user of the API would write in an hour; a
// call is right when its result is what that user relies on. What needs an earlier call that was wrong is wrong as well.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPrism } from '../../bench/prism-install.mjs';
import progressLine from '../../dist/src/cli/terminal/progress-line.js';
import { pickSample } from '../support/sample.ts';
import { CLIENTS, here, install, root } from './apis.mjs';
import { EIGHT_CLIENTS } from './eight-clients.mjs';
import { WHY } from './reasons.mjs';

const { createProgressLine } = progressLine;
const TABLE = join(root, 'docs/measured/clients.md');
const FIGURES = join(root, 'docs/measured/clients.json');

const usage = `Usage: node --import tsx test/clients/main.mjs [--only id,id] [--sample N --seed TEXT] [--all] [--check] [--write] [--prism]
  --sample so many of the clients, chosen by the seed
  --all    every call, not only the wrong ones
  --check  fail where a client has fewer calls right than docs/measured/clients.json says
  --write  write docs/measured/clients.md and docs/measured/clients.json
  --prism  the same calls at Prism, which is installed outside the project`;
const fail = (message) => {
  console.error(message);
  process.exit(2);
};
let options;
try {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string' };
  options = parseArgs({
    options: { only: text, sample: text, seed: text, all: flag, check: flag, write: flag, prism: flag },
  }).values;
} catch (error) {
  fail(`${error.message}\n${usage}`);
}
const named = options.only ? options.only.split(',') : Object.keys(CLIENTS);
const ids = options.sample ? pickSample(named, Number(options.sample), options.seed ?? '') : named;
for (const id of ids) if (!CLIENTS[id]) fail(`No client ${id}; there are ${Object.keys(CLIENTS).join(', ')}\n${usage}`);

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const freePort = () =>
  new Promise((done) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
const answers = (port) =>
  new Promise((done) => {
    http
      .get({ host: '127.0.0.1', port, path: '/', timeout: 2000, agent: false }, (response) => {
        response.resume();
        done(true);
      })
      .on('error', () => done(false))
      .on('timeout', function () {
        this.destroy();
      });
  });
const stop = (group) => {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    /* it has ended */
  }
};

/** Takes the base path off, for a server that ignores that of its description. */
function withoutBase(to, base) {
  const server = http.createServer((asked, answer) => {
    const path = asked.url.startsWith(base) ? asked.url.slice(base.length) || '/' : asked.url;
    const { method, headers } = asked;
    const sent = http.request({ host: '127.0.0.1', port: to, path, method, headers, agent: false }, (got) => {
      answer.writeHead(got.statusCode, got.rawHeaders);
      got.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    asked.pipe(sent);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

/** Runs a flow; gives its verdicts, and how it ended where that was not its last line. */
function flow(id, env, seconds) {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--no-warnings', join(here, 'flows', `${id}.mjs`)], {
      env: {
        ...process.env,
        ...env,
        NO_PROXY: '*',
        no_proxy: '*',
        HTTP_PROXY: '',
        http_proxy: '',
        HTTPS_PROXY: '',
        https_proxy: '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const verdicts = [];
    let how = 'the flow ended early';
    let rest = '';
    let errors = '';
    const timer = setTimeout(() => {
      how = `time limit of ${seconds} s`;
      stop(child.pid);
    }, seconds * 1000);
    child.stdout.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines.filter((each) => each.startsWith('@@'))) {
        const said = JSON.parse(line.slice(2));
        if (said.verdict === 'end') how = '';
        else if (said.verdict === 'died') how = `the client ended the process: ${said.why}`;
        else verdicts.push(said);
      }
    });
    child.stderr.on('data', (chunk) => {
      errors = (errors + chunk).slice(-2000);
    });
    child.on('close', () => {
      clearTimeout(timer);
      done({ verdicts, how: how && `${how} ${/\w*Error: .*/.exec(errors)?.[0] ?? ''}` });
    });
  });
}

/** The calls of one client at a server that a command starts. */
async function tryClient(id, commandFor, stripsBase) {
  const client = CLIENTS[id];
  const result = { id, right: 0, total: 0, calls: [] };
  if (client.program) {
    try {
      execFileSync(client.program, ['--version'], { stdio: 'ignore' });
    } catch {
      return { ...result, skipped: `no program ${client.program} (Debian: docker.io)` };
    }
  }
  const port = await freePort();
  const [program, ...args] = commandFor(join(here, 'node_modules', client.spec), port);
  const server = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  let ended = false;
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      log = (log + chunk).slice(-4000);
    });
  server.on('close', () => {
    ended = true;
  });
  const began = performance.now();
  let proxy;
  let ran = { verdicts: [], how: '' };
  const seconds = 180;
  try {
    while (!ended && !(await answers(port)) && performance.now() - began < seconds * 1000) await sleep(30);
    if (ended || performance.now() - began >= seconds * 1000)
      ran.how = `the server did not start: ${log.trim().split('\n').at(-1)}`;
    else {
      result.startMs = Math.round(performance.now() - began);
      if (stripsBase && client.base) proxy = await withoutBase(port, client.base);
      const at = proxy ? proxy.address().port : port;
      const env = {
        CLIENT_PORT: String(at),
        CLIENT_URL: `http://127.0.0.1:${at}${client.base}`,
        CLIENT_PROGRAM: client.program ?? '',
      };
      ran = await flow(id, env, seconds);
      if (ended) ran.how ||= `the server ended: ${log.trim().split('\n').at(-1)}`;
    }
  } finally {
    proxy?.close();
    proxy?.closeAllConnections();
    stop(server.pid);
  }
  if (ran.how) {
    // What a flow that was cut short did not reach is wrong.
    const env = {
      CLIENT_LIST: '1',
      CLIENT_PORT: '1',
      CLIENT_URL: 'http://127.0.0.1:1',
      CLIENT_PROGRAM: client.program ?? '',
    };
    const listed = await flow(id, env, 60);
    const reached = new Set(ran.verdicts.map(({ name }) => name));
    for (const { name } of listed.verdicts)
      if (!reached.has(name)) ran.verdicts.push({ verdict: 'wrong', name, why: `not reached: ${ran.how}` });
  }
  // The banner names the packs that were chosen by the title of the description.
  result.packs = [...log.matchAll(/^Pack: +([^\s:]+):/gm)].map(([, name]) => name);
  result.calls = ran.verdicts;
  result.total = ran.verdicts.length;
  result.right = ran.verdicts.filter(({ verdict }) => verdict === 'right').length;
  return result;
}

/** `57/57 (100 %)`; only where all calls are right is it 100 %. */
const percent = ({ right, total }) => {
  const share = right === total ? 100 : Math.min(99, Math.round((100 * right) / total));
  return `${right}/${total} (${share} %)`;
};
const sumOf = (results) => ({
  right: results.reduce((sum, { right }) => sum + right, 0),
  total: results.reduce((sum, { total }) => sum + total, 0),
});

function show(title, results) {
  console.log(`\n${title}`);
  for (const result of results) {
    console.log(`  ${result.id.padEnd(12)} ${result.skipped ? `skipped: ${result.skipped}` : percent(result)}`);
    for (const { verdict, name, why } of result.calls)
      if (options.all || verdict !== 'right') console.log(`    ${verdict} ${name}${why ? `: ${why}` : ''}`);
  }
  const tried = results.filter(({ skipped }) => !skipped);
  if (tried.length > 0) console.log(`  ${'all'.padEnd(12)} ${percent(sumOf(tried))}`);
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const row = (id, name) => `| ${id} | ${cell(name)} | ${cell(WHY[id]?.[name] ?? 'not looked into yet')} |`;
/** How another server did, which may not have started within the time that a server has. */
const beside = (other) => (other === undefined ? 'not tried' : other.total === 0 ? 'does not start' : percent(other));
function table(own) {
  const rows = own.map((result) => {
    const other = figures[result.id]?.prism;
    const bare = result.without ? percent(result.without) : 'no pack';
    return `| ${CLIENTS[result.id].name} | ${result.skipped ?? percent(result)} | ${bare} | ${beside(other)} |`;
  });
  const tried = own.filter(({ skipped }) => !skipped);
  const bare = sumOf(tried.map((result) => result.without ?? result));
  const mended = tried.flatMap(({ id, calls, without }) =>
    (without?.calls ?? [])
      .filter(({ verdict }) => verdict !== 'right')
      .filter(({ name }) => calls.some((call) => call.name === name && call.verdict === 'right'))
      .map(({ name }) => row(id, name)),
  );
  const wrong = own.flatMap(({ id, calls }) =>
    calls.filter(({ verdict }) => verdict !== 'right').map(({ name }) => row(id, name)),
  );
  return `# Official clients at mocks of their APIs

Written by \`npm run measure -- clients --write\`: each client makes the calls of its flow in \`test/clients/flows\` at \`standin mock DESCRIPTION --auth any\`, with default flags: packs that were made for the title of the description ([packs.md](../reference/packs.md)) are in use, as the start says; without them is \`--pack off\`. A call is right when its result is what a user of the client relies on; what needs an earlier call that was wrong is wrong as well. Prism ${PRISM.version} serves the same descriptions, with the base path taken off by a proxy (\`--prism\`); it has three minutes to start.

| client | standin | without packs | Prism |
| --- | --- | --- | --- |
${rows.join('\n')}
| **all** | **${percent(sumOf(tried))}** | **${percent(bare)}** | |

${EIGHT_CLIENTS}
## What is not right, and why

| client | call | why |
| --- | --- | --- |
${wrong.join('\n')}

## What a pack makes right

| client | call | why it is not right without |
| --- | --- | --- |
${mended.join('\n')}
`;
}

const PRISM = { version: '5.14.2' };
const figures = existsSync(FIGURES) ? JSON.parse(readFileSync(FIGURES, 'utf8')) : {};
install();
const standin = (spec, port, ...more) => [
  process.execPath,
  join(root, 'dist/bin/standin.js'),
  'mock',
  spec,
  '--port',
  String(port),
  '--auth',
  'any',
  '--log',
  'silent',
  ...more,
];
const own = [];
const line = createProgressLine('clients');
const showDone = (name) =>
  line?.show({
    doing: `${own.length}/${ids.length} clients`,
    failed: own.reduce((sum, { right, total }) => sum + total - right, 0),
    name,
  });
for (const id of ids) {
  showDone(id);
  const result = await tryClient(id, standin, false);
  if (result.packs?.length > 0) {
    showDone(`${id} without packs`);
    result.without = await tryClient(id, (spec, port) => standin(spec, port, '--pack', 'off'), false);
  }
  own.push(result);
}
line?.end();
show('standin', own);
const bareResults = own.flatMap(({ without }) => without ?? []);
if (bareResults.length > 0) show('standin without packs', bareResults);

const tried = own.filter(({ skipped }) => !skipped);
const bareSum = sumOf(tried.map((result) => result.without ?? result));
const { right, total } = sumOf(tried);
console.log(`figures ${JSON.stringify({ calls: total, 'calls right': right, 'right without packs': bareSum.right })}`);

let prism;
if (options.prism) {
  const { bin, reason } = findPrism(console.log);
  if (bin === undefined) fail(`Prism cannot be had: ${reason}`);
  prism = [];
  for (const id of ids)
    prism.push(await tryClient(id, (spec, port) => [process.execPath, bin, 'mock', '-p', String(port), spec], true));
  show(`Prism ${PRISM.version}`, prism);
}
if (options.write) {
  for (const result of own) {
    const { right, total, without } = result;
    const other = prism?.find(({ id }) => id === result.id);
    figures[result.id] = {
      right,
      total,
      ...(without ? { without: { right: without.right, total: without.total } } : {}),
      ...(other
        ? { prism: { right: other.right, total: other.startMs === undefined ? 0 : other.total } }
        : figures[result.id]?.prism
          ? { prism: figures[result.id].prism }
          : {}),
    };
  }
  writeFileSync(FIGURES, `${JSON.stringify(figures, undefined, 2)}\n`);
  writeFileSync(TABLE, table(own));
  execFileSync('npx', ['oxfmt', TABLE, FIGURES], { cwd: root, stdio: 'inherit' });
}
if (options.check) {
  const worse = own.flatMap(({ id, right, skipped, without }) => {
    if (skipped) return [];
    const before = figures[id]?.right ?? 0;
    const bareBefore = figures[id]?.without?.right ?? 0;
    // Where the pack is not chosen any more, nothing was tried without it: then its calls are wrong above.
    const bare = without?.right ?? right;
    return [
      ...(right < before ? [`${id}: ${right} calls right, ${before} before`] : []),
      ...(bare < bareBefore ? [`${id} without packs: ${bare} calls right, ${bareBefore} before`] : []),
    ];
  });
  for (const line of worse) console.error(line);
  if (worse.length > 0) process.exit(1);
  console.log('\nNo client has fewer calls right than docs/measured/clients.json says.');
}

// Which defects other tools notice, at the same server, each set up as well as we can.
//
//   npm run measure -- peers      every fourth defect, and all variants; prints the table
//   node --import tsx test/mutants/peers/main.ts, with
//     --sample 1          every defect
//     --variants 3        every third variant
//     --only dredd,prism  some tools alone
//     --write             writes docs/measured/peers.md as well
//     --save FILE         what was measured; --load FILE (may be repeated) makes the table of it
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFECTS } from '../catalogue/index';
import type { Alteration } from '../defect';
import { TARGETS } from '../kill-rate/targets';
import { startMutantProxy } from '../proxy';
import { VARIANTS } from '../variants/index';
import { DREDD } from './dredd';
import type { Peer } from './peer';
import { PORTMAN } from './portman';
import { PRISM } from './prism';
import { RESPECT } from './respect';
import { SPECMATIC } from './specmatic';
import { STANDIN } from './standin';
import { STEP_CI } from './step-ci';
import { formatPeers, type OfPeer } from './table';
import { type Installed, install } from './tools';
import { writeFormatted } from '../../support/write-formatted';

const PEERS: readonly Peer[] = [...STANDIN, RESPECT, ...SPECMATIC, PORTMAN, DREDD, STEP_CI, PRISM];
const FILE = join(__dirname, '..', '..', '..', 'docs', 'measured', 'peers.md');
/** What a tool finds at a server that conforms differs from run to run where it makes things up. */
const BASELINES = 3;
const SLOWER = 3;
/** What is slow on purpose is short here: it is for tools that wait. */
const SLOW_MS = 1500;

interface Ran {
  readonly found: readonly string[];
  readonly requests: number;
  readonly ms: number;
}

const hasLargeIds = (alteration: Alteration | undefined): boolean =>
  alteration !== undefined && 'largeIds' in alteration && alteration.largeIds === true;

async function runOnce(
  peer: Peer,
  installed: Installed,
  alteration: Alteration | undefined,
  largeIds = hasLargeIds(alteration),
): Promise<Ran> {
  const target = await TARGETS.second(largeIds);
  let requests = 0;
  const proxy = await startMutantProxy({
    target: target.url,
    slow: SLOW_MS,
    ...(alteration === undefined ? {} : { defect: alteration }),
    onRequest: () => (requests += 1),
  });
  const folder = mkdtempSync(join(tmpdir(), 'standin-peer-'));
  const startedAt = performance.now();
  try {
    const found = await peer.run({ url: proxy.url, direct: target.url, folder }, installed).catch((error: unknown) => {
      process.stderr.write(`${peer.id}: ${String(error).slice(0, 300)}\n`);
      return ['did not end'];
    });
    return { found, requests, ms: performance.now() - startedAt };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await proxy.close();
    await target.close();
  }
}

async function measure(peer: Peer, sample: number, variantSample: number): Promise<OfPeer> {
  const { id, title, settings, tool } = peer;
  const version = tool === undefined ? '' : (Object.values(tool.packages)[0] ?? '');
  const head = { id, title, settings, version };
  let installed: Installed = { folder: '', bin: '' };
  try {
    if (tool !== undefined) installed = install(tool);
  } catch (error) {
    return { ...head, reason: String(error), sample };
  }
  const known = new Set<string>();
  const runs: Ran[] = [];
  const baselines: number[] = [];
  for (let index = 0; index < BASELINES; index += 1) {
    const ran = await runOnce(peer, installed, undefined);
    runs.push(ran);
    baselines.push(ran.found.length);
    for (const each of ran.found) known.add(each);
    process.stderr.write(
      `${id}  no defect: ${ran.found.length} findings, ${ran.requests} requests, ${Math.round(ran.ms)} ms ${ran.found.join(' | ').slice(0, 300)}\n`,
    );
  }
  const newAt = async (alteration: Alteration): Promise<boolean> => {
    const { found, requests, ms } = await runOnce(peer, installed, alteration);
    // With ids that a double cannot hold, a tool finds what it does itself: that is no defect.
    const own = hasLargeIds(alteration) ? (await runOnce(peer, installed, undefined, true)).found : [];
    const fresh = found.filter((each) => !known.has(each) && !own.includes(each));
    process.stderr.write(
      `${id}  ${alteration.id}: ${fresh.length > 0 ? 'noticed' : 'silent'}, ${requests} requests, ${Math.round(ms)} ms  ${(fresh[0] ?? '').slice(0, 120)}\n`,
    );
    return fresh.length > 0;
  };
  const alarms: string[] = [];
  const variants = VARIANTS.filter(
    (_, index) => index % (peer.isSlow === undefined ? variantSample : variantSample * SLOWER) === 0,
  );
  for (const variant of variants) if (await newAt(variant)) alarms.push(variant.id);
  const noticed: Record<string, boolean> = {};
  const every = peer.isSlow === undefined ? sample : sample * SLOWER;
  for (const [index, defect] of DEFECTS.entries()) if (index % every === 0) noticed[defect.id] = await newAt(defect);
  const requests = Math.max(...runs.map((run) => run.requests));
  const seconds = Math.min(...runs.map(({ ms }) => ms)) / 1000;
  return { ...head, sample, alwaysFound: [...known], variants: variants.length, alarms, noticed, requests, seconds };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sample: { type: 'string', default: '4' },
      variants: { type: 'string', default: '1' },
      only: { type: 'string' },
      save: { type: 'string' },
      load: { type: 'string', multiple: true, default: [] },
      write: { type: 'boolean', default: false },
    },
  });
  const wanted = PEERS.filter(({ id }) => values.only === undefined || values.only.split(',').includes(id));
  const measured: OfPeer[] = values.load.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as OfPeer[]);
  if (values.load.length === 0)
    for (const peer of wanted) {
      measured.push(await measure(peer, Number(values.sample), Number(values.variants)));
      // It takes hours: what has been measured is kept.
      if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(measured, null, 2));
    }
  const text = formatPeers(PEERS.flatMap(({ id }) => measured.filter((each) => each.id === id)));
  process.stdout.write(`\n${text}`);
  const figures = measured.flatMap(({ title, noticed }) =>
    noticed === undefined ? [] : [[`${title}, noticed`, Object.values(noticed).filter(Boolean).length] as const],
  );
  process.stdout.write(`figures ${JSON.stringify(Object.fromEntries(figures))}\n`);
  if (!values.write) return;
  mkdirSync(join(FILE, '..'), { recursive: true });
  writeFormatted(FILE, text);
}

void main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);

import { readFileSync } from 'node:fs';
import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { reproductionOf } from '../../src/report/text/reproduction';
import { allSteps } from '../../src/runner/result/outcome';
import type { LocatedFinding, RunResult, StepResult } from '../../src/runner/result/run-result';
import { createGate } from '../../src/runner/transport/timing';
import { temporaryFolder } from '../support/temporary-folder';
import { type Race, Theatre, THEATRE } from '../support/theatre';
import { SHOWS } from './shows';

const folder = temporaryFolder();
const description = folder.write('theatre.json', THEATRE);
const showsOnly = folder.write('shows.json', SHOWS);

interface Played {
  readonly theatre: Theatre;
  readonly result: RunResult;
  readonly findings: readonly (LocatedFinding & { readonly step: string })[];
}

/** A finding with its place. */
type Found = Played['findings'][number];

function findingsOf(steps: readonly StepResult[]): Found[] {
  return steps.flatMap(({ name, verdict, warnings }) =>
    [...(verdict.kind === 'fail' ? verdict.findings : []), ...warnings].map((each) => ({ ...each, step: name })),
  );
}

async function play(
  contract: string | Readonly<Record<string, string>>,
  races: readonly Race[] = [],
  more: Partial<RunContractOptions> = {},
  onRequest?: Theatre['onRequest'],
): Promise<Played> {
  const theatre = new Theatre(...races);
  theatre.onRequest = onRequest;
  const { url, close } = await theatre.listen();
  const all = Object.entries(typeof contract === 'string' ? { shows: contract } : contract);
  const contracts = all.map(([name, text]) =>
    folder.write(`${name}.yaml`, `standin: contract/1\nname: ${name}\n${text}`),
  );
  const needed = all.some(([, text]) => text.includes('operation: book')) ? description : showsOnly;
  try {
    const result = await runContract({ description: needed, baseUrl: url, contracts, probesAuth: false, ...more });
    return { theatre, result, findings: findingsOf(allSteps(result)) };
  } finally {
    await close();
  }
}

const CLEANUP = `cleanup:
  - { operation: removeShow, parameters: { showId: '\${showId}' }, expect: { status: [204, 404] } }
`;
const SETUP = `setup:
  - operation: addShow
    body: { title: 'Hamlet \${runId}', stage: large, note: first, seats: 1 }
    expect: { status: 201 }
    capture: { showId: $response.body#/id }
`;
const READ = `  - { name: read it, operation: getShow, parameters: { showId: '\${showId}' }, expect: { status: 200 } }\n`;

const BOOKINGS = `${SETUP}steps:
  - name: Ada takes the last seat
    together: the last seat
    operation: book
    body: { showId: '\${showId}', guest: Ada }
    expect: { status: [201, 409] }
  - name: Bob takes it at the same time
    together: the last seat
    operation: book
    body: { showId: '\${showId}', guest: Bob }
    expect: { status: [201, 409] }
    successes: 1
${CLEANUP}`;

const change = (name: string, fields: string, operation = 'changeShow'): string => `  - name: ${name}
    together: changes
    operation: ${operation}
    parameters: { showId: '\${showId}' }
    body: { ${fields} }
    expect: { status: 200 }
`;
const PATCHES = `${SETUP}steps:
${change('change the stage', 'stage: small')}${change('change the note', 'note: second')}${READ}${CLEANUP}`;
const PUTS = `${SETUP}steps:
${change('as a comedy', "title: 'Comedy ${runId}', stage: small, seats: 2", 'replaceShow')}${change('as a tragedy', "title: 'Tragedy ${runId}', stage: large, seats: 3", 'replaceShow')}${READ}${CLEANUP}`;

const tagged = (name: string, stage: string): string => `  - name: ${name}
    together: changes
    operation: changeShow
    parameters: { showId: '\${showId}', If-Match: '\${tag}' }
    body: { stage: ${stage} }
    expect: { status: [200, 412] }
`;
const ONE_TAG = `${SETUP}  - operation: getShow
    parameters: { showId: '\${showId}' }
    expect: { status: 200 }
    capture: { tag: $response.header.ETag }
steps:
${tagged('to the small stage', 'small')}${tagged('to the open air', 'open')}${READ}${CLEANUP}`;

const remove = (name: string): string =>
  `  - { name: ${name}, together: removals, operation: removeShow, parameters: { showId: '\${showId}' }, expect: { status: [204, 404] } }\n`;
const REMOVALS = `${SETUP}steps:\n${remove('remove it')}${remove('remove it too')}`;

test('the steps of a group are under way at the same time, and the next one waits for all', async () => {
  const { theatre, result, findings } = await play(PATCHES, ['waits']);
  expect(findings).toEqual([]);
  // Before them the runner looks what is there, and behind them whether all of its own is gone.
  expect(theatre.log.slice(0, 6)).toEqual([
    { line: 'GET /shows', underWay: 1 },
    { line: 'POST /shows', underWay: 1 },
    { line: 'PATCH /shows/s1', underWay: 2 },
    { line: 'PATCH /shows/s1', underWay: 2 },
    { line: 'GET /shows/s1', underWay: 1 },
    { line: 'DELETE /shows/s1', underWay: 1 },
  ]);
  expect(result.outcome).toBe('conforms');
});

test('requests are under way at the same time also where the run may send few a second', async () => {
  const { theatre } = await play(PATCHES, ['waits'], { ratePerSecond: 20 });
  expect(theatre.log.filter(({ line }) => line.startsWith('PATCH')).map(({ underWay }) => underWay)).toEqual([2, 2]);
});

test('a service that does one request after the other has no findings', async () => {
  const contracts = { BOOKINGS, PATCHES, PUTS, ONE_TAG, REMOVALS };
  // One contract after the other: a title may be taken only once.
  const { result, findings } = await play(contracts, [], { concurrency: 1 });
  expect(findings).toEqual([]);
  expect(
    result.contracts.map(({ name, steps }) => [name, steps.every(({ verdict }) => verdict.kind === 'pass')]),
  ).toEqual(Object.keys(contracts).map((name) => [name, true]));
  expect(result.outcome).toBe('conforms');
  expect(result.leftBehind).toEqual([]);
});

test('so many succeed as the contract says', async () => {
  const { findings, result, theatre } = await play(BOOKINGS, ['oversold']);
  expect(findings).toMatchObject([
    {
      check: 'successes-expected',
      step: 'Bob takes it at the same time',
      expected: '1 of 2',
      actual: '2: "Ada takes the last seat" 201, "Bob takes it at the same time" 201',
      hint: 'Sent again 2 times, it showed each time. Sent one after the other, 1 of them succeeds, as it should be.',
    },
  ]);
  // What the steps of the group made is removed without a step for it.
  expect(result.leftBehind).toEqual([]);
  expect(theatre.bookings.size).toBe(0);
});

test('a lost update is told with the requests and the reason, and with commands that send them at the same time', async () => {
  const { findings, result } = await play(PATCHES, ['lost-update']);
  expect(findings).toMatchObject([
    {
      check: 'no-order',
      severity: 'error',
      step: 'change the note',
      message: 'No order of the requests to /shows/{showId} that were sent at the same time explains their answers',
      hint: 'Sent again 2 times, it showed each time. Sent one after the other, the same requests are answered as they should be.',
    },
  ]);
  expect(findings[0]?.actual).toMatch(
    /^"change the stage" 200 \(stage "small"\), "change the note" 200 \(note "second"\); but /,
  );
  expect(findings[0]?.actual).toMatch(
    /"read it": it shows (?:stage "large" in the place of "small"|note "first" in the place of "second")/,
  );
  const [contract] = result.contracts;
  const step = contract!.steps.find(({ verdict }) => verdict.kind === 'fail')!;
  const commands = reproductionOf({ step, contract }, { kind: 'set' })?.commands ?? [];
  expect(commands.map((line) => line.replace(/http\S*?(?=\/shows)/, '').replaceAll(/ -H "[^"]*"/g, ''))).toEqual([
    'runId=$(date +%s | tail -c 9)',
    expect.stringMatching(/^showId=\$\(curl -sS -X POST "\/shows"/),
    `curl -sSi -X PATCH "/shows/$showId" --data-binary '{"stage":"small"}' &`,
    `curl -sSi -X PATCH "/shows/$showId" --data-binary '{"note":"second"}' &`,
    'wait',
    'curl -i "/shows/$showId"',
  ]);
});

test.each<[races: Race[], contracts: Record<string, string>, steps: string[]]>([
  [['stale-tag', 'twice-removed'], { ONE_TAG, REMOVALS }, ['to the open air', 'remove it too']],
  [['torn-put'], { PUTS }, ['as a tragedy']],
])('other races have no order either: %j', async (races, contracts, steps) => {
  const { findings } = await play(contracts, races, { concurrency: 1 });
  expect(findings.map((each) => `${each.check} ${each.severity} ${each.step}`)).toEqual(
    steps.map((step) => `no-order error ${step}`),
  );
});

test('what is not explained one after the other either is no failure', async () => {
  // The stage is what the removal answers, whatever was there.
  const always = `${SETUP}steps:\n${change('change the title', "title: 'Other ${runId}'")}${change('change the seats', 'seats: 5')}${READ}${CLEANUP}`;
  const { findings, result } = await play(always, ['keeps-seats']);
  expect(findings.filter(({ check }) => check === 'no-order')).toMatchObject([
    { severity: 'warning', step: 'change the seats' },
  ]);
  expect(result.outcome).toBe('conforms');
});

test('without requests left in the budget it is a warning that nothing was sent again', async () => {
  const { findings } = await play(PATCHES, ['lost-update'], { maxRequests: 6 });
  expect(findings).toMatchObject([
    {
      check: 'no-order',
      severity: 'warning',
      hint: expect.stringMatching(/^It was not sent again: it takes 5 requests/),
    },
  ]);
});

test('a run of a part of the contract sends the whole group', async () => {
  const { theatre } = await play(
    BOOKINGS.replace('together: the last seat', 'together: the last seat\n    tags: [ada]'),
    [],
    { only: ['ada'] },
  );
  expect(theatre.log.filter(({ line }) => line === 'POST /bookings').length).toBe(2);
});

test('mode own sends a group at what the run made', async () => {
  const { findings, result, theatre } = await play(PATCHES, ['waits'], { mode: 'own' });
  expect(findings).toEqual([]);
  expect(result.outcome).toBe('conforms');
  expect(theatre.log.filter(({ underWay }) => underWay === 2).length).toBe(2);
});

test('a run that is stopped in a group leaves nothing of it', async () => {
  const stop = new AbortController();
  const contract = BOOKINGS.replace(CLEANUP, READ + CLEANUP);
  const { result, theatre } = await play(contract, [], { signal: stop.signal }, (line) => {
    if (line === 'POST /bookings') stop.abort();
  });
  expect(result.outcome).toBe('inconclusive');
  expect(theatre.log.filter(({ line }) => line === 'POST /bookings').length).toBe(2);
  expect(result.leftBehind).toEqual([]);
  expect([...theatre.bookings, ...theatre.shows]).toEqual([]);
});

test('what a group may make is written down before any of it is sent', async () => {
  const ledger = folder.file('ledger.ndjson');
  let written: number | undefined;
  await play(BOOKINGS, [], { ledger }, (line) => {
    if (line !== 'POST /bookings') return;
    written ??= readFileSync(ledger, 'utf8')
      .split('\n')
      .filter((each) => each.includes('"pending"') && each.includes('"book"')).length;
  });
  expect(written).toBe(2);
});

describe('a mock beside the target gets a group in the order that explains it', () => {
  test('where there is one', async () => {
    const contracts = { PATCHES, PUTS, ONE_TAG, REMOVALS };
    // The later one is done first.
    const { findings, result } = await play(contracts, ['waits'], { lockStep: true, concurrency: 1 });
    expect(findings).toEqual([]);
    const sent = allSteps(result).filter(({ status }) => status !== undefined);
    expect(sent.length).toBeGreaterThan(12);
    expect(result.lockStep?.compared).toBe(sent.length);
    expect(result.lockStep?.omitted).toEqual([]);
  });

  test('a group without an order is compared with nothing', async () => {
    const { findings, result } = await play(PATCHES, ['lost-update'], { lockStep: true });
    expect(findings.map(({ check }) => check)).toEqual(['no-order']);
    expect(result.lockStep?.omitted).toEqual([
      { reason: 'requests at the same time were answered as in no order of them', steps: 4 },
    ]);
  });
});

test('in mode own a removal comes alone once more where a read shows that nothing is there', async () => {
  const { findings } = await play(REMOVALS, ['twice-removed'], { mode: 'own' });
  expect(findings).toMatchObject([{ check: 'no-order', severity: 'error' }]);
});

// A read shows that what is marked as removed is the run's own still, so that it may be removed once more.
test.each(['full', 'own'] as const)('where removals only mark, mode %s warns', async (mode) => {
  const { findings } = await play(REMOVALS, ['marks'], { mode });
  const hint = 'Sent one after the other, the same requests are not explained either: ';
  const found = findings.filter(({ check }) => check === 'no-order');
  expect(found).toMatchObject([{ severity: 'warning', hint: expect.stringContaining(hint) }]);
});

test('one that is not sent after all keeps the others of its group from nothing', async () => {
  const [first, second, third] = createGate(3);
  const gone: string[] = [];
  const through = Promise.all([first!.arrive(), second!.arrive()]).then(() => gone.push('both'));
  await Promise.resolve();
  expect(gone).toEqual([]);
  third!.leave();
  third!.leave();
  await through;
  expect(gone).toEqual(['both']);
});

import { mkdirSync } from 'node:fs';
import { loadBaseline } from '../../src/cli/actions/report-files';
import { StandinError } from '../../src/core/errors/standin-error';
import { loadApi } from '../../src/files/load-api';
import { loadContracts } from '../../src/files/load-contracts';
import { loadFixtures, loadOverrides, loadTokens } from '../../src/files/load-mock-files';
import { loadOverlay, namedPack } from '../../src/files/load-rules-and-packs';
import { readTextFile } from '../../src/files/file-access';
import { formatReport, REPORT_KINDS } from '../../src/report/registry';
import { mergeResults, readResultJson } from '../../src/report/result/merge-results';
import { checkLedger, readLedger } from '../../src/runner/ownership/ledger-lines';
import { failed, findingOf, PASSED, resultOfSteps } from '../report/results';
import { pickSample } from '../support/sample';
import { temporaryFolder } from '../support/temporary-folder';
import { collectionsAt } from './fixture-resources';

const folder = temporaryFolder();
const { api } = loadApi();
const identity = { subject: 'The body', rule: 'is missing', expected: '' };
const FINDING = findingOf('body-schema', '/response/body', { statuses: [200], identity });
const START = { kind: 'run', format: 'ledger/1', runId: '1a2b3c4d', baseUrl: 'http://a', description: 'a.yaml' };
const ACCEPTED = { fingerprint: '123456789abc', check: 'allow', reason: 'r', owner: 'o', expires: '2031-01-01' };
const STEP = {
  operation: 'getPet',
  parameters: { petId: '${id}' },
  expect: { status: 200, body: { id: { $min: 1 } } },
};

/** A file that is as it should be, and what reads it to its end. */
interface Kind {
  readonly kind: string;
  readonly good: unknown;
  readonly file?: string;
  readonly read: (file: string) => unknown;
}

const seed = process.env['STANDIN_TEST_SEED'] ?? '';
/** Each result that is read is written in every third of the forms, and the next one in others of them. */
let [reads = 0] = pickSample([0, 1, 2], 1, seed);

const KINDS: readonly Kind[] = [
  { kind: 'baseline', good: { standin: 'baseline/1', accepted: [ACCEPTED] }, read: loadBaseline },
  {
    kind: 'result',
    good: JSON.parse(
      formatReport('json', { ...resultOfSteps(failed([FINDING]), PASSED), shard: { index: 1, count: 1 } }),
    ) as unknown,
    read(file) {
      const result = mergeResults([{ file, result: readResultJson(readTextFile(file, 'CONFIG_INVALID'), file) }]);
      const third = reads++ % 3;
      return REPORT_KINDS.filter((_, index) => index % 3 === third).map((kind) => formatReport(kind, result));
    },
  },
  {
    kind: 'tokens',
    good: { standin: 'tokens/1', tokens: { ann: { key: 'k', scopes: ['a'], expires: '2031-01-01T00:00:00Z' } } },
    read: loadTokens,
  },
  {
    kind: 'overrides',
    good: {
      standin: 'overrides/1',
      operations: { replacePet: { behaviour: 'act', resource: '/pets', sets: { status: 'sold' } } },
    },
    read: (file) => loadOverrides(file, api),
  },
  {
    kind: 'overlay',
    good: { overlay: '1.0.0', info: { title: 't', version: '1' }, actions: [{ target: '$.info', update: { a: 1 } }] },
    read: loadOverlay,
  },
  {
    kind: 'pack',
    good: { standin: 'pack/1', name: 'n', about: 'a', titles: ['t'] },
    file: 'pack/pack.yaml',
    read: (file) => namedPack(file.replace(/\/pack\.yaml$/, '')),
  },
  {
    kind: 'fixture',
    good: { standin: 'fixture/1', collections: { '/books': [{ id: 1 }] } },
    read: (file) => loadFixtures(file, collectionsAt('/books')),
  },
  {
    kind: 'contract',
    good: { standin: 'contract/1', name: 'n', variables: { id: { default: 1, type: 'integer' } }, steps: [STEP] },
    read: (file) => loadContracts([file], api),
  },
  {
    kind: 'ledger',
    good: { ...START, startedAt: '2031-01-01T00:00:00Z' },
    read(file) {
      checkLedger(readLedger(readTextFile(file, 'CONFIG_INVALID'), file), api);
    },
  },
];

/** What is wrong with the message about a file; `undefined` for one that is taken, or told as it should be. */
function faultOf({ read, file = 'file.json' }: Kind, what: string, content: string | Uint8Array): string | undefined {
  const path = folder.write(file, content);
  try {
    read(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof StandinError)) return `${what}: ${String(error)}`;
    const { message, findings } = error;
    const isNamed = message.includes(path) || findings.some((finding) => finding.file === path);
    return isNamed && !message.includes('\n') ? undefined : `${what}: ${message}`;
  }
}

/** The value with one part of it changed: gone, under another name, or another value. */
function* changed(value: unknown, at = ''): Generator<readonly [string, unknown]> {
  for (const other of [null, true, -1, 1e300, '', 'x\n\0', [], {}, [null]])
    yield [`${at} = ${JSON.stringify(other)}`, other];
  if (typeof value !== 'object' || value === null) return;
  const entries = Object.entries(value);
  const rebuilt = (parts: readonly (readonly [string, unknown])[]): unknown =>
    Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  yield [`${at}/__proto__`, rebuilt([...entries, ['__proto__', {}]])];
  for (const [name, part] of entries) {
    yield [`${at} without ${name}`, rebuilt(entries.filter(([other]) => other !== name))];
    for (const [what, next] of changed(part, `${at}/${name}`))
      yield [what, rebuilt(entries.map(([other, old]) => [other, other === name ? next : old]))];
  }
}

describe.each(KINDS)('a file of kind $kind', (kind) => {
  const text = JSON.stringify(kind.good);

  test('with any part changed is read, or refused in a line that names the file', () => {
    const all = [...changed(kind.good)];
    const replaced = all.filter(([what]) => what.includes(' = '));
    const rebuilt = all.filter(([what]) => !what.includes(' = '));
    // With each commit other values in the place of other parts.
    const tried = [...rebuilt, ...pickSample(replaced, 50, seed)];
    const faults = tried.flatMap(([what, other]) => faultOf(kind, what, JSON.stringify(other)) ?? []);
    expect(faults).toEqual([]);
  });

  test('that is another file altogether is refused in a line that names the file', () => {
    const others = {
      ...{
        nothing: '',
        space: ' \n',
        'a byte order mark': '\ufeff',
        'NUL bytes': `\0${text}`,
        half: text.slice(0, 20),
      },
      ...{ UTF16: Buffer.from(text, 'utf16le'), deep: '['.repeat(10_000), 'a cycle': '&a [*a]', 'no anchor': 'a: *b' },
      ...{ twice: `${text}\n---\n${text}`, 'another version': text.replace(/\/1"/, '/99"'), HTML: '<html>' },
    };
    const faults = Object.entries(others).flatMap(([what, other]) => faultOf(kind, what, other) ?? []);
    expect(faults).toEqual([]);
    const place = folder.file('folder.json');
    mkdirSync(`${place}/pack.yaml`, { recursive: true });
    expect(() => kind.read(place)).toThrow(StandinError);
    expect(() => kind.read(`${folder.write('text', '')}/below`)).toThrow(StandinError);
  });

  test('that begins with a byte order mark is read', () => {
    const path = folder.write(kind.file ?? 'file.json', `\ufeff${text}`);
    expect(() => kind.read(path)).not.toThrow();
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startAppServer } from '../support/app-server';
import { temporaryFolder } from '../support/temporary-folder';
import { type Check, type JsonObject, type Law, LAWS, type Trial } from './checks';
import { createSend } from './client';
import { describe as readDocument } from './description';
import { isOpen } from './documents';
import { findFailures } from './gate';
import { judgeLaws } from './laws';
import { type Bug, BUGS, createNotes, DESCRIPTION } from './notes-server';
import { readOptions, USAGE } from './options';
import { createSchemas } from './schemas';
import { createSession } from './session';
import { formatPage, formatReport } from './table';
import { tryDocument } from './trial';
import { isRealDate, judgeValues } from './values';
import { findWay } from './walk';

const description = readDocument(DESCRIPTION);
const schemas = createSchemas(description);

/** @param isTried - of the paths, those that are tried */
async function judgeNotes(bug?: Bug, isTried = (_path: string) => true): Promise<readonly Check[]> {
  const server = await startAppServer(createNotes(bug));
  const limitMs = bug === 'never answers a list' ? 100 : 10_000;
  const send = createSend(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, limitMs);
  const tried = { ...description, operations: description.operations.filter(({ path }) => isTried(path)) };
  const session = createSession({ description: tried, schemas }, send, () => Promise.resolve());
  await judgeLaws(session, 10, () => false);
  return session.checks;
}

function lawsOf(checks: readonly Check[], verdict: Check['verdict']): string[] {
  return [...new Set(checks.filter((check) => check.verdict === verdict).map(({ law }) => law))];
}

test('every law holds at an honest server', async () => {
  const checks = await judgeNotes();
  expect(checks.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  expect(lawsOf(checks, 'holds').sort()).toEqual(
    LAWS.filter((law) => !['starts', 'batch', 'content'].includes(law)).sort(),
  );
});

test.each(Object.entries(BUGS) as [Bug, string][])('a server that %s breaks the law "%s"', async (bug, law) => {
  const isOfJobs = ['total', 'act', 'ready'].includes(law);
  const checks = await judgeNotes(bug, (path) => path.startsWith('/jobs') === isOfJobs);
  expect(lawsOf(checks, 'violated')).toContain(law);
});

test('a mock that does not start breaks the law "starts"', async () => {
  const folder = temporaryFolder();
  const command = folder.write('ends.cjs', 'process.exit(3)');
  const { checks } = await tryDocument(command, folder.write('notes.json', JSON.stringify(DESCRIPTION)), 'notes');
  expect(checks).toMatchObject([
    { law: 'starts', verdict: 'violated', answer: expect.stringContaining('ended with 3') },
  ]);
  folder.remove();
});

test.each([
  ['position', 'Where the paged result continues', 'position'],
  ['bookmark', 'Returned for the next page', 'next_bookmark'],
  ['color', 'Color of the notes', undefined],
  ['since_id', 'Only notes after this one', undefined],
])('the parameter %s (%s) leads on where the answer has it or the last key is enough', (name, about, told) => {
  const isCursor = told !== undefined || name === 'since_id';
  const properties = { notes: { type: 'array' }, color: { type: 'string' }, [told ?? 'other']: { type: 'string' } };
  const document: JsonObject = {
    openapi: '3.0.3',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes': {
        get: {
          parameters: [{ name, in: 'query', description: about, schema: { type: 'string' } }],
          responses: { 200: { description: 'ok', content: { 'application/json': { schema: { properties } } } } },
        },
      },
    },
  };
  const read = readDocument(document);
  const session = createSession(
    { description: read, schemas: createSchemas(read) },
    createSend('http://127.0.0.1:1', 1),
  );
  expect(findWay(read.operations[0]!, session).cursor?.name).toBe(isCursor ? name : undefined);
});

test('what cannot be read is not tried', async () => {
  const folder = temporaryFolder();
  expect(await tryDocument('', folder.write('text.yaml', '[]'), 'text')).toMatchObject({
    checks: [],
    unread: expect.any(String),
  });
  folder.remove();
});

test.each([
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['8497-09-83', false],
  ['2026-01-02T24:00:00Z', false],
])('%s is a real date: %s', (text, isReal) => {
  expect(isRealDate(text)).toBe(isReal);
});

test.each<[string, JsonObject, unknown, boolean]>([
  ['homepage_url', { type: 'string' }, 'cedar', false],
  ['homepage_url', { type: 'string' }, 'https://example.com', true],
  ['start', { type: 'string', example: '2026-01-02' }, 'cedar', false],
  ['release', { type: 'string', example: '1.2.3' }, 'cedar', false],
  ['expires_at', { type: 'string', format: 'date-time' }, '2001-01-01T00:00:00Z', false],
  ['kind', { type: 'string', enum: ['note'] }, 'cedar', false],
  ['token_type', { type: 'string' }, 'bearer', true],
  ['token_type', { type: 'string' }, 'cedar', false],
])('%s of %j may be %j: %s', (name, schema, value, isUsable) => {
  const judged = judgeValues(
    schemas,
    { type: 'object', properties: { [name]: schema } },
    { [name]: value },
    () => false,
  );
  expect(judged.every((one) => one.isUsable)).toBe(isUsable);
});

test('the report counts what holds, and shows what does not', () => {
  const check = {
    law: 'list',
    operation: 'GET /notes',
    request: 'GET /notes',
    answer: '200 []',
    expected: 'the list has 1',
  } as const;
  const checks = [
    { ...check, verdict: 'violated' },
    { ...check, verdict: 'holds' },
  ] as const;
  const report = formatReport([{ name: 'notes', collections: ['/notes'], checks, requests: 2, seconds: 0 }], 'One.');
  expect(report).toContain('| list | the list has what was created | 1 | 1 | 0 | 50.0 % |');
  expect(report).toContain('- notes ``GET /notes``');
});

function createTrial(checks: readonly (readonly [Law, Check['verdict']])[]): Trial {
  const operation = 'GET /notes';
  const all = checks.map(([law, verdict]) => ({ law, verdict, operation, answer: '200 a|b', expected: 'one' }));
  return { name: 'notes', collections: [], checks: all, requests: 0, seconds: 0 };
}

test('the page has the choice of descriptions and each violation on one line', () => {
  const page = formatPage([createTrial([['list', 'violated']])], { command: 'npm run laws -- --sample 1', open: 7 });
  expect(page).toContain('`npm run laws -- --sample 1 --write`');
  expect(page).toContain('The 1 descriptions are a sample of 7');
  expect(page).toContain('| list | notes | ``GET /notes`` | ``one`` | ``200 a\\|b`` |');
});

describe('--ci', () => {
  const holding = Array.from({ length: 199 }, () => ['list', 'holds'] as const);
  const others = [
    ['create', 'not applicable'],
    ['list', 'violated'],
  ] as const;

  test('passes where nearly all checks hold', () => {
    expect(findFailures([createTrial([...holding, ...others])])).toEqual([]);
  });

  test('fails where too few checks hold', () => {
    const failures = findFailures([createTrial([...holding.slice(0, 60), ...others])]);
    expect(failures).toEqual(['60 of 61 checks hold (98.4 %); at least 98.5 % must hold']);
  });

  test.each(['starts', 'no 5xx', 'no hang'] as const)('fails where the law "%s" is violated once', (law) => {
    const failures = findFailures([createTrial([...holding, [law, 'violated']])]);
    expect(failures).toEqual([`law "${law}" is violated: notes GET /notes: 200 a|b`]);
  });

  test('fails where no check was made', () => {
    expect(findFailures([])).toEqual(['no check was made']);
  });
});

describe('the command line', () => {
  test('has defaults', () => {
    expect(readOptions([])).toMatchObject({ sample: 200, only: '', ci: false, write: false });
    expect(readOptions(['--sample', '60', '--jobs', '1'])).toMatchObject({ sample: 60, jobs: 1 });
  });

  test('--help names every option', () => {
    expect(Object.keys(readOptions([])).filter((name) => !USAGE.includes(`  --${name} `))).toEqual([]);
  });

  test.each([
    [['--smaple', '60'], '--smaple'],
    [['--sample', 'many'], "takes a whole number from 1, not 'many'"],
  ])('%j is an error that names the option', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});

test('about half of the published descriptions are open', () => {
  const names = Array.from({ length: 200 }, (_, at) => `name-${at}`);
  expect(Math.abs(names.filter(isOpen).length - 100)).toBeLessThan(25);
});

test('the harness knows nothing of the mock: it imports nothing of src, not even through others', () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, target] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import|require)\s*\(?\s*'(\.[^']+|standin[^']*)'/g,
    )) {
      const path = join(file, '..', target!);
      visit(path.endsWith('.ts') ? path : `${path}.ts`);
    }
  };
  for (const name of readdirSync(__dirname)) visit(join(__dirname, name));
  const root = join(__dirname, '..', '..');
  expect([...seen].filter((file) => !file.startsWith(join(root, 'test')))).toEqual([]);
});

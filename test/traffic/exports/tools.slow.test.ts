import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { runContract } from '../../../src/library/run-contract';
import { exitCodeOf } from '../../../src/report/causes/run-summary';
import type { ExportName } from '../../../src/traffic/exports/registry';
import { inBrowser, launch } from '../../browser/chromium';
import { endedHere } from '../../cli/standin-process';
import { startServer, type TestServer } from '../../support/server';
import { temporaryFolder } from '../../support/temporary-folder';
import { ran } from './shell';
import { CORE, exportedFile, PETSTORE, SHOP } from './shop';
import { installTools, toolModule, toolPath } from './tools';

jest.setTimeout(300_000);

const folder = temporaryFolder();
const lack = installTools();
if (lack !== undefined) process.stderr.write(`The tools that read exports cannot be installed here: ${lack}\n`);
const withTools = lack === undefined ? describe : describe.skip;

interface Tool {
  readonly extension: string;
  /** Is everything as expected at the address? */
  readonly passes: (file: string, url: string) => Promise<boolean>;
}

const TOOLS: Readonly<Partial<Record<ExportName, Tool>>> = {
  arazzo: {
    extension: 'arazzo.yaml',
    async passes(file, url) {
      const inputs = ['--input', 'apiKey=test-key', '--input', 'runId=1a2b3c4d'];
      const { code, stdout, stderr } = await ran(toolPath('redocly'), [
        'respect',
        file,
        ...inputs,
        '--server',
        `api=${url}`,
      ]);
      // Green because nothing was run would be none.
      expect(`${stdout}${stderr}`).toMatch(/Steps: \d+ (?:passed|failed)/);
      return code === 0;
    },
  },
  postman: {
    extension: 'json',
    async passes(file, url) {
      const variables = ['--env-var', 'STANDIN_API_KEY=test-key', '--env-var', `BASE_URL=${url}`];
      const { code, stdout } = await ran(toolPath('newman'), ['run', file, ...variables, '--disable-unicode']);
      expect(stdout).toMatch(/assertions \| +[1-9]/);
      return code === 0;
    },
  },
};

/** Ways in which a server is wrong, and a contract that finds it. */
const FAULTS: readonly [what: string, contract: string, operation: string, response: object][] = [
  ['a pet cannot be added', 'pets', 'createPet', { status: 500 }],
  [
    'every pet is another one',
    'pets',
    'getPet',
    { status: 200, body: { id: 1, name: 'Biscuit', categoryId: 1, status: 'available' } },
  ],
  ['no category is in the list', 'categories', 'listCategories', { status: 200, body: [] }],
  ['whoever asks is let in', 'errors', 'listPets', { status: 200, body: [] }],
];

withTools.each(Object.entries(TOOLS))('%s', (name, { extension, passes }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterEach(() => {
    server.app.reset();
  });
  afterAll(() => server.close());

  const written = (contract: string): string =>
    folder.write(`${contract}.${extension}`, exportedFile(name as ExportName, join(CORE, `${contract}.yaml`)).text);

  const holds = async (contract: string): Promise<boolean> => {
    const contracts = [join(CORE, `${contract}.yaml`)];
    const result = await runContract({ contracts, description: PETSTORE, baseUrl: server.url, probesAuth: false });
    return exitCodeOf(result.outcome) === 0;
  };

  test.each(readdirSync(CORE).map((file) => file.replace('.yaml', '')))(
    'contracts/core/%s is green at the mock, as it is for standin verify',
    async (contract) => {
      expect(await holds(contract)).toBe(true);
      server.app.reset();
      expect(await passes(written(contract), server.url)).toBe(true);
    },
  );

  test.each(FAULTS)('%s: red, as it is for standin verify', async (_, contract, operation, response) => {
    server.app.respond(operation, response);
    expect(await holds(contract)).toBe(false);
    server.app.respond(operation, response);
    expect(await passes(written(contract), server.url)).toBe(false);
  });
});

withTools('HAR', () => {
  test('is valid by the published schema', async () => {
    const har = JSON.parse((await endedHere(['export', folder.write('a.yaml', SHOP), '--har', '--out', '-'])).stdout);
    const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false });
    // They name a draft that Ajv knows no more, and use nothing of it that has changed.
    const schemas = Object.values(toolModule('har-schema') as Record<string, object>);
    for (const schema of schemas) ajv.addSchema(JSON.parse(JSON.stringify({ ...schema, $schema: undefined })));
    const isValid = ajv.validate('har.json#', har);
    expect([ajv.errors, isValid]).toStrictEqual([null, true]);
  });
});

inBrowser('a HAR file', () => {
  test('is what a browser takes for the service', async () => {
    const file = folder.write(
      'b.har',
      (
        await endedHere([
          'export',
          folder.write('b.yaml', SHOP),
          '--har',
          '--out',
          '-',
          '--base-url',
          'https://shop.test',
        ])
      ).stdout,
    );
    const { log } = JSON.parse(readFileSync(file, 'utf8'));
    const made = JSON.parse(log.entries[1].response.content.text) as { id: number };
    const browser = await launch();
    try {
      const context = await browser.newContext();
      await context.routeFromHAR(file, { notFound: 'abort' });
      const page = await context.newPage();
      const shown = await page.goto(`https://shop.test/pets/${made.id}`);
      expect([shown?.status(), await shown?.json()]).toStrictEqual([
        200,
        expect.objectContaining({ name: "O'Neil #1" }),
      ]);
    } finally {
      await browser.close();
    }
  });
});

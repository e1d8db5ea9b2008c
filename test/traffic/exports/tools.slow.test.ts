import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Ajv from 'ajv';
import { runContract } from '../../../src/library/run-contract';
import { exitCodeOf } from '../../../src/report/causes/run-summary';
import type { ExportName } from '../../../src/traffic/exports/registry';
import { inBrowser, inDeveloperTools, launch, openDeveloperTools } from '../../browser/chromium';
import { endedHere } from '../../cli/standin-process';
import { serverOfTests } from '../../support/server';
import { temporaryFolder } from '../../support/temporary-folder';
import { ran } from './shell';
import { CONTRACTS, CORE, exportedFile, FULL, PETSTORE, SHOP } from './shop';
import { installTools, toolModule, toolPath } from './tools';

jest.setTimeout(300_000);

const folder = temporaryFolder();
const lack = installTools();
if (lack !== undefined) process.stderr.write(`The tools that read exports cannot be installed here: ${lack}\n`);
const withTools = lack === undefined ? describe : describe.skip;

interface Tool {
  readonly extension: string;
  /** Folders of contracts that it has to run with the verdicts of `standin verify`. */
  readonly folders: readonly string[];
  /** The files in which something is not as expected at the address. */
  readonly failed: (files: readonly string[], url: string) => Promise<string[]>;
}

const TOOLS: Readonly<Partial<Record<ExportName, Tool>>> = {
  arazzo: {
    extension: 'arazzo.yaml',
    folders: [CORE, FULL],
    async failed(files, url) {
      const inputs = ['--input', 'apiKey=test-key', '--input', 'runId=1a2b3c4d'];
      const { stdout, stderr } = await ran(toolPath('redocly'), [
        'respect',
        ...files,
        ...inputs,
        '--server',
        `api=${url}`,
      ]);
      // Green because nothing was run would be none.
      const steps = [...`${stdout}${stderr}`.matchAll(/Steps: (\d+) (?:passed|failed)/g)];
      expect(steps).toHaveLength(files.length);
      const verdicts = new Map([...stdout.matchAll(/│ ([✓x]) (\S+)/g)].map(([, mark, name]) => [name, mark]));
      return files.filter((file) => verdicts.get(basename(file)) !== '✓');
    },
  },
  postman: {
    extension: 'json',
    folders: [CORE],
    async failed(files, url) {
      const variables = ['--env-var', 'STANDIN_API_KEY=test-key', '--env-var', `BASE_URL=${url}`];
      const failed: string[] = [];
      for (const file of files) {
        const { code, stdout } = await ran(toolPath('newman'), ['run', file, ...variables, '--disable-unicode']);
        expect(stdout).toMatch(/assertions \| +[1-9]/);
        if (code !== 0) failed.push(file);
      }
      return failed;
    },
  },
};

const OTHER_PET = { id: 1, name: 'Biscuit', categoryId: 1, status: 'available' };

/** Ways in which a server is wrong, and a contract that finds it. */
const FAULTS: readonly [what: string, contract: string, operation: string, response: object][] = [
  ['a pet cannot be added', 'core/pets', 'createPet', { status: 500 }],
  ['every pet is another one', 'core/pets', 'getPet', { status: 200, body: OTHER_PET }],
  ['no category is in the list', 'core/categories', 'listCategories', { status: 200, body: [] }],
  ['whoever asks is let in', 'core/errors', 'listPets', { status: 200, body: [] }],
  ['another pet is the first of a list', 'full/pets-delete', 'listPets', { status: 200, body: [OTHER_PET] }],
];

withTools.each(Object.entries(TOOLS))('%s', (name, { extension, folders, failed }) => {
  const server = serverOfTests();
  afterEach(() => {
    server.app.reset();
  });

  const written = (contract: string): string => {
    const file = `${basename(dirname(contract))}-${basename(contract, '.yaml')}.${extension}`;
    return folder.write(file, exportedFile(name as ExportName, contract).text);
  };

  const holds = async (...contracts: string[]): Promise<boolean> => {
    const result = await runContract({ contracts, description: PETSTORE, baseUrl: server.url, probesAuth: false });
    return exitCodeOf(result.outcome) === 0;
  };

  test.each(folders.map((of) => [basename(of), of]))(
    'contracts/%s: green at the mock, as for standin verify',
    async (_, of) => {
      const contracts = readdirSync(of).map((file) => join(of, file));
      expect(await holds(...contracts)).toBe(true);
      server.app.reset();
      expect(await failed(contracts.map(written), server.url)).toStrictEqual([]);
    },
  );

  test.each(FAULTS.filter(([, contract]) => folders.some((of) => contract.startsWith(basename(of)))))(
    '%s: red, as it is for standin verify',
    async (_, contract, operation, response) => {
      const file = join(CONTRACTS, `${contract}.yaml`);
      server.app.respond(operation, response);
      expect(await holds(file)).toBe(false);
      server.app.respond(operation, response);
      expect(await failed([written(file)], server.url)).toHaveLength(1);
    },
  );
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

inDeveloperTools('the developer tools of Chromium', () => {
  test('import the HAR file of a contract, and show each of its requests', async () => {
    const [contract, file] = [folder.write('c.yaml', SHOP), folder.file('c.har')];
    expect((await endedHere(['export', contract, '--har', '--out', file])).exitCode).toBe(0);
    const page = await openDeveloperTools();
    try {
      await page.getByRole('tab', { name: 'Network' }).click();
      const chosen = page.waitForEvent('filechooser');
      await page
        .getByRole('button', { name: /^Import HAR/ })
        .last()
        .click();
      await (await chosen).setFiles(file);
      // The rows behind the last request are empty.
      await page.getByText(/^6 requests/).waitFor();
      const rows = await page
        .locator('tr', { hasText: '127.0.0.1' })
        .evaluateAll((each) =>
          each.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
        );
      const shown = rows.map(([name = '', status = '', type = '']) => [
        name.replace(/127\.0\.0\.1.*/, ''),
        Number.parseInt(status, 10),
        type,
      ]);
      expect(shown).toStrictEqual([
        ['categories', 201, 'fetch'],
        ['pets', 201, 'fetch'],
        [expect.stringMatching(/^[0-9]+$/), 200, 'fetch'],
        [expect.stringMatching(/^[0-9]+$/), 401, 'fetch'],
        [expect.stringMatching(/^[0-9]+$/), 204, 'fetch'],
        [expect.stringMatching(/^[0-9]+$/), 204, 'fetch'],
      ]);
    } finally {
      await page.context().browser()?.close();
    }
  });
});

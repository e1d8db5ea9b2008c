import { existsSync } from 'node:fs';
import { pickSample } from '../../support/sample';
import { temporaryFolder } from '../../support/temporary-folder';
import { serverOfTests } from '../../support/server';
import { isFound, type Ran, ran } from './shell';
import { exported, SHOP } from './shop';

// A script starts several programs for each step, so that most tests have few steps.
const CATEGORY = `
standin: contract/1
name: A category
setup:
  - name: add a category
    operation: createCategory
    body: { name: 'Cats \${runId}' }
    expect: { status: 201 }
    capture: { categoryId: $response.body#/id }
steps:
  - name: it is there
    operation: getCategory
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: 200 }
  - name: nobody sees another one
    operation: getCategory
    parameters: { categoryId: 999 }
    expect: { status: 404 }
cleanup:
  - name: remove the category
    operation: deleteCategory
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: 204 }
`;
const PET = `
standin: contract/1
name: A pet
steps:
  - name: it is there
    operation: getPet
    parameters: { petId: 1 }
    expect: { status: 200, body: { id: 1, status: { $enum: [sold, pending] } } }
`;

const inBash = ['bash', 'curl', 'jq', 'awk'].every(isFound) ? describe : describe.skip;

inBash('an exported script, run', () => {
  const folder = temporaryFolder();
  const server = serverOfTests();
  afterEach(() => {
    server.app.reset();
  });

  async function run(contract: string, key = 'test-key'): Promise<Ran> {
    const script = folder.write('contract.sh', exported('curl', contract, { baseUrl: server.url }).text);
    return ran('bash', [script], { env: { STANDIN_API_KEY: key } });
  }

  const count = (): number => Object.values(server.app.state()).flat().length;

  test('passes at the mock, and leaves nothing behind', async () => {
    const before = count();
    const { code, stdout, stderr } = await run(SHOP);
    expect([stderr, code]).toStrictEqual(['', 0]);
    expect(stdout.trim().split('\n')).toStrictEqual([
      '- add a category',
      '- add a pet',
      '- it is there',
      '- nobody sees it without a key',
      '- remove the pet',
      '- remove the category',
    ]);
    expect(count()).toBe(before);
  });

  test('fails with code 1 where a status is another one, goes on, and removes what was made', async () => {
    const before = count();
    server.app.respond('getCategory', { status: 404, times: 1 });
    const { code, stdout, stderr } = await run(CATEGORY);
    expect(code).toBe(1);
    expect(stderr).toContain('FAILED it is there: expected status 200, got 404');
    expect(stderr).not.toContain('FAILED nobody sees another one');
    expect(stdout).toContain('- nobody sees another one');
    expect(count()).toBe(before);
  });

  test('fails where a property is another one', async () => {
    const { code, stderr } = await run(PET);
    expect(code).toBe(1);
    expect(stderr).toContain('FAILED it is there: /status is not as expected');
  });

  test('sends nothing that needs a value which was not there, and no step without its setup', async () => {
    const { code, stdout, stderr } = await run(SHOP, 'another-key');
    expect(code).toBe(1);
    expect(stderr).toContain('FAILED add a category: expected status 201, got 401');
    expect(stderr).toContain('skipped: there is no categoryId');
    expect(stdout).not.toContain('add a pet');
  });

  test('says which variable is missing', async () => {
    const script = folder.write('contract.sh', exported('curl', SHOP, { baseUrl: server.url }).text);
    const { code, stderr } = await ran('bash', [script]);
    expect([code, stderr]).toStrictEqual([1, expect.stringContaining('STANDIN_API_KEY: the key of the service')]);
  });

  test('sends texts of several lines, quotes and empty headers as they are', async () => {
    const { code, stderr } = await run(`
standin: contract/1
name: Texts
steps:
  - name: lines
    operation: createCategory
    text: "{\\"name\\":\\n\\t\\"It's \\\\\\"so\\\\\\" \${runId}\\"}"
    expect: { status: 201, body: { name: 'It''s "so" \${runId}' } }
    capture: { id: { from: $response.header.Location, pattern: '([0-9]+)$' }, status: $statusCode, url: $url }
  - name: an empty key
    operation: createCategory
    headers: { Idempotency-Key: '' }
    body: { name: 'Other \${runId}' }
    expect: { status: 400 }
  - name: what was captured
    method: GET
    path: /pets/\${id}
    headers: { X-Was: '\${status} \${url}' }
    expect: { status: [200, 404] }
`);
    expect([stderr, code]).toStrictEqual(['', 0]);
  });

  test('keeps values whatever they are called, and sends texts that look like its variables as they are', async () => {
    // To keep a value takes several programs: some of the names with each commit.
    const others = ['status', 'title', 'json', 'name', 'label', 'folder_url'];
    const names = ['folder', 'code', 'PATH', ...pickSample(others, 2, process.env['STANDIN_TEST_SEED'] ?? '')];
    const text = '$BASE_URL$STANDIN_API_KEY $${folder_url} ${runId}';
    const { code, stderr } = await run(`
standin: contract/1
name: Names
steps:
  - name: make
    operation: createCategory
    body: { name: '${text}' }
    expect: { status: 201, body: { name: '${text}' } }
    capture: { ${names.map((name) => `${name}: $response.body#/id`).join(', ')} }
  - name: read it
    operation: getCategory
    parameters: { categoryId: '\${PATH}' }
    expect: { status: 200, body: { id: '\${folder}', name: '${text}' } }
  - name: use all of them
    operation: createCategory
    body: { name: '${names.map((name) => `\${${name}}`).join(' ')}' }
    expect: { status: 201, body: { name: '${names.map(() => 3).join(' ')}' } }
cleanup:
  - name: remove
    operation: deleteCategory
    parameters: { categoryId: '\${code}' }
    expect: { status: 204 }
`);
    expect([stderr, code]).toStrictEqual(['', 0]);
  });

  test('runs nothing that the address of a service would have a shell run', async () => {
    const mark = folder.file('ran');
    const script = exported('curl', PET, { baseUrl: `${server.url}/$(touch$IFS${mark})/it's` }).text;
    const { stderr } = await ran('bash', [folder.write('address.sh', script)], {
      env: { STANDIN_API_KEY: 'test-key' },
    });
    expect(existsSync(mark)).toBe(false);
    expect(stderr).not.toContain('address.sh');
  });
});

import { rmSync } from 'node:fs';
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { SHOP, SHOP_DATA } from '../issuer/shop';
import { type Agent, startAgent } from './agents';
import { makeWritableFolder } from './tasks';

const folder = makeWritableFolder();

const CONTRACT = `standin: contract/1
name: A category
steps:
  - operation: createCategory
    body: { name: 'Dogs \${runId}' }
    expect: { status: 201 }
    capture: { categoryId: $response.body#/id }
cleanup:
  - operation: deleteCategory
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: 204 }
`;

/** Each tool with a good call and what it must say, and a bad one and what is said of it. */
const CALLS: Readonly<
  Record<string, readonly [good: object, says: string | RegExp, bad: object, of: string | RegExp]>
> = {
  list_operations: [{ search: 'pet create' }, '"id":"createPet"', { limit: 501 }, 'a whole number from 0 to 500'],
  describe_operation: [
    { operation: 'GET /pets/{petId}' },
    '"id":"getPet"',
    { operation: 'getPett' },
    'did you mean "getPet"?',
  ],
  explain_request: [
    { method: 'post', target: '/pets', body: { name: 5 } },
    /The field \/categoryId is missing/,
    { method: 'GET', target: '/pest' },
    'CONFIG|matches|/pets',
  ],
  call_operation: [
    { method: 'GET', target: '/pets/1' },
    '\\"name\\":\\"Biscuit\\"',
    { method: 'GET', target: 'pets' },
    'The field /target must be a path with its query',
  ],
  check_description: [
    {},
    '{"errors":0,"warnings":0,"findings":[]}',
    { limit: 'all' },
    'The field /limit must be a whole number',
  ],
  list_contracts: [{}, 'contracts/core/', { folder: '/' }, 'The field /folder is not known here'],
  read_contract: [
    { file: 'contracts/core/pets.yaml' },
    /standin: contract\/1/,
    { file: '/etc/passwd' },
    'is not below the working folder',
  ],
  contract_format: [
    { section: 'what to expect' },
    '## What to expect',
    { section: 'Magic' },
    'There is no section "Magic"',
  ],
  write_contract: [
    { file: `${folder}/written.yaml`, text: CONTRACT, replace: true },
    `{"written":"${folder}/written.yaml"}`,
    { file: 'test/agents/other.yaml', text: 'standin: contract/1\nname: x\nsteps: [{ operation: createDog }]\n' },
    'createDog',
  ],
  run_contract: [
    { text: CONTRACT },
    '"outcome":"conforms"',
    { text: CONTRACT, target: 'http://evil.example' },
    'is no target of this server',
  ],
  read_findings: [{ warnings: true }, '"outcome":"conforms"', { offset: -1 }, 'a whole number from 0 on'],
  grade_contract: [
    { text: CONTRACT, operations: ['createCategory'], maxDefects: 5 },
    '"grade":',
    {},
    'Name files with contracts, or give the text of one',
  ],
  overview: [{}, '"title":"Petstore API"', { sandbox: '' }, 'The field /sandbox must be a string that is not empty'],
  list_requests: [
    { newest: true, limit: 5 },
    '"target":"/pets/1"',
    { before: 3 },
    'before was given without newest=true',
  ],
  show_request: [{ seq: 1 }, '"curl":', { seq: 99_999 }, 'is not remembered'],
  explain_response: [{ seq: 1 }, '"sections":', { seq: 'one' }, 'The field /seq must be a whole number'],
  list_collections: [{}, '"name":"/pets"', { x: 1 }, 'The field /x is not known here'],
  list_items: [{ collection: '/pets', limit: 1 }, '"Biscuit"', { collection: '/pest' }, '/pets'],
  compare_state: [{}, '{', { snapshot: 'none' }, 'There is no snapshot "none"'],
  list_snapshots: [{}, '[', { sandbox: 'a b' }, 'sandbox'],
  list_forced_responses: [{}, '[', { operation: 1 }, 'is not known here'],
  list_faults: [{}, '[', { all: true }, 'is not known here'],
  list_events: [{}, '"deliveries":[]', { id: 'x' }, 'is not known here'],
  sample_response: [{ operation: 'getPet' }, '"status"', { operation: 'getPet', status: 299 }, '299'],
  contract_of_requests: [{ requests: [1] }, 'standin: contract/1', { requests: ['x'] }, 'an array of whole numbers'],
  token_for: [{ user: 'ann' }, '"token":"ey', { scopes: 1 }, 'The field /scopes must be an array of strings'],
  set_next_response: [
    { operation: 'listPets', status: 503, times: 1, violates: true },
    '503',
    { operation: 'listPest', status: 503 },
    'listPets',
  ],
  clear_forced_responses: [{}, '{"done":true}', { operation: '' }, 'a string that is not empty'],
  set_faults: [{ faults: ['latency:1ms'] }, 'latency', { faults: ['slow'] }, 'slow'],
  clear_faults: [{}, '{"done":true}', { faults: [] }, 'is not known here'],
  put_item: [
    { collection: '/categories', item: { id: 70, name: 'Rexes' } },
    '"Rexes"',
    { collection: '/categories', item: { id: 71, name: '' } },
    /name/,
  ],
  patch_item: [
    { collection: '/categories', key: '70', properties: { name: 'Maxes' } },
    '"Maxes"',
    { collection: '/categories', key: '70', properties: { name: 'Leos' }, version: 'of long ago' },
    'meanwhile',
  ],
  remove_item: [
    { collection: '/categories', key: '70' },
    '{"done":true}',
    { collection: '/categories', key: '70' },
    '70',
  ],
  undo: [{}, '', { times: 2 }, 'is not known here'],
  save_snapshot: [{ name: 'here' }, 'here', { name: [] }, 'The field /name must be a string'],
  restore_snapshot: [{ name: 'here' }, '{"done":true}', { name: 'nowhere' }, 'nowhere'],
  load_state: [
    { state: { standin: 'fixture/1', collections: { '/categories': [{ id: 5, name: 'Cats' }] } } },
    '{"done":true}',
    { state: { standin: 'fixture/1', collections: { '/categories': [{ id: 'five' }] } } },
    'The property /id must be an integer',
  ],
  reset_state: [{}, '{"done":true}', { hard: true }, 'is not known here'],
  set_clock: [{ now: '2031-01-01T00:00:00Z' }, '{"done":true}', { now: 'tomorrow' }, 'a date-time'],
  create_sandbox: [{ id: 'mine' }, '', { id: 'not a name' }, 'sandbox'],
  remove_sandbox: [{ sandbox: 'mine' }, '{"done":true}', { id: 'mine' }, 'is not known here'],
  send_event_again: [
    { id: 'msg_none' },
    'The delivery msg_none is not remembered',
    { id: '' },
    'a string that is not empty',
  ],
  set_event_faults: [{ faults: [] }, '"faults":[]', { faults: 'twise' }, /twice|twise/],
};

/** What takes long where it is done: test/agents/tasks.slow.test.ts does it. */
const DONE_ELSEWHERE = new Set(['grade_contract']);
/** They must come after others, or answer something else than a success here. */
const REFUSED_HERE = new Set(['send_event_again']);

const says = (text: string, wanted: string | RegExp): void => {
  if (typeof wanted !== 'string') expect(text).toMatch(wanted);
  else if (wanted.includes('|')) expect(text).toMatch(new RegExp(wanted));
  else expect(text).toContain(wanted);
};

describe('an agent that may write', () => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await startAgent({ allowWrites: true, issuer: true });
    await agent.call('call_operation', { method: 'GET', target: '/pets/1' });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    expect(agent.server.defects).toEqual([]);
    await agent.close();
  });

  test('finds each tool here, with a schema that compiles and takes what is sent', async () => {
    const listed = ListToolsResultSchema.parse(await agent.client.listTools());
    const { tools } = listed;
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(CALLS).toSorted());
    const ajv = addFormats(new Ajv2020({ strict: true, allowUnionTypes: true }));
    for (const { name, description, inputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(20);
      expect([name, ajv.validate(inputSchema, CALLS[name]![0]), ajv.errorsText()]).toEqual([name, true, 'No errors']);
    }
    // An agent pays for each character before it has done anything.
    expect(JSON.stringify(tools).length).toBeLessThan(30_000);
  });

  test.each(Object.entries(CALLS))(
    '%s does what it says, and says what is wrong',
    async (name, [good, wanted, bad, of]) => {
      if (!DONE_ELSEWHERE.has(name)) {
        const done = await agent.call(name, good);
        if (!REFUSED_HERE.has(name)) expect(done).not.toMatch(/^refused/);
        says(done, wanted);
      }
      const refused = await agent.call(name, bad);
      expect(refused).toMatch(/^refused: [a-z_]+: /);
      says(refused, of);
    },
    120_000,
  );
});

describe('an agent that may read', () => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await startAgent({ description: SHOP, fixtures: SHOP_DATA });
  });
  afterAll(() => agent.close());

  test('is shown nothing that changes something, and is refused it', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).not.toContain(false);
    expect(tools.map(({ name }) => name)).not.toContain('put_item');
    const before = agent.server.stateText();
    for (const [name, input] of [
      ['put_item', { collection: '/orders', item: { id: 7, total: 1 } }],
      ['call_operation', { method: 'POST', target: '/orders', body: { total: 1 } }],
      ['write_contract', { file: 'x.yaml', text: CONTRACT }],
      ['reset_state', {}],
    ] as const)
      expect(await agent.call(name, input)).toMatch(/^refused: forbidden: .*--allow-writes/);
    expect(agent.server.stateText()).toBe(before);
    expect(agent.client.getInstructions()).toContain('You may read');
  });

  test('is told of a tool that there is not which it meant', async () => {
    expect(await agent.call('list_item')).toBe(
      'refused: route_not_found: There is no tool list_item; did you mean list_items?',
    );
  });

  test('asks for the key of the API as a client would, and without it', async () => {
    const ask = (more: object): Promise<{ status: number }> =>
      agent.json('call_operation', { method: 'GET', target: '/orders', ...more });
    expect((await ask({})).status).toBe(200);
    expect((await ask({ withKey: false })).status).toBe(401);
    expect((await ask({ headers: { Authorization: 'Bearer invalid' } })).status).toBe(401);
    expect(await agent.json('call_operation', { method: 'GET', target: '/nowhere' })).toMatchObject({ status: 404 });
  });

  test('reads the description, the format of contracts and the last run, and no other resource', async () => {
    const { resources } = await agent.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'standin://description',
      'standin://contract-format',
      'standin://last-run',
    ]);
    const read = async (uri: string): Promise<string> =>
      ((await agent.client.readResource({ uri })).contents as { text: string }[])[0]!.text;
    expect(JSON.parse(await read('standin://description'))).toMatchObject({ info: { title: 'Shop' } });
    expect(await read('standin://contract-format')).toContain('# Contract files');
    expect(JSON.parse(await read('standin://last-run'))).toEqual({ outcome: null });
    await expect(read('file:///etc/passwd')).rejects.toThrow('There is no resource file:///etc/passwd');
  });

  test('has prompts, which say what they need', async () => {
    const { prompts } = await agent.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['mock_this_api', 'write_a_contract', 'find_out_why']);
    const { messages } = await agent.client.getPrompt({
      name: 'write_a_contract',
      arguments: { change: 'orders have notes' },
    });
    expect(JSON.stringify(messages)).toContain('orders have notes');
    await expect(agent.client.getPrompt({ name: 'write_a_contract' })).rejects.toThrow('needs the argument change');
    await expect(agent.client.getPrompt({ name: 'sing' })).rejects.toThrow('There is no prompt sing');
  });
});

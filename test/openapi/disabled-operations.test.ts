import fc from 'fast-check';
import { parseJson } from '../../src/core/json/parse-json';
import { readDescription } from '../../src/files/load-api';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { once } from '../../src/core/text/memoize';
import { createMockServer, createServerParts, type ServerParts } from '../../src/library/create-mock-server';
import type { JsonValue } from '../../src/core/json/json-value';
import { temporaryFolder } from '../support/temporary-folder';
import { times } from '../fuzz/seed';

const folder = temporaryFolder();

type Part = Record<string, unknown>;
type Description = Part & { paths: Record<string, Record<string, Part>>; components: Record<string, Part> };

const json = (schema: object): Part => ({ 'application/json': { schema } });
const PET = { $ref: '#/components/schemas/Pet' };

/** Reading, writing and two operations that share nothing with them. */
function describePets(): Description {
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets': {
        get: operation({ 200: json({ type: 'array', items: PET }) }),
        post: { ...operation({ 201: json(PET) }), requestBody: { content: json(PET) } },
      },
      '/pets/{id}': {
        get: { ...operation({ 200: json(PET) }), parameters: [ID] },
        put: { ...operation({ 200: json(PET) }), parameters: [ID], requestBody: { content: json(PET) } },
      },
      '/version': { get: operation({ 200: json({ type: 'string' }) }) },
      '/count': { get: operation({ 200: json({ type: 'integer' }) }) },
    },
    components: {
      schemas: {
        Pet: { type: 'object', required: ['name'], properties: { id: { type: 'integer' }, name: { type: 'string' } } },
      },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    },
  };
}

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

function operation(contents: Record<number, Part>): Part {
  const responses = Object.entries(contents).map(([status, content]) => [status, { description: 'ok', content }]);
  return { responses: Object.fromEntries(responses) as Part };
}

/** Each line of the file has one value, so that a place has a line of its own. */
async function start(document: object, name = 'openapi.json'): Promise<ServerParts> {
  return createServerParts({ description: folder.write(name, JSON.stringify(document, undefined, 1)), auth: 'off' });
}

const CALLS = [
  ['GET', '/pets'],
  ['GET', '/pets/1'],
  ['GET', '/version'],
  ['GET', '/count'],
  ['PUT', '/pets/1'],
  ['POST', '/pets'],
] as const;

const OPERATIONS = CALLS.map(([method, path]) => `${method} ${path.replace('1', '{id}')}`);

/** What each operation answers, by its title. */
async function answers({ mock }: ServerParts): Promise<Map<string, { status: number; body: string }>> {
  const all = new Map<string, { status: number; body: string }>();
  for (const [index, [method, target]] of CALLS.entries()) {
    const body = method === 'GET' ? '' : '{"name":"Rex"}';
    const rawHeaders = ['Host', 'pets.test', ...(body === '' ? [] : ['Content-Type', 'application/json'])];
    const headers = Object.fromEntries([
      ['host', 'pets.test'],
      ...(body === '' ? [] : [['content-type', 'application/json']]),
    ]) as Record<string, string>;
    const request = { method, target, rawHeaders, headers, body: Buffer.from(body) };
    const response = await mock.engine.handle(request);
    all.set(OPERATIONS[index]!, { status: response.status, body: String(response.body ?? '') });
  }
  return all;
}

const unbroken = once(async () => answers(await start(describePets())));

interface Fault {
  readonly name: string;
  /** Plants the fault at an operation. */
  readonly plant: (operation: Part, description: Description) => void;
  /** What the line says of the part. */
  readonly says: string;
  /** Part of the line of the file that it names. */
  readonly line: string;
  /** Does the fault do no harm? */
  readonly isHarmless?: true;
}

const parameterOf = (fields: object): object => ({ name: 'q', in: 'query', schema: { type: 'string' }, ...fields });
const addParameters = (target: Part, ...parameters: object[]): void => {
  target['parameters'] = [...((target['parameters'] as object[] | undefined) ?? []), ...parameters];
};
const addResponse = (target: Part, schema: object): void => {
  (target['responses'] as Part)['418'] = { description: 'teapot', content: json(schema) };
};

const FAULTS: readonly Fault[] = [
  {
    name: 'a header parameter twice',
    plant(target) {
      addParameters(target, parameterOf({ in: 'header', name: 'X-A' }), parameterOf({ in: 'header', name: 'X-A' }));
    },
    says: 'parameter-unique: The header parameter "X-A" is in this list already',
    line: '{',
    isHarmless: true,
  },
  {
    name: 'an undefined security scheme',
    plant(target) {
      target['security'] = [{ nowhere: [] }];
    },
    says: 'security-scheme-defined: The security scheme "nowhere" is not defined',
    line: '"nowhere"',
  },
  {
    name: 'an OAuth flow without scopes',
    plant(target, { components }) {
      const flows = { clientCredentials: { tokenUrl: 'https://pets.test/token' } };
      components['securitySchemes']!['oauth'] = { type: 'oauth2', flows };
      target['security'] = [{ oauth: [] }];
    },
    says: 'openapi-schema: The property "scopes" is missing',
    line: '"clientCredentials"',
    isHarmless: true,
  },
  {
    name: 'a reference to nothing',
    plant(target) {
      addResponse(target, { $ref: '#/components/schemas/Nothing' });
    },
    says: 'ref-resolves: #/components/schemas/Nothing does not exist',
    line: '"$ref": "#/components/schemas/Nothing"',
  },
  {
    name: 'an invalid schema',
    plant(target) {
      addParameters(target, parameterOf({ schema: { type: 'string', pattern: '(' } }));
    },
    says: 'schema-compiles: ',
    line: '"pattern"',
  },
  {
    name: 'an invalid schema that a component refers to',
    plant(target, { components }) {
      Object.assign(components['schemas']!, { Deep: { properties: { a: { $ref: '#/components/schemas/Bad' } } } });
      Object.assign(components['schemas']!, { Bad: { type: 'nonsense' } });
      addResponse(target, { $ref: '#/components/schemas/Deep' });
    },
    says: 'schema-compiles: "type" must be a type',
    line: '"type": "nonsense"',
  },
  {
    name: 'missing responses',
    plant(target) {
      // In OpenAPI 3.1 they may be missing; a wrong type is an error.
      target['responses'] = 7;
    },
    says: 'openapi-schema: ',
    line: '"responses": 7',
  },
  {
    name: 'a wrong type where no request needs it',
    plant(target) {
      target['callbacks'] = 7;
    },
    says: 'openapi-schema: ',
    line: '"callbacks": 7',
    isHarmless: true,
  },
  {
    name: 'a component name outside the grammar',
    plant(target, { components }) {
      components['schemas']!['Page«Item»'] = { type: 'object' };
      addResponse(target, { $ref: '#/components/schemas/Page«Item»' });
    },
    says: 'openapi-schema: ',
    line: '"schemas"',
    isHarmless: true,
  },
  {
    name: 'allOf that doubles 28 times',
    plant(target, { components }) {
      const schemas = components['schemas']!;
      const twice = (level: number): object[] => [0, 1].map(() => ({ $ref: `#/components/schemas/L${level}` }));
      for (let level = 0; level < 28; level += 1) schemas[`L${level}`] = { allOf: twice(level + 1) };
      schemas['L28'] = { type: 'object' };
      addResponse(target, { $ref: '#/components/schemas/L0' });
    },
    says: 'schema-bounded: Each value would be checked against more than 20000 schemas',
    line: '"L',
  },
];

describe.each(FAULTS)('$name', ({ plant, says, line, isHarmless }) => {
  test('the mock starts, and only the operations that need the part answer 501', async () => {
    const before = await unbroken();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...OPERATIONS), async (title) => {
        const [method = '', path = ''] = title.split(' ');
        const description = describePets();
        plant(description.paths[path]![method.toLowerCase()]!, description);
        const parts = await start(description);
        const found = parts.warnings.find(({ rule, message }) => `${rule}: ${message}`.includes(says));
        expect(found?.severity).toBe('warning');
        const text = JSON.stringify(description, undefined, 1).split('\n');
        expect(text[found!.line! - 1]).toContain(line);
        expect(found!.operations).toStrictEqual(isHarmless === true ? undefined : [title]);
        const after = await answers(parts);
        for (const [each, answer] of before) {
          if (each === title && isHarmless !== true) {
            expect(after.get(each)).toMatchObject({ status: 501 });
            expect(parseJson(after.get(each)!.body)).toMatchObject({
              code: 'not_implemented',
              detail: expect.stringContaining(`openapi.json:${String(found!.line)}:`) as JsonValue,
            });
          } else expect({ each, ...after.get(each) }).toStrictEqual({ each, ...answer });
        }
      }),
      times(1),
    );
  });
});

/** A description whose GET /count refers to nothing. */
function describeBrokenCount(): Description {
  const description = describePets();
  addResponse(description.paths['/count']!['get']!, { $ref: '#/components/schemas/Nothing' });
  return description;
}

const brokenCountFile = (): string => folder.write('broken.json', JSON.stringify(describeBrokenCount()));

test('verify reports the steps of a disabled operation as not verified', async () => {
  const app = await createMockServer({ description: describePets() });
  const warned: string[] = [];
  const contract = folder.write(
    'contract.yaml',
    `standin: contract/1
name: Reads
steps:
  - { name: version, method: GET, path: /version, expect: { status: 200 } }
  - { name: count, method: GET, path: /count, expect: { status: 200 } }
`,
  );
  const result = await runContract(
    { app, description: brokenCountFile(), contracts: contract },
    { warn: ({ message }) => warned.push(message) },
  );
  expect(result.outcome).toBe('conforms');
  const [version, count] = allSteps(result);
  expect(version!.verdict.kind).toBe('pass');
  expect(count).toMatchObject({
    status: undefined,
    verdict: { kind: 'skipped', cause: 'disabled', reason: expect.stringContaining('not verified: ') as string },
  });
  expect(warned).toStrictEqual(['#/components/schemas/Nothing does not exist; disabled: GET /count']);
});

test('a run whose every step needs a disabled operation proves nothing', async () => {
  const app = await createMockServer({ description: describePets() });
  const contract = folder.write(
    'contract.yaml',
    'standin: contract/1\nname: Count\nsteps: [{ method: GET, path: /count, expect: { status: 200 } }]\n',
  );
  const result = await runContract({ app, description: brokenCountFile(), contracts: contract });
  expect(result.outcome).toBe('inconclusive');
});

test('strict rejects a description with errors, unless lenient is there as well', async () => {
  const description = describeBrokenCount();
  await expect(readDescription(description, { strict: true })).rejects.toMatchObject({ code: 'SPEC_INVALID' });
  await expect(createMockServer({ description, strict: true })).rejects.toMatchObject({ code: 'SPEC_INVALID' });
  await expect(readDescription(description, { strict: true, lenient: true })).resolves.toBeDefined();
});

test('a Swagger 2.0 document that cannot be converted whole is served without the part at fault', async () => {
  const responses = { 200: { description: 'ok', schema: { type: 'string' } } };
  const parts = await createServerParts({
    description: {
      swagger: '2.0',
      info: { title: 'Pets', version: '1' },
      paths: {
        '/version': { get: { responses } },
        '/count': { get: { consumes: 5, parameters: [{ name: 'q', in: 'body', schema: {} }], responses } },
      },
    },
  });
  const disabled = parts.api.operations.filter((each) => each.disabled !== undefined);
  expect(disabled.map(({ id }) => id)).toStrictEqual(['GET /count']);
});

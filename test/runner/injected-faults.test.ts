import { createMockServer, type MockServer } from '../../src/express';
import { runContract } from '../../src/library/run-contract';
import { temporaryFolder } from '../support/temporary-folder';
import { failureLines } from '../support/failure-lines';

const pet = { $ref: '#/components/schemas/Pet' };
const json = (schema: object): object => ({ 'application/json': { schema } });

/** As small as it can be: each finding of a run reads the place in the description that says so. */
const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        responses: { 200: { description: 'all', content: json({ type: 'array', items: pet }) } },
      },
      post: {
        operationId: 'createPet',
        requestBody: { required: true, content: json(pet) },
        responses: { 201: { description: 'made', content: json(pet) } },
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['name', 'status'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          status: { type: 'string', enum: ['available', 'sold'] },
        },
      },
    },
  },
};

const CONTRACT = `standin: contract/1
name: Pets
steps:
  - { name: add a pet, operation: createPet, body: { name: Rex, status: sold }, expect: { status: 201 } }
  - { name: list the pets, operation: listPets, expect: { status: 200 } }
  - { name: add another pet, operation: createPet, body: { name: Tom, status: available }, expect: { status: 201 } }
  - { name: list both pets, operation: listPets, expect: { status: 200 } }
`;

const folder = temporaryFolder();
const description = folder.write('openapi.json', JSON.stringify(DESCRIPTION));
const RUN = { description, contracts: [folder.write('pets.yaml', CONTRACT)], probesAuth: false };

/** A new one for each test: the same requests fail of those that an error rate draws. */
const createApp = (faults: readonly string[] = []): Promise<MockServer> =>
  createMockServer({ description, state: 'empty', faults });

test('a run of the service without a fault conforms', async () => {
  const result = await runContract({ ...RUN, app: await createApp() });
  expect(result.outcome).toBe('conforms');
});

/** Every way in which a response can be broken on purpose, and the check that has to see it. */
test.each([
  { fault: 'violate:/name:missing;method=POST;path=/pets', check: 'body-schema' },
  { fault: 'violate:/name:type;method=POST;path=/pets', check: 'body-schema' },
  { fault: 'violate:/status:enum;method=POST;path=/pets', check: 'body-schema' },
  { fault: 'violate:/-/name:missing;path=/pets;method=GET', check: 'body-schema' },
  { fault: 'malformed-json;path=/pets', check: undefined },
  { fault: 'wrong-content-type;path=/pets', check: undefined },
  { fault: 'empty;method=POST;path=/pets', check: undefined },
  { fault: 'status:500;path=/pets', check: undefined },
  { fault: 'error-rate:0.5;path=/pets', check: undefined },
])('a run notices $fault', async ({ fault, check }) => {
  const app = await createApp();
  app.setFaults(fault);
  const result = await runContract({ ...RUN, app });
  expect(app.faults()[0]?.happened).toBeGreaterThan(0);
  expect(result.outcome).not.toBe('conforms');
  const checks = failureLines(result, (_, finding) => finding.check);
  if (check === undefined) expect(checks.length).toBeGreaterThan(0);
  else expect(checks).toContain(check);
});

test('a fault of a connection is no agreement either', async () => {
  const app = await createApp(['truncate;path=/pets;method=GET']);
  const result = await runContract({ ...RUN, app, retries: 0 });
  expect(result.outcome).not.toBe('conforms');
});

import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value';
import { samplerOf } from '../../../src/payload/sampler/sampler';
import { objectOf, smallMock, type Answer, type SmallMock } from './small-mock';

/** A member of the items, as a Schema Object. */
const memberSchema = fc.constantFrom<JsonObject>(
  { type: 'string' },
  { type: 'string', minLength: 2, maxLength: 6 },
  { type: 'string', enum: ['red', 'green', 'blue'] },
  { type: 'string', format: 'date-time' },
  { type: 'string', nullable: true },
  { type: 'integer', minimum: 1, maximum: 9 },
  { type: 'integer', format: 'int64' },
  { type: 'number', default: 2.5 },
  { type: 'boolean' },
  { type: 'array', items: { type: 'string' }, maxItems: 3 },
  { type: 'object', properties: { street: { type: 'string' }, number: { type: 'integer' } }, required: ['street'] },
);

/** What one description of the family is like. */
interface Likeness {
  readonly members: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
  readonly key: 'integer' | 'uuid' | 'text' | 'none';
  /** Member that wraps an item, and a list; `undefined` where nothing does. */
  readonly wrapper: string | undefined;
  readonly place: 'root' | 'nested' | 're-rooted';
  /** Is a list item shown with fewer members? */
  readonly hasSummary: boolean;
  readonly removeAnswers: 200 | 204;
  readonly stamps: boolean;
}

const likeness: fc.Arbitrary<Likeness> = fc
  .record({
    members: fc.dictionary(fc.constantFrom('name', 'colour', 'weight', 'notes', 'address', 'tags'), memberSchema, {
      minKeys: 1,
      noNullPrototype: true,
    }),
    key: fc.constantFrom('integer' as const, 'uuid' as const, 'text' as const, 'none' as const),
    wrapper: fc.constantFrom(undefined, 'data'),
    place: fc.constantFrom('root' as const, 'nested' as const, 're-rooted' as const),
    hasSummary: fc.boolean(),
    removeAnswers: fc.constantFrom(200 as const, 204 as const),
    stamps: fc.boolean(),
    count: fc.nat(),
  })
  .map(({ count, ...rest }) => {
    const names = Object.keys(rest.members);
    return { ...rest, required: names.slice(0, (count % names.length) + 1) };
  });

const KEYS: Readonly<Record<Likeness['key'], JsonObject>> = {
  integer: { type: 'integer', readOnly: true },
  uuid: { type: 'string', format: 'uuid', readOnly: true },
  text: { type: 'string', readOnly: true },
  none: {},
};

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const ok = (schema: JsonObject): JsonObject => ({ description: 'ok', content: json(schema) });
const body = (schema: JsonObject): JsonObject => ({ required: true, content: json(schema) });
const inPath = (name: string, schema: JsonObject): JsonObject => ({ name, in: 'path', required: true, schema });

const MACHINE: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: KEYS.integer, label: { type: 'string' } },
};
const IN_MACHINE = inPath('machineId', { type: 'integer' });

const MACHINES: JsonObject = {
  '/machines': {
    get: { responses: { '200': ok({ type: 'array', items: MACHINE }) } },
    post: { requestBody: body(MACHINE), responses: { '201': ok(MACHINE) } },
  },
  '/machines/{machineId}': {
    parameters: [IN_MACHINE],
    get: { responses: { '200': ok(MACHINE) } },
    delete: { responses: { '204': { description: 'gone' } } },
  },
};

const SETTINGS: JsonObject = {
  get: { responses: { '200': ok(ref('NewPart')) } },
  put: { requestBody: body(ref('NewPart')), responses: { '200': ok(ref('NewPart')) } },
};

/** The description, as JSON in YAML. */
function toText(like: Likeness): string {
  const paths = { ...(like.place === 'root' ? {} : MACHINES), ...partPaths(like), '/settings': SETTINGS };
  return `paths: ${JSON.stringify(paths)}\ncomponents: ${JSON.stringify({ schemas: partSchemas(like) })}`;
}

function partPaths({ key, wrapper, place, hasSummary, removeAnswers }: Likeness): JsonObject {
  const wrap = (inner: JsonObject): JsonObject =>
    wrapper === undefined ? inner : { type: 'object', required: [wrapper], properties: { [wrapper]: inner } };
  const whole = ok(wrap(ref('Part')));
  const inPart = inPath('partId', { type: key === 'integer' || key === 'none' ? 'integer' : 'string' });
  const collection = (parameters: JsonValue[]): JsonObject => ({
    parameters,
    get: { responses: { '200': ok(wrap({ type: 'array', items: ref(hasSummary ? 'PartSummary' : 'Part') })) } },
    post: { requestBody: body(ref('NewPart')), responses: { '201': whole, '400': { description: 'no' } } },
  });
  const item = (parameters: JsonValue[]): JsonObject => ({
    parameters,
    get: { responses: { '200': whole } },
    put: { requestBody: body(ref('NewPart')), responses: { '200': whole } },
    patch: { requestBody: body(ref('PartPatch')), responses: { '200': whole } },
    delete: { responses: removeAnswers === 200 ? { '200': whole } : { '204': { description: 'gone' } } },
  });
  const below = { '/machines/{machineId}/parts': collection([IN_MACHINE]) };
  if (place === 'nested') return { ...below, '/machines/{machineId}/parts/{partId}': item([IN_MACHINE, inPart]) };
  const root = { '/parts': collection([]), '/parts/{partId}': item([inPart]) };
  return place === 'root' ? root : { ...root, ...below };
}

function partSchemas({ members: properties, required, key, place, stamps }: Likeness): JsonObject {
  const id: JsonObject = key === 'none' ? {} : { id: KEYS[key] };
  const own: JsonObject = {
    ...id,
    ...(place === 're-rooted' ? { machineId: { type: 'integer', readOnly: true } } : {}),
    ...(stamps ? { createdAt: { type: 'string', format: 'date-time', readOnly: true } } : {}),
  };
  const [first = 'name'] = required;
  const stamped = stamps ? ['createdAt'] : [];
  return {
    NewPart: { type: 'object', required: [...required], properties, additionalProperties: false },
    PartPatch: { type: 'object', properties },
    Part: {
      type: 'object',
      required: [...required, ...Object.keys(id), ...stamped],
      properties: { ...own, ...properties },
    },
    PartSummary: {
      type: 'object',
      additionalProperties: false,
      required: [first, ...Object.keys(id)],
      properties: { ...id, [first]: properties[first] ?? {} },
    },
  };
}

/** A value of a schema of the description, another one for each ordinal. */
function sampled({ api }: SmallMock, name: string, ordinal: number): JsonObject {
  const schema = api.schemaAt(`/components/schemas/${name}`);
  if (schema === undefined) throw new Error(`There is no schema ${name}`);
  const sample = samplerOf(api).sample(schema, { seed: 'round trips', direction: 'request', ordinal });
  if (sample.kind === 'failed') throw new Error(sample.reason);
  return sample.value as JsonObject;
}

/** Sends requests, each answer judged by its schema, and looks into the wrapper. */
class Client {
  readonly small: SmallMock;
  readonly wrapper: string | undefined;

  constructor(small: SmallMock, wrapper: string | undefined) {
    this.small = small;
    this.wrapper = wrapper;
  }

  inside(answer: Answer): JsonValue | undefined {
    return this.wrapper === undefined ? answer.body : objectOf(answer)[this.wrapper];
  }

  async expect(status: number, method: string, path: string, body?: JsonObject): Promise<Answer> {
    const answer = await this.small.send(method, path, body);
    expect({
      request: `${method} ${path}`,
      status: answer.status,
      said: answer.status === status ? '' : answer.body,
    }).toEqual({
      request: `${method} ${path}`,
      status,
      said: '',
    });
    return answer;
  }

  /** What a GET answers, without the wrapper. */
  async at(path: string): Promise<JsonValue | undefined> {
    return this.inside(await this.expect(200, 'GET', path));
  }

  /** A request that must change nothing. */
  async refused(status: number, method: string, path: string, body?: JsonObject): Promise<void> {
    const before = this.small.stateText();
    await this.expect(status, method, path, body);
    expect(this.small.stateText()).toBe(before);
  }
}

async function roundTrip(like: Likeness): Promise<void> {
  const small = smallMock(toText(like));
  const client = new Client(small, like.wrapper);
  const base = like.place === 'root' ? '/parts' : '/machines/1/parts';
  if (like.place !== 'root') await prepareMachines(client);
  const made = await createTwo(client, base);
  if (like.place !== 'root') expect(await client.at('/machines/2/parts')).toHaveLength(0);
  await changeItem(client, made);
  await client.refused(400, 'POST', base, { unheard: true });
  await client.expect(like.removeAnswers, 'DELETE', made);
  await client.refused(404, 'GET', made);
  await client.refused(404, 'DELETE', made);
  expect(await client.at(base)).toHaveLength(1);
  await changeSettings(client);
}

async function prepareMachines(client: Client): Promise<void> {
  await client.refused(404, 'GET', '/machines/1/parts');
  await client.expect(201, 'POST', '/machines', { label: 'a' });
  await client.expect(201, 'POST', '/machines', { label: 'b' });
}

/** @returns path of the first of two items */
async function createTwo(client: Client, base: string): Promise<string> {
  const first = sampled(client.small, 'NewPart', 0);
  const made = await client.expect(201, 'POST', base, first);
  expect(client.inside(made)).toMatchObject(first);
  const { pathname } = new URL(made.headers['location'] ?? '');
  expect(await client.at(pathname)).toEqual(client.inside(made));
  await client.expect(201, 'POST', base, sampled(client.small, 'NewPart', 1));
  expect(await client.at(base)).toHaveLength(2);
  return pathname;
}

async function changeItem(client: Client, path: string): Promise<void> {
  const other = sampled(client.small, 'NewPart', 2);
  const put = client.inside(await client.expect(200, 'PUT', path, other));
  expect(put).toMatchObject(other);
  expect(await client.at(path)).toEqual(put);
  const part = Object.fromEntries(Object.entries(sampled(client.small, 'NewPart', 0)).slice(0, 1));
  const patched = client.inside(await client.expect(200, 'PATCH', path, part));
  expect(patched).toMatchObject(part);
  expect(await client.at(path)).toEqual(patched);
}

async function changeSettings(client: Client): Promise<void> {
  await client.expect(200, 'GET', '/settings');
  const settings = sampled(client.small, 'NewPart', 0);
  await client.expect(200, 'PUT', '/settings', settings);
  expect((await client.expect(200, 'GET', '/settings')).body).toMatchObject(settings);
}

test('what is created can be read, listed, replaced, patched and removed, and then it is gone', async () => {
  await fc.assert(fc.asyncProperty(likeness, roundTrip), { numRuns: 60 });
});

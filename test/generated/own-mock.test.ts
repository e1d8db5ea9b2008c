import { allSteps } from '../../src/runner/result/outcome';
import { runContract } from '../../src/library/run-contract';
import { createMockServer } from '../../src/library/create-mock-server';
import { list, object, ref, smallApi, type SmallOperation, text, whole } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

const PROBLEM = object({ message: text }, ['message']);
const REFUSED = { 404: PROBLEM, 422: PROBLEM };

/** All operations of items: create, list, read, change and delete. */
function itemsOf(
  path: string,
  schema: string,
  written: object,
  { query = {}, changed = written }: { query?: SmallOperation['query']; changed?: object } = {},
): Record<string, SmallOperation> {
  return {
    [`GET ${path}`]: { query, answers: { 200: list(ref(schema)) } },
    [`POST ${path}`]: { body: written, answers: { 201: ref(schema), ...REFUSED } },
    [`GET ${path}/{id}`]: { answers: { 200: ref(schema), 404: PROBLEM } },
    [`PATCH ${path}/{id}`]: { body: changed, answers: { 200: ref(schema), ...REFUSED } },
    [`DELETE ${path}/{id}`]: { answers: { 204: null, 404: PROBLEM } },
  };
}

const id = { type: 'string', readOnly: true };
const kind = (name: string): object => ({ type: 'string', enum: [name] });

interface Part {
  readonly about: string;
  readonly operations: Record<string, SmallOperation>;
  readonly schemas: Record<string, object>;
}

const owner = object({ id: text, name: text });
const labels = { type: 'object', additionalProperties: text };
const shade = { type: 'string', default: 'dark' };
const hour = { type: 'string', format: 'time' };
const image = { type: 'string', format: 'uri', description: 'Address of an image' };
const alarm = object({ manner: text });

/** Parts with properties of many kinds. A generated contract changes four properties of an item at most. */
const PROPERTIES: readonly Part[] = [
  {
    about: 'an object with a key, a map, a required property with a default, and a time of day',
    operations: itemsOf('/notes', 'Note', object({ title: text, owner, labels, shade, hour }, ['title', 'shade']), {
      changed: object({ owner, labels, shade, hour }),
    }),
    schemas: { Note: object({ id, title: text, owner, labels, shade, hour }) },
  },
  {
    about: 'a filter whose default means no filter, and properties that responses show in another way',
    operations: itemsOf(
      '/pages',
      'Page',
      object({ heading: text, image: text, avatar_url: image, base: text, alarm, tint: text }, ['heading']),
      {
        query: { tint: { type: 'string', default: 'none' } },
        changed: object({ base: text, alarm, image: text, avatar_url: image }),
      },
    ),
    schemas: {
      Page: object({
        id,
        heading: text,
        image: text,
        avatar_url: image,
        base: object({ shade: text, depth: whole }, ['shade', 'depth']),
        alarm: object({ manner: { type: 'string', enum: ['loud', 'quiet'] } }),
        tint: text,
      }),
    },
  },
];

const FORMS: Part = {
  about: 'a body of one form or another, with a property like a key',
  operations: itemsOf(
    '/forms',
    'Form',
    {
      ...object({ kind: { type: 'string', enum: ['note', 'mark'] }, id: whole, title: text, page: whole }),
      required: ['kind'],
      oneOf: [{ required: ['id'] }, { required: ['title', 'page'] }],
    },
    { changed: object({ title: text }) },
  ),
  schemas: { Form: object({ id: whole, kind: text, title: text, page: whole }) },
};

/** Parts with resources of unusual shapes, all of them from real descriptions. */
const RESOURCES: readonly Part[] = [
  {
    about: 'a body that is an object with one list',
    operations: itemsOf('/nets', 'Net', object({ networks: list(text) })),
    schemas: { Net: object({ id, networks: list(text) }) },
  },
  {
    about: 'a query parameter of a change with the name of a property of another type',
    operations: {
      'GET /tasks': { answers: { 200: list(ref('Task')) } },
      'POST /tasks/create': { body: ref('TaskSpec'), answers: { 201: object({ ID: text }), ...REFUSED } },
      'GET /tasks/{id}': { answers: { 200: ref('Task'), 404: PROBLEM } },
      'POST /tasks/{id}/update': {
        parameters: [{ name: 'version', in: 'query', required: true, schema: whole }],
        body: ref('TaskSpec'),
        answers: { 200: null, ...REFUSED },
      },
      'DELETE /tasks/{id}': { answers: { 204: null, 404: PROBLEM } },
    },
    schemas: {
      TaskSpec: object({ Name: text, Shade: text }, ['Name']),
      Task: object({ ID: text, Version: object({ Index: whole }), Spec: ref('TaskSpec') }),
    },
  },
  {
    about: 'an overview that describes its entries in another way',
    operations: {
      ...itemsOf('/notes', 'Note', object({ title: text }, ['title'])),
      'GET /notes': { answers: { 200: ref('Summary') } },
      'GET /usage': { answers: { 200: object({ notes: list(ref('Summary')), size: whole }) } },
    },
    schemas: { Note: object({ id, title: text }), Summary: list(object({ id: text, title: text })) },
  },
  {
    about: 'a list that has only some of the kinds that a read item may have',
    operations: {
      'GET /means': { answers: { 200: list({ anyOf: [ref('Bank'), ref('Card')] }) } },
      'GET /means/{id}': { answers: { 200: { anyOf: [ref('Account'), ref('Bank'), ref('Card')] }, 404: PROBLEM } },
      'DELETE /means/{id}': { answers: { 204: null, 404: PROBLEM } },
    },
    schemas: {
      Account: object({ id, kind: kind('account') }, ['id', 'kind']),
      Bank: object({ id, kind: kind('bank'), routing: text }, ['id', 'kind', 'routing']),
      Card: object({ id, kind: kind('card'), brand: text }, ['id', 'kind', 'brand']),
    },
  },
  {
    about: 'items whose names are in a nested object',
    operations: {
      'GET /pods': { answers: { 200: object({ items: list(ref('Pod')) }) } },
      'POST /pods': { body: ref('Pod'), answers: { 201: ref('Pod'), 401: null } },
      'GET /pods/{name}': { answers: { 200: ref('Pod'), 401: null } },
      'PUT /pods/{name}': { body: ref('Pod'), answers: { 200: ref('Pod'), 401: null } },
      'DELETE /pods/{name}': { answers: { 200: ref('Pod'), 401: null } },
      'GET /logs': { answers: { 401: null } },
    },
    schemas: {
      Pod: object({
        kind: text,
        metadata: object({ labels: { type: 'object', additionalProperties: text }, name: text, uid: text }),
        spec: object({ shade: text }),
      }),
    },
  },
  {
    about: 'items with a number beside the name that is their key',
    operations: {
      'GET /rooms': { answers: { 200: list(ref('Room')) } },
      'POST /rooms': { body: object({ shade: text }), answers: { 201: ref('Room'), 400: PROBLEM } },
      'GET /rooms/{room_name}': { answers: { 200: ref('Room'), 404: PROBLEM } },
      'DELETE /rooms/{room_name}': { answers: { 204: null, 404: PROBLEM } },
    },
    schemas: { Room: object({ id: whole, name: text, number: whole, shade: text }, ['id', 'name', 'number']) },
  },
  {
    about: 'a new item whose Location is not the path where it is read',
    operations: {
      'POST /refs': {
        headers: ['Location'],
        body: object({ ref: text }, ['ref']),
        answers: { 201: ref('Ref'), 422: PROBLEM },
      },
      'GET /ref/{ref}': { answers: { 200: ref('Ref'), 404: PROBLEM } },
      'DELETE /refs/{ref}': { answers: { 204: null, 422: PROBLEM } },
    },
    schemas: { Ref: object({ ref: text, url: text }, ['ref', 'url']) },
  },
  {
    about: 'a reference that responses show and requests cannot set',
    operations: {
      'GET /marks': { answers: { 200: list(ref('Mark')) } },
      'POST /marks': {
        body: object({ label: text }, ['label']),
        answers: { 201: ref('Mark'), 404: PROBLEM, 422: PROBLEM },
      },
      'GET /marks/{mark_id}': { answers: { 200: ref('Mark'), 404: PROBLEM } },
      'DELETE /marks/{mark_id}': { answers: { 204: null, 404: PROBLEM } },
    },
    schemas: { Mark: object({ id, label: text, note_id: text }) },
  },
  {
    about: 'a parameter that is an object',
    operations: {
      'GET /secrets': {
        parameters: [
          {
            name: 'scope',
            in: 'query',
            required: true,
            style: 'deepObject',
            explode: true,
            schema: object({ type: { type: 'string', enum: ['account', 'user'] }, user: text }, ['type']),
          },
        ],
        answers: { 200: list(ref('Note')), 400: PROBLEM },
      },
    },
    schemas: {},
  },
];

test.each([
  {
    about: 'properties of many kinds',
    parts: [...PROPERTIES, FORMS],
    generate: ['lifecycle', 'lists', 'positive', 'negative'],
  },
  { about: 'resources of many shapes', parts: RESOURCES, generate: ['lifecycle', 'lists'] },
] as const)('generated contracts find nothing at the mock of $about', async ({ parts, generate }) => {
  const spec = folder.write(
    `${parts.length}.json`,
    smallApi(
      Object.assign({}, ...parts.map(({ operations }) => operations)) as Part['operations'],
      Object.assign({}, ...parts.map(({ schemas }) => schemas)) as Part['schemas'],
    ),
  );
  const app = await createMockServer({ description: spec });
  const result = await runContract({ app, description: spec, generate, seed: 1 });
  const failed = allSteps(result).flatMap(({ name, request, verdict }) =>
    verdict.kind === 'fail'
      ? verdict.findings.map(
          ({ check, at, expected = '', actual = '' }) =>
            `${name}: ${check} ${at} ${expected.slice(0, 90)} | ${actual.slice(0, 160)} | ${request?.url ?? ''} ${request?.body?.slice(0, 200) ?? ''}`,
        )
      : [],
  );
  expect(failed).toEqual([]);
  expect(result.leftBehind).toEqual([]);
  expect(result.outcome).toBe('conforms');
});

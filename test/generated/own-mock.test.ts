import { allSteps } from '../../src/runner/result/outcome';
import { runContract } from '../../src/library/run-contract';
import { createMockServer } from '../../src/library/create-mock-server';
import { list, object, ref, smallApi, type SmallOperation, text, whole } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

const PROBLEM = object({ message: text }, ['message']);
const REFUSED = { 404: PROBLEM, 422: PROBLEM };

/** Notes that are made, listed, read, changed and removed. */
function notes(
  written: object,
  { query = {}, changed = written }: { query?: SmallOperation['query']; changed?: object } = {},
): Record<string, SmallOperation> {
  return {
    'GET /notes': { query, answers: { 200: list(ref('Note')) } },
    'POST /notes': { body: written, answers: { 201: ref('Note'), ...REFUSED } },
    'GET /notes/{id}': { answers: { 200: ref('Note'), 404: PROBLEM } },
    'PATCH /notes/{id}': { body: changed, answers: { 200: ref('Note'), ...REFUSED } },
    'DELETE /notes/{id}': { answers: { 204: null, 404: PROBLEM } },
  };
}

const id = { type: 'string', readOnly: true };
const owner = object({ id: text, name: text });
const labels = { type: 'object', additionalProperties: text };
const shade = { type: 'string', default: 'dark' };
const hour = { type: 'string', format: 'time' };
const image = { type: 'string', format: 'uri', description: 'Address of an image' };

interface Case {
  readonly about: string;
  readonly operations: Record<string, SmallOperation>;
  readonly schemas: Record<string, object>;
}

/** What generated checks and the mock have to agree about: each is what real descriptions have. */
const CASES: readonly Case[] = [
  {
    about: 'objects that are known by a key, and maps that are not',
    operations: notes(object({ title: text, owner, labels }, ['title'])),
    schemas: { Note: object({ id, title: text, owner, labels }) },
  },
  {
    about: 'a required property with a default',
    operations: notes(object({ title: text, shade }, ['title', 'shade'])),
    schemas: { Note: object({ id, title: text, shade }) },
  },
  {
    about: 'a body that is an object with one list',
    operations: notes(object({ networks: list(text) })),
    schemas: { Note: object({ id, networks: list(text) }) },
  },
  {
    about: 'a time of day',
    operations: notes(object({ title: text, hour }, ['title'])),
    schemas: { Note: object({ id, title: text, hour }) },
  },
  {
    about: 'a filter whose default is a word for none',
    operations: notes(object({ title: text, shade: text }, ['title']), {
      query: { shade: { type: 'string', default: 'none' } },
    }),
    schemas: { Note: object({ id, title: text, shade: text }) },
  },
  {
    about: 'addresses of images',
    operations: notes(object({ title: text, image: text, avatar_url: image }, ['title'])),
    schemas: { Note: object({ id, title: text, image: text, avatar_url: image }) },
  },
  {
    about: 'a property that is written as a text and read as an object',
    operations: notes(object({ title: text, base: text }, ['title']), {
      changed: object({ title: text, base: text }),
    }),
    schemas: { Note: object({ id, title: text, base: object({ shade: text, depth: whole }, ['shade', 'depth']) }) },
  },
  {
    about: 'a property whose words the readers know alone',
    operations: notes(object({ title: text, alarm: object({ manner: text }) }, ['title']), {
      changed: object({ title: text, alarm: object({ manner: text }) }),
    }),
    schemas: {
      Note: object({ id, title: text, alarm: object({ manner: { type: 'string', enum: ['loud', 'quiet'] } }) }),
    },
  },
  {
    about: 'a query parameter of a change with the name of a property of another type',
    operations: {
      'GET /notes': { answers: { 200: list(ref('Note')) } },
      'POST /notes/create': { body: ref('NoteSpec'), answers: { 201: object({ ID: text }), ...REFUSED } },
      'GET /notes/{id}': { answers: { 200: ref('Note'), 404: PROBLEM } },
      'POST /notes/{id}/update': {
        parameters: [{ name: 'version', in: 'query', required: true, schema: whole }],
        body: ref('NoteSpec'),
        answers: { 200: null, ...REFUSED },
      },
      'DELETE /notes/{id}': { answers: { 204: null, 404: PROBLEM } },
    },
    schemas: {
      NoteSpec: object({ Name: text, Shade: text }, ['Name']),
      Note: object({ ID: text, Version: object({ Index: whole }), Spec: ref('NoteSpec') }),
    },
  },
  {
    about: 'an overview that describes its entries otherwise',
    operations: {
      ...notes(object({ title: text }, ['title'])),
      'GET /notes': { answers: { 200: ref('Summary') } },
      'GET /usage': { answers: { 200: object({ notes: list(ref('Summary')), size: whole }) } },
    },
    schemas: { Note: object({ id, title: text }), Summary: list(object({ id: text, title: text })) },
  },
  {
    about: 'a list that knows some of the kinds that readers know',
    operations: {
      ...notes(object({ title: text }, ['title'])),
      'GET /means': { answers: { 200: list({ anyOf: [ref('Bank'), ref('Card')] }) } },
      'GET /means/{id}': { answers: { 200: { anyOf: [ref('Account'), ref('Bank'), ref('Card')] }, 404: PROBLEM } },
      'DELETE /means/{id}': { answers: { 204: null, 404: PROBLEM } },
    },
    schemas: {
      Note: object({ id, title: text }),
      Account: object({ id, kind: { type: 'string', enum: ['account'] } }, ['id', 'kind']),
      Bank: object({ id, kind: { type: 'string', enum: ['bank'] }, routing: text }, ['id', 'kind', 'routing']),
      Card: object({ id, kind: { type: 'string', enum: ['card'] }, brand: text }, ['id', 'kind', 'brand']),
    },
  },
  {
    about: 'things whose names are deeper in them',
    operations: {
      'GET /pods': { answers: { 200: object({ items: list(ref('Pod')) }) } },
      'POST /pods': { body: ref('Pod'), answers: { 201: ref('Pod'), 401: null } },
      'GET /pods/{name}': { answers: { 200: ref('Pod'), 401: null } },
      'PUT /pods/{name}': { body: ref('Pod'), answers: { 200: ref('Pod'), 401: null } },
      'DELETE /pods/{name}': { answers: { 200: ref('Pod'), 401: null } },
      'GET /logs': { answers: { 401: null } },
    },
    schemas: {
      Pod: object({ kind: text, metadata: object({ labels, name: text, uid: text }), spec: object({ shade: text }) }),
    },
  },
  {
    about: 'things with a number beside the name that is their key',
    operations: {
      'GET /rooms': { answers: { 200: list(ref('Room')) } },
      'POST /rooms': { body: object({ shade: text }), answers: { 201: ref('Room'), 400: PROBLEM } },
      'GET /rooms/{room_name}': { answers: { 200: ref('Room'), 404: PROBLEM } },
      'DELETE /rooms/{room_name}': { answers: { 204: null, 404: PROBLEM } },
    },
    schemas: { Room: object({ id: whole, name: text, number: whole, shade: text }, ['id', 'name', 'number']) },
  },
  {
    about: 'a new thing whose Location is another path than the one where it is read',
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
    about: 'what readers see of others and requests have no property for',
    operations: {
      ...notes(object({ title: text }, ['title'])),
      'GET /marks': { answers: { 200: list(ref('Mark')) } },
      'POST /marks': {
        body: object({ label: text }, ['label']),
        answers: { 201: ref('Mark'), 404: PROBLEM, 422: PROBLEM },
      },
      'GET /marks/{mark_id}': { answers: { 200: ref('Mark'), 404: PROBLEM } },
      'DELETE /marks/{mark_id}': { answers: { 204: null, 404: PROBLEM } },
    },
    schemas: { Note: object({ id, title: text }), Mark: object({ id, label: text, note_id: text }) },
  },
  {
    about: 'a parameter that is an object',
    operations: {
      ...notes(object({ title: text }, ['title'])),
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
    schemas: { Note: object({ id, title: text }) },
  },
  {
    about: 'a body of one form or another, whose property is like a key',
    operations: {
      ...notes(
        {
          ...object({ kind: { type: 'string', enum: ['note', 'mark'] }, id: whole, title: text, page: whole }),
          required: ['kind'],
          oneOf: [{ required: ['id'] }, { required: ['title', 'page'] }],
        },
        { changed: object({ title: text }) },
      ),
    },
    schemas: { Note: object({ id: whole, kind: text, title: text, page: whole }) },
  },
];

test.each(CASES)('generated checks find nothing at the mock of $about', async ({ about, operations, schemas }) => {
  const spec = folder.write(`${about.replaceAll(/\W+/g, '-')}.json`, smallApi(operations, schemas));
  const app = await createMockServer({ description: spec });
  const result = await runContract({ app, description: spec, generate: true, seed: 1 });
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

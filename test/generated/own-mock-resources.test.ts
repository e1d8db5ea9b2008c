import { expectNoFindings, itemsOf, type Part, PROBLEM, REFUSED } from '../support/own-mock';
import { list, object, ref, text, whole } from '../support/small-api';

const id = { type: 'string', readOnly: true };
const kind = (name: string): object => ({ type: 'string', enum: [name] });

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

test('generated contracts find nothing at the mock of resources of many shapes', async () => {
  await expectNoFindings(RESOURCES, ['lifecycle', 'lists']);
});

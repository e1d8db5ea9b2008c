import { contractText } from '../../src/cli/actions/draft';
import { draftContract } from '../../src/cli/actions/draft-contract';
import { createServerParts } from '../../src/library/create-mock-server';
import { parse } from 'yaml';
import { json } from '../support/small-api';

interface Written {
  readonly variables: Record<string, unknown>;
  readonly steps: readonly { operation: string; pending?: string; body?: Record<string, unknown> }[];
}

const item = (name: string, properties: object): object => ({
  type: 'object',
  required: ['id', ...Object.keys(properties)],
  properties: { id: { type: 'integer', readOnly: true }, ...properties },
  title: name,
});
const HALL_ID = { type: 'integer', description: 'The hall, which nobody makes' };
const SHOW = item('Show', { hallId: HALL_ID, title: { type: 'string' } });
const SEAT = item('Seat', { showId: { type: 'integer' }, row: { type: 'integer' } });
const HALL = item('Hall', { name: { type: 'string' } });

function collection(name: string, schema: object, isReadOnly = false): object {
  const id = { name: `${name}Id`, in: 'path', required: true, schema: { type: 'integer' } };
  const one = { 200: { description: 'one', ...json(schema) }, 404: { description: 'none' } };
  return {
    [`/${name}s`]: {
      get: {
        operationId: `list-${name}`,
        responses: { 200: { description: 'all', ...json({ type: 'array', items: schema }) } },
      },
      ...(isReadOnly
        ? {}
        : {
            post: {
              operationId: `add-${name}`,
              requestBody: { required: true, ...json(schema) },
              responses: { 201: { description: 'made', ...json(schema) } },
            },
          }),
    },
    [`/${name}s/{${name}Id}`]: {
      parameters: [id],
      get: { operationId: `get-${name}`, responses: one },
      ...(isReadOnly
        ? {}
        : {
            delete: {
              operationId: `remove-${name}`,
              responses: { 204: { description: 'gone' }, 404: { description: 'none' } },
            },
          }),
    },
  };
}

async function draft(): Promise<Written> {
  const paths = { ...collection('show', SHOW), ...collection('seat', SEAT), ...collection('hall', HALL, true) };
  const description = { openapi: '3.0.3', info: { title: 'Theatre', version: '1' }, paths };
  return parse(contractText(await draftContract(await createServerParts({ description })))) as Written;
}

test('what no step makes is named by the variable that paths have', async () => {
  const { variables, steps } = await draft();
  expect(steps.find(({ operation }) => operation === 'add-show')?.body).toMatchObject({ hallId: '${hallId}' });
  expect(Object.keys(variables)).toEqual(['hallId']);
  expect(steps.filter(({ pending }) => pending !== undefined)).toEqual([]);
});

test('what refers to something is removed before it', async () => {
  const names = (await draft()).steps.map(({ operation }) => operation);
  expect(names.filter((each) => /^(?:add|remove)/.test(each))).toEqual([
    'add-show',
    'add-seat',
    'remove-seat',
    'remove-show',
  ]);
});

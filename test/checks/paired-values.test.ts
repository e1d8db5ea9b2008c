import { checkRun } from '../../src/checks/run/registry';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { object, text, whole } from '../support/small-api';
import { loadText } from '../openapi/load-text';
import { observeRun, type Sent } from './exchanges';

const flag = { type: 'boolean' };
const day = { ...text, format: 'date' };

/** Tools that are written and shown by schemas of their own, in an envelope. */
function apiOf(sent: Record<string, object>, shown: Record<string, object>, words = 'The tool.'): ApiModel {
  const body = (schema: object): object => ({ content: { 'application/json': { schema } } });
  const tool = object({ data: object({ id: text, ...shown }, ['id']), meta: object({ self: text }) }, ['data']);
  const answer = (status: string): object => ({ [status]: { description: words, ...body(tool) } });
  const id = { name: 'toolId', in: 'path', required: true, schema: text };
  const paths = {
    '/tools': {
      get: {
        operationId: 'listTools',
        responses: {
          200: {
            description: 'All.',
            ...body(object({ data: { type: 'array', items: object({ id: text, ...shown }) } })),
          },
        },
      },
      post: { operationId: 'addTool', requestBody: body(object(sent)), responses: answer('201') },
    },
    '/tools/{toolId}': {
      parameters: [id],
      get: { operationId: 'getTool', responses: answer('200') },
      patch: {
        operationId: 'changeTool',
        description: words,
        requestBody: body(object(sent)),
        responses: answer('200'),
      },
      delete: { operationId: 'removeTool', responses: { 204: { description: 'Gone.' } } },
    },
  };
  return loadText(JSON.stringify({ openapi: '3.0.3', info: { title: 'Tools', version: '1' }, paths })).api;
}

const tool = (members: object): string => JSON.stringify({ data: { id: 'a', ...members }, meta: { self: '/tools/a' } });
const change = (sent: object, shown: object): Sent => {
  return { to: 'PATCH /tools/a', send: JSON.stringify(sent), status: 200, body: tool(shown) };
};
const readAs = (shown: object): Sent => ({ to: 'GET /tools/a', status: 200, body: tool(shown) });

/** What `echo` says, in the form `error 2 /response/body/data/name`. */
function echoed(api: ApiModel, ...sent: readonly Sent[]): string[] {
  const findings = checkRun(observeRun(sent, api), api).findings.filter(({ check }) => check === 'echo');
  return findings.map(({ severity, exchange, at }) => `${severity} ${exchange} ${at}`);
}

/** Changes one property from a first value to a second, which does not come back. */
function changed(sent: object, shown: object, values: readonly [unknown, unknown, unknown]): string[] {
  const [first, second, got] = values.map((it) => ({ it }));
  const api = apiOf({ it: sent }, { it: shown });
  return echoed(api, readAs({}), change(first!, first!), readAs(first!), change(second!, got!));
}

const AT = 'error 3 /response/body/data/it';

test.each([
  ['text', text, text, ['a b', 'c d', 'e f']],
  ['a number', whole, whole, [1, 2, 3]],
  ['a flag', flag, flag, [false, true, false]],
  ['a value whose type one of them leaves out', {}, whole, [1, 2, 3]],
  ['a date whose format one of them leaves out', text, day, ['2030-01-01', '2030-01-02', '2030-01-03']],
  ['what may be null', { ...text, nullable: true }, text, ['a b', 'c d', 'e f']],
  ['a list', { type: 'array', items: text }, { type: 'array', items: text, maxItems: 9 }, [['a b'], ['c d'], ['e f']]],
  [
    'an object',
    object({ one: text, hidden: whole }),
    object({ one: text, more: whole }),
    [{ one: 'a b' }, { one: 'c d' }, { one: 'e f' }],
  ],
  [
    'a list of objects',
    { type: 'array', items: object({ one: text }) },
    { type: 'array', items: object({ one: text, two: text }) },
    [[{ one: 'a b' }], [{ one: 'c d' }], [{ one: 'e f' }]],
  ],
] as const)('echo pairs %s by its name, in an envelope', (_, sent, shown, values) => {
  expect(changed(sent, shown, values)).toEqual([AT]);
});

test.each([
  ['of another type', whole, text, [1, 2, '3']],
  ['of another format', { ...text, format: 'uuid' }, { ...text, format: 'uri' }, ['a:1', 'a:2', 'a:3']],
  ['whose responses cannot show the value', text, { ...text, maxLength: 2 }, ['a', 'a b', 'b']],
  ['that the service sets', text, { ...text, readOnly: true }, ['a b', 'c d', 'e f']],
  ['that is never shown', { ...text, writeOnly: true }, text, ['a b', 'c d', 'e f']],
  [
    'of names that are shown as objects',
    { type: 'array', items: text },
    { type: 'array', items: object({ one: text }) },
    [['a b'], ['c d'], [{ one: 'c d' }]],
  ],
  ['that is null', { ...text, nullable: true }, text, ['a b', null, 'a b']],
  [
    'that is empty and left out',
    { type: 'array', items: text },
    { type: 'array', items: text, maxItems: 9 },
    [['a b'], [], undefined],
  ],
  [
    'with nothing in common',
    object({ one: text }),
    object({ two: text }),
    [{ one: 'a b' }, { one: 'c d' }, { two: 'e f' }],
  ],
] as const)('echo is silent about a property %s', (_, sent, shown, values) => {
  expect(changed(sent, shown, values)).toEqual([]);
});

test('that a creation sets a property does not tell that a change does', () => {
  const made: Sent = { to: 'POST /tools', send: '{"name":"a b"}', status: 201, body: tool({ name: 'a b' }) };
  expect(echoed(NAMES, made, change({ name: 'c d' }, { name: 'a b' }), readAs({ name: 'a b' }))).toEqual([
    'warning 1 /response/body/data/name',
  ]);
});

const NAMES = apiOf({ name: text, state: text }, { name: text, state: text });

test.each([
  ['a change that was seen by nobody else', [change({ name: 'c d' }, { name: 'e f' })]],
  [
    'what is the same before and after',
    [readAs({ name: 'a b' }), change({ name: 'a b' }, { name: 'a b' }), change({ name: 'c d' }, { name: 'a b' })],
  ],
  [
    'a text that has the one that was sent',
    [
      readAs({}),
      change({ name: 'a b' }, { name: 'a b' }),
      readAs({ name: 'a b' }),
      change({ name: 'c d' }, { name: 'tools/c d' }),
    ],
  ],
  [
    'a state',
    [
      change({ state: 'on' }, { state: 'on' }),
      readAs({ state: 'on' }),
      change({ state: 'off' }, { state: 'stopping' }),
    ],
  ],
])('%s is a warning', (_, sent) => {
  expect(echoed(NAMES, ...sent).map((text) => text.split(' ')[0])).toEqual(['warning']);
});

test('a response that shows something else than what was sent and is kept is an error, the first time too', () => {
  const [sent, other] = [{ name: 'c d' }, { name: 'e f' }];
  expect(echoed(NAMES, change(sent, other), readAs(sent))).toEqual(['error 0 /response/body/data/name']);
});

test('a response that shows the item as it was before is one finding', () => {
  const [before, after] = [
    { name: 'a b', state: 'on' },
    { name: 'c d', state: 'off' },
  ];
  const run = [readAs(before), change(after, before), readAs(after)] as const;
  expect(echoed(NAMES, ...run)).toEqual(['error 1 /response/body/data']);
  // It is accepted, and done later.
  expect(echoed(NAMES, run[0], { ...run[1], status: 202 }, run[2]).filter((text) => text.startsWith('error'))).toEqual(
    [],
  );
  const told = apiOf({ name: text, state: text }, { name: text, state: text }, 'The tool as it was before.');
  expect(echoed(told, ...run).filter((text) => text.startsWith('error'))).toEqual([]);
});

describe('a merge patch', () => {
  const patched = (
    shown: object,
    type = 'application/merge-patch+json',
    sent: object = { ...text, nullable: true },
    description?: string,
  ): string[] => {
    const api = apiOf({ it: sent }, { it: text }, description);
    const headers = ['Content-Type', type];
    const run = [
      change({ it: 'a b' }, { it: 'a b' }),
      { ...change({ it: null }, shown), requestHeaders: headers },
      readAs(shown),
    ];
    return checkRun(observeRun(run, api), api)
      .findings.filter(({ check }) => check === 'removed-values')
      .map(({ severity, exchange, at }) => `${severity} ${exchange} ${at}`);
  };

  test('takes away what it sets to null', () => {
    expect(patched({ it: 'a b' })).toEqual(['error 2 /response/body/data/it']);
    expect([patched({}), patched({ it: null }), patched({ it: 'none' })]).toEqual([[], [], []]);
  });

  test('may leave what it sets to null where the description says so', () => {
    expect(patched({ it: 'a b' }, undefined, undefined, 'Null is ignored.')).toEqual([]);
  });

  test('is told by its type, and takes null where its schema does', () => {
    expect(patched({ it: 'a b' }, 'application/json')).toEqual([]);
    expect(patched({ it: 'a b' }, undefined, text)).toEqual([]);
  });
});

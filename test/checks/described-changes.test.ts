import { checkRun } from '../../src/checks/run/registry';
import { object, text } from '../support/small-api';
import { loadText } from '../openapi/load-text';
import { observeRun, type Sent } from './exchanges';

const place = object({ street: text, city: text, type: text });

interface Words {
  readonly replace?: string;
  readonly steps?: string | undefined;
}

/** Tools that are replaced, changed in part and closed; `words` stand in the description. */
function found(check: string, { replace = 'Writes the tool.', steps }: Words, ...sent: readonly Sent[]): string[] {
  const body = (schema: object, type = 'application/json'): object => ({ content: { [type]: { schema } } });
  const list = { type: 'array', items: text };
  const members = { name: text, note: text, place };
  const sentTool = object({ ...members, steps: steps === undefined ? list : { ...list, description: steps } }, [
    'name',
  ]);
  const shown = object({ id: text, ...members, steps: list, state: { ...text, enum: ['open', 'closed'] } }, ['id']);
  const answer = { 200: { description: 'The tool.', ...body({ $ref: '#/components/schemas/Tool' }) } };
  const parameters = [{ name: 'toolId', in: 'path', required: true, schema: text }];
  const paths = {
    '/tools': { get: { responses: { 200: { description: 'All.', ...body({ type: 'array', items: shown }) } } } },
    '/tools/{toolId}': {
      parameters,
      get: { operationId: 'getTool', responses: answer },
      put: { operationId: 'writeTool', description: replace, requestBody: body(sentTool), responses: answer },
      patch: {
        operationId: 'changeTool',
        requestBody: body(object(members), 'application/merge-patch+json'),
        responses: answer,
      },
    },
    '/tools/{toolId}/close': { parameters, post: { operationId: 'closeTool', responses: answer } },
  };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Tools', version: '1' },
    components: { schemas: { Tool: shown } },
  };
  const { api } = loadText(JSON.stringify({ ...document, paths }));
  return checkRun(observeRun(sent, api), api)
    .findings.filter((each) => each.check === check)
    .map(({ severity, exchange, at }) => `${severity} ${exchange} ${at.replace('/response/body', '')}`);
}

const tool = (members: object): string => JSON.stringify({ id: 'a', ...members });
const put = (sent: object, shown: object = sent): Sent => {
  return { to: 'PUT /tools/a', send: JSON.stringify(sent), status: 200, body: tool(shown) };
};
const read = (shown: object, more: Partial<Sent> = {}): Sent => ({
  to: 'GET /tools/a',
  status: 200,
  body: tool(shown),
  ...more,
});

describe('what a PUT leaves out', () => {
  const [whole, less] = [{ name: 'a b', note: 'c d' }, { name: 'a b' }];
  const kept = (replace: string): string[] =>
    found('removed-values', { replace }, put(whole), put(less, whole), read(whole));

  test.each([
    'What is not in the body is not there afterwards; `created` stays.',
    'Fields that are omitted are removed. Orders that were placed keep their price.',
    'Any property left out is cleared. The state is unchanged.',
  ])('is gone where the description says so: %s', (words) => {
    expect(kept(words)).toEqual(['error 2 /note']);
  });

  test.each([
    'Fields that are omitted keep their value.',
    'What is left out is not removed.',
    'What is not in the body is gone; the note stays.',
    'Keeps what there is. Missing tags are removed.',
    'Keeps what there is. 404 if what was missing is removed.',
  ])('may stay where it does not: %s', (words) => {
    expect(kept(words)).toEqual([]);
  });

  test('is told where nothing is said', () => {
    expect(kept('Writes the tool.')).toEqual(['warning 2 /note']);
  });
});

describe('a merge patch of an object in a thing', () => {
  const before = { name: 'a b', place: { street: 'c d', city: 'e f' } };
  const type = ['Content-Type', 'application/merge-patch+json'];
  const patched = (part: object, after: object, requestHeaders: readonly string[] = type): string[] => {
    const [sent, shown] = [{ place: part }, { name: 'a b', place: after }];
    const change = { to: 'PATCH /tools/a', send: JSON.stringify(sent), status: 200, body: tool(shown), requestHeaders };
    return found('removed-values', {}, put(before), change, read(shown));
  };

  test('leaves what it does not name', () => {
    expect(patched({ city: 'g h' }, { city: 'g h' })).toEqual(['error 2 /place/street']);
    expect(patched({ city: 'g h' }, { city: 'g h', street: 'c d' })).toEqual([]);
  });

  test('may change it, take away what it sets to null, and all of it with another type', () => {
    expect(patched({ city: 'g h' }, { city: 'g h', street: 'i j' })).toEqual([]);
    expect(patched({ city: null }, { street: 'c d' })).toEqual([]);
    expect(patched({ type: 'box' }, { type: 'box' })).toEqual([]);
  });

  test('is told by its media type', () => {
    expect(patched({ city: 'g h' }, { city: 'g h' }, ['Content-Type', 'application/json'])).toEqual([]);
  });

  test('is judged by what the run sent itself', () => {
    const shown = { name: 'a b', place: { city: 'g h' } };
    const send = JSON.stringify({ place: { city: 'g h' } });
    const change = { to: 'PATCH /tools/a', send, status: 200, body: tool(shown), requestHeaders: type };
    expect(found('removed-values', {}, read(before), change, read(shown))).toEqual([]);
  });
});

describe('a list that comes back in another order', () => {
  const [sent, shown] = [
    { name: 'a b', steps: ['x y', 'c d'] },
    { name: 'a b', steps: ['c d', 'x y'] },
  ];

  // The run has seen that such a list comes back.
  const known = [read({ name: 'a b' }), put(shown), read(shown)];

  test.each(['In the order in which they are done.', 'What to do; the order counts.'])('is wrong: %s', (steps) => {
    expect(found('echo', { steps }, ...known, put(sent, shown), read(shown))).toEqual(['error 3 /steps']);
    expect(found('echo', { steps }, put(sent), read(sent))).toEqual([]);
  });

  test.each([
    undefined,
    'In the order of their names.',
    'In the order in which they expire.',
    'In the order in which they were added.',
    'In any order.',
  ])('may be a set, or sorted: %s', (steps) => {
    expect(found('echo', { steps }, ...known, put(sent, shown), read(shown))).toEqual([]);
  });
});

describe('the entity tag in the response to an action', () => {
  const [open, closed] = [
    { name: 'a b', state: 'open' },
    { name: 'a b', state: 'closed' },
  ];
  const tag = (value: string): Partial<Sent> => ({ headers: ['ETag', value] });
  const close = (shown: object, value: string): Sent => ({
    to: 'POST /tools/a/close',
    status: 200,
    body: tool(shown),
    ...tag(value),
  });

  test('is another one than that of another state', () => {
    expect(found('etag-changes', {}, read(open, tag('"1"')), close(closed, '"1"'))).toEqual([
      'error 1 /response/headers/etag',
    ]);
    expect(found('etag-changes', {}, read(open, tag('"1"')), close(closed, '"2"'))).toEqual([]);
  });

  test.each([
    ['a weak one', read(open, tag('W/"1"')), close(closed, 'W/"1"')],
    ['nothing was done', read(open, tag('"1"')), close(open, '"1"')],
    ['a part is shown', read(open, tag('"1"')), close({ name: 'a b' }, '"1"')],
    ['it is of another thing', { ...read(open, tag('"1"')), to: 'GET /tools/b' }, close(closed, '"1"')],
    ['another caller saw it', { ...read(open, tag('"1"')), auth: 'other' }, close(closed, '"1"')],
  ])('may be the same: %s', (_, before, action) => {
    expect(found('etag-changes', {}, before, action)).toEqual([]);
  });
});

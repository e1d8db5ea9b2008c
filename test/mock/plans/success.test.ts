import request from 'supertest';
import { partsOfText } from '../../support/serve-text';

const responses: Readonly<Record<string, string>> = {
  onlyRefused: `{ '403': { description: no } }`,
  onlyRedirects: `{ '403': { description: no }, '307': { description: later }, '303': { description: see, headers: { Location: { schema: { type: string } } } } }`,
  rangeOfRedirects: `{ 3XX: { description: see } }`,
  onlyNotModified: `{ '304': { description: same } }`,
  onlyDefault: `{ default: { description: any, content: { application/json: { schema: { type: integer, enum: [7] } } } } }`,
  range: `{ 2XX: { description: any, content: { application/json: { schema: { type: integer, enum: [8] } } } } }`,
  onlyFailures: `{ 5XX: { description: no, content: { application/json: { schema: { properties: { message: { type: string } } } } } } }`,
  notBuilt: `{ '501': { description: no, content: { application/json: { example: { state: planned } } } }, '503': { description: no } }`,
  lowest: `{ '206': { description: part }, '202': { description: later } }`,
};
const DOCUMENT = `openapi: 3.0.3
info: { title: Doors, version: 1.0.0 }
paths:
${Object.entries(responses)
  .map(([name, each]) => `  /${name}: { get: { operationId: ${name}, responses: ${each} } }`)
  .join('\n')}
  /knock: { post: { operationId: knock, responses: { '403': { description: no } } } }
`;

test.each([
  { path: '/onlyRefused', status: 200, body: '' },
  { path: '/onlyRedirects', status: 303, body: '' },
  { path: '/rangeOfRedirects', status: 302, body: '' },
  { path: '/onlyNotModified', status: 200, body: '' },
  { path: '/onlyDefault', status: 200, body: '7' },
  { path: '/range', status: 200, body: '8' },
  { path: '/onlyFailures', status: 500, body: '{"message":"The description documents failures alone"}' },
  { path: '/notBuilt', status: 501, body: '{"state":"planned"}' },
  { path: '/lowest', status: 202, body: '' },
])('$path is answered with $status', async ({ path, status, body }) => {
  const { app } = await partsOfText(DOCUMENT);
  const answer = await request(app).get(path).redirects(0);
  expect({ status: answer.status, body: answer.text }).toStrictEqual({ status, body });
});

test('a redirection has the Location that it declares', async () => {
  const { app } = await partsOfText(DOCUMENT);
  await request(app)
    .get('/onlyRedirects')
    .redirects(0)
    .expect('Location', /^https?:/);
});

test('a write that documents only failures succeeds without a body', async () => {
  const { app } = await partsOfText(DOCUMENT);
  await request(app).post('/knock').expect(204, '');
});

test('a success that nothing documents is said at the start', async () => {
  const { warnings, mock } = await partsOfText(DOCUMENT);
  const told = warnings.filter(({ rule }) => rule === 'success-not-documented').map(({ message }) => message);
  expect(told).toStrictEqual([
    'onlyRefused documents no success: it gets 200 and no body',
    'onlyNotModified documents no success: it gets 200 and no body',
    'onlyFailures documents no success: it gets 500, the first documented response',
    'notBuilt documents no success: it gets 501, the first documented response',
    'knock documents no success: it gets 204 and no body',
  ]);
  const plans = mock.context.plans.all();
  expect(plans.find(({ operation }) => operation.id === 'knock')?.responseSource).toStrictEqual({
    from: 'no-body',
    why: expect.stringContaining('no success is documented') as string,
  });
});

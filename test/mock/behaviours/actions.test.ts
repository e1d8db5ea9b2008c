import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text } from '../../support/small-api';
import { answers, POST, posts, takes } from './posts';
import { mockOfDocument, objectOf, smallMock } from './small-mock';

const ID = 'parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]';

const DOCUMENT = posts({
  sent: '{ type: object, properties: { title: { type: string } } }',
  more: `  /posts/{id}/attach:
    ${ID}
    post: { ${takes('{ type: object, properties: { customer: { type: string }, notify: { type: boolean }, speed: { type: string } } }')}, ${answers(POST)} }
  /posts/{id}/transitions:
    ${ID}
    post: { ${takes('{ type: object, required: [to], properties: { to: { type: string } } }')}, ${answers(POST)} }
  /posts/{id}/confirm:
    ${ID}
    post:
      description: "Confirms it. If payment fails, the post will transition to the <code>draft</code> status. If it succeeds, the post will transition to the <code>paid</code> status."
      ${answers(POST)}
  /posts/{id}/finalize:
    ${ID}
    post: { ${answers(POST)} }
  /posts/{id}/copy:
    ${ID}
    post: { ${takes('{ type: object, properties: { title: { type: string } } }')}, ${answers(POST)} }
  /posts/{id}/reply:
    ${ID}
    post: { ${takes('{ type: object, properties: { title: { type: string } } }')}, ${answers(POST)} }
`,
  schemas: `    Post:
      type: object
      required: [id]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string }
        customer: { type: string }
        status: { type: string, enum: [canceled, draft, open, paid], description: "One of \`draft\`, \`open\`, \`paid\`, \`canceled\`" }
`,
});

async function withOne(): Promise<ReturnType<typeof smallMock>> {
  const mock = smallMock(DOCUMENT);
  await mock.send('POST', '/posts', { title: 'A' });
  return mock;
}

test('members of the body of an action are merged where items have them, the others are told', async () => {
  const { send } = await withOne();
  const { body, headers } = await send('POST', '/posts/1/attach', { customer: 'c1', notify: true });
  expect(body).toEqual({ id: 1, title: 'A', customer: 'c1', status: 'draft' });
  expect(headers['x-standin-problem']).toBe('not_kept: Items of /posts do not keep /notify');
  expect((await send('GET', '/posts/1')).body).toEqual(body);
});

test.each([
  ['a state that the body names', '/posts/1/transitions', { to: 'PAID' }, 'paid'],
  ['what the body says is done', '/posts/1/transitions', { to: 'cancel' }, 'canceled'],
  ['what the description says of success', '/posts/1/confirm', undefined, 'paid'],
  ['the next state, where nothing else is said', '/posts/1/finalize', undefined, 'open'],
])('an action leads to %s', async (_what, path, sent, status) => {
  const { send } = await withOne();
  const answer = await send('POST', path, sent);
  expect(answer).toMatchObject({ status: 200, body: { id: 1, status } });
  expect(answer.headers).not.toHaveProperty('x-standin-problem');
});

test('a copy is a new item like the first, a reply a new one of what was sent', async () => {
  const { send } = await withOne();
  await send('POST', '/posts/1/attach', { customer: 'c1' });
  expect((await send('POST', '/posts/1/copy', { title: 'B' })).body).toMatchObject({
    id: 2,
    title: 'B',
    customer: 'c1',
  });
  expect((await send('POST', '/posts/1/reply', { title: 'C' })).body).toEqual({ id: 3, title: 'C', status: 'draft' });
  expect((await send('GET', '/posts/1')).body).toMatchObject({ title: 'A' });
  expect((await send('GET', '/posts')).body).toHaveLength(3);
});

test('a DELETE that cancels and returns the item leaves it, canceled; one that removes it does not', async () => {
  const withDelete = (summary: string): string =>
    DOCUMENT.replace(
      '  /posts/{id}/attach:',
      `    delete: { summary: ${summary}, ${answers(POST)} }\n  /posts/{id}/attach:`,
    );
  const canceling = smallMock(withDelete('Cancels a post'));
  await canceling.send('POST', '/posts', {});
  expect((await canceling.send('DELETE', '/posts/1')).body).toMatchObject({ id: 1, status: 'canceled' });
  expect((await canceling.send('GET', '/posts/1')).body).toMatchObject({ status: 'canceled' });
  const removing = smallMock(withDelete('Deletes a post'));
  await removing.send('POST', '/posts', {});
  await removing.send('DELETE', '/posts/1');
  expect((await removing.send('GET', '/posts/1')).status).not.toBe(200);
});

test.each([
  ['enable', 'disabled', true, false],
  ['disable', 'disabled', false, true],
  ['lock', 'unlocked', true, false],
  ['disable', 'enabled', true, false],
])('to %s an item sets its truth value "%s", which was %s, to %s', async (verb, flag, before, after) => {
  const { send } = smallMock(
    posts({
      sent: `{ type: object, properties: { ${flag}: { type: boolean } } }`,
      more: `  /posts/{id}/${verb}:\n    ${ID}\n    post: { ${answers(POST)} }\n`,
      schemas: `    Post: { type: object, required: [id], properties: { id: { type: integer }, ${flag}: { type: boolean } } }\n`,
    }),
  );
  await send('POST', '/posts', { [flag]: before });
  expect((await send('POST', `/posts/1/${verb}`)).body).toEqual({ id: 1, [flag]: after });
});

describe('a verb below a word of its own', () => {
  const status = { type: 'string', enum: ['STAGED', 'ACTIVE', 'SUSPENDED', 'DEPROVISIONED'] };
  const api = smallApi(
    {
      'GET /users': { answers: { 200: list(ref('User')) } },
      'POST /users': { body: object({ name: text }), answers: { 200: ref('User') } },
      'GET /users/{id}': { answers: { 200: ref('User'), 404: null } },
      'POST /users/{id}/lifecycle/suspend': { answers: { 200: null, 404: null } },
      'POST /users/{id}/lifecycle/activate': { answers: { 200: object({ token: text }), 404: null } },
      'POST /users/{id}/lifecycle/deactivate': {
        description:
          'Only for users that do not have the `DEPROVISIONED` status. The status is `DEPROVISIONED` when it is complete.',
        answers: { 200: null, 404: null },
      },
      'POST /users/{id}/credentials/forget': { answers: { 200: null, 404: null } },
      'POST /users/{id}/actions/disable': { answers: { 200: ref('User'), 404: null } },
    },
    { User: object({ id: text, name: text, status }) },
  );

  test.each([
    ['suspend', 'SUSPENDED'],
    ['activate', 'ACTIVE'],
    ['deactivate', 'DEPROVISIONED'],
  ])('%s makes the status %s', async (verb, after) => {
    const { send } = mockOfDocument(api);
    const { body } = await send('POST', '/users', { name: 'ada' });
    const { id } = body as { id: string };
    expect((await send('POST', `/users/${id}/lifecycle/${verb}`)).status).toBe(200);
    expect((await send('GET', `/users/${id}`)).body).toMatchObject({ name: 'ada', status: after });
  });

  test('a verb that says nothing of the item changes nothing', async () => {
    const server = supertest(await serveText(api));
    const { body } = (await server.post('/users').send({ name: 'ada' })) as { body: { id: string } };
    await server.post(`/users/${body.id}/credentials/forget`).expect(200);
    await server.get(`/users/${body.id}`).expect(200, body);
  });

  test('one that is answered with the item shows this item, and none that is made up', async () => {
    const { send } = mockOfDocument(api);
    const { body } = await send('POST', '/users', { name: 'ada' });
    const { id } = body as { id: string };
    expect((await send('POST', `/users/${id}/actions/disable`)).body).toMatchObject({ id, name: 'ada' });
    expect((await send('POST', '/users/none/actions/disable')).status).toBe(404);
  });
});

describe('a verb below an item that answers the item', () => {
  const words = (...values: string[]): object => ({ type: 'string', enum: values });
  const Talk = object({
    id: text,
    type: { type: 'string', example: 'talk' },
    subject: text,
    state: words('open', 'closed', 'snoozed'),
  });
  const document = smallApi(
    {
      'GET /talks': { answers: { 200: list(ref('Talk')) } },
      'POST /talks': { body: object({ subject: text }), answers: { 201: ref('Talk') } },
      'GET /talks/{id}': { answers: { 200: ref('Talk') } },
      'POST /talks/{id}/reply': {
        summary: 'Reply to a talk',
        body: object({ message_type: words('comment'), type: words('user', 'admin'), body: text }, ['type']),
        answers: { 200: ref('Talk') },
      },
      'POST /talks/{id}/parts': {
        body: object({ message_type: words('close', 'open', 'snoozed'), type: words('admin'), body: text }),
        answers: { 200: ref('Talk') },
      },
      'POST /talks/{id}/forward': { body: object({ subject: text }), answers: { 201: ref('Talk') } },
      'POST /talks/{id}/retype': { body: object({ type: words('talk', 'chat') }), answers: { 200: ref('Talk') } },
    },
    { Talk },
  );

  test('is about that item, whose kind words of a message leave alone', async () => {
    const { send } = mockOfDocument(document);
    const { id, ...made } = objectOf(await send('POST', '/talks', { subject: 'first' }));
    const path = `/talks/${id as string}`;
    const replied = await send('POST', `${path}/reply`, { message_type: 'comment', type: 'user', body: 'Thanks' });
    expect(replied.body).toEqual({ ...made, id, type: 'talk' });
    expect(replied.headers['x-standin-problem']).toMatch(/not_kept.*\/message_type.*\/type.*\/body/);
    expect((await send('GET', '/talks')).body).toHaveLength(1);
    const closed = await send('POST', `${path}/parts`, { message_type: 'close', type: 'admin', body: 'Bye' });
    expect(closed.body).toEqual({ id, type: 'talk', subject: 'first', state: 'closed' });
    expect((await send('GET', path)).body).toEqual(closed.body);
    expect((await send('POST', '/talks/none/reply', { type: 'user' })).status).toBe(404);
  });

  test('makes another one where it says so, and sets a kind of the same words', async () => {
    const { send } = mockOfDocument(document);
    const { id } = objectOf(await send('POST', '/talks', { subject: 'first' }));
    const path = `/talks/${id as string}`;
    expect((await send('POST', `${path}/retype`, { type: 'chat' })).body).toMatchObject({ id, type: 'chat' });
    const forwarded = await send('POST', `${path}/forward`, { subject: 'Fwd' });
    expect(forwarded.body).toMatchObject({ subject: 'Fwd' });
    expect((await send('GET', '/talks')).body).toHaveLength(2);
  });
});

test('a flag beside a state goes with it', async () => {
  const flag = { type: 'boolean', readOnly: true };
  const status = { ...text, enum: ['open', 'cancelled'], readOnly: true };
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /bills': { body: object({ title: text }), answers: { 201: ref('Bill') } },
        'GET /bills/{id}': { answers: { 200: ref('Bill') } },
        'POST /bills/{id}/cancel': { answers: { 200: ref('Bill') } },
      },
      {
        Bill: object({ id: { ...text, readOnly: true }, title: text, status, is_cancelled: flag, paid: flag }, [
          'status',
        ]),
      },
    ),
  );
  const { headers } = await send('POST', '/bills', { title: 'A' });
  await send('POST', `${headers['location']}/cancel`);
  const { body } = await send('GET', headers['location'] ?? '');
  expect(body).toMatchObject({ status: 'cancelled', is_cancelled: true });
  expect(body).not.toMatchObject({ paid: true });
});

test('what is made below a thing of the same kind leaves that thing as it is', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /groups': { answers: { 200: list(ref('Group')) } },
        'POST /groups': { body: ref('Group'), answers: { 201: ref('Group') } },
        'GET /groups/{id}': { answers: { 200: ref('Group') } },
        'POST /groups/{id}/children': { body: ref('Group'), answers: { 200: null } },
      },
      { Group: object({ id: text, name: text }) },
    ),
  );
  const { headers } = await send('POST', '/groups', { name: 'staff' });
  await send('POST', `${headers['location']}/children`, { name: 'nurses' });
  expect((await send('GET', headers['location'] ?? '')).body).toMatchObject({ name: 'staff' });
  expect((await send('GET', '/groups')).body).toContainEqual(expect.objectContaining({ name: 'nurses' }));
});

import { posts } from './posts';
import { smallMock, type SmallMock } from './small-mock';

const PATHS = posts({
  sent: "{ $ref: '#/components/schemas/NewPost' }",
  schemas: `    NewPost:
      type: object
      properties:
        title: { type: string }
        machine: { type: string }
        channel: { type: string, enum: [sms, mail, auto] }
        size: { type: integer }
        at: { type: string }
        home: { type: object, properties: { code: { type: string }, street: { type: string } } }
    Post:
      type: object
      required: [id, channel]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string }
        machine: { type: object, nullable: true, properties: { cores: { type: integer } } }
        channel: { type: string, enum: [sms, mail] }
        size: { type: integer, maximum: 9 }
        at: { type: string, format: date-time }
        home:
          type: object
          required: [country]
          properties: { code: { type: string, maxLength: 2 }, street: { type: string }, country: { type: string } }
`,
});

function told({ mock }: SmallMock): unknown {
  return mock.engine.sandboxes.main.journal.entries().at(-1)?.warnings;
}

describe('what a request lets in and an item does not', () => {
  test.each([
    { about: 'another type', sent: { machine: 'large' } },
    { about: 'a bound', sent: { size: 10 } },
    { about: 'a format', sent: { at: 'noon' } },
    { about: 'a part of a member', sent: { home: { code: 'long' } } },
  ])('is left out of a new item, and the journal says so: $about', async ({ sent }) => {
    const small = smallMock(PATHS);
    const made = await small.send('POST', '/posts', { title: 'A', channel: 'mail', ...sent });
    expect(made).toMatchObject({ status: 201, body: { id: 1, title: 'A', channel: 'mail' } });
    const [name] = Object.keys(sent);
    expect(made.body).not.toHaveProperty(String(name));
    expect((await small.send('GET', '/posts/1')).body).toEqual(made.body);
    expect(small.mock.engine.sandboxes.main.journal.entries()[0]).toMatchObject({
      status: 201,
      code: undefined,
      warnings: [{ code: 'invalid_result', message: expect.stringContaining(`/${String(name)}`) as string }],
    });
  });

  test('is made up anew where items need it', async () => {
    const small = smallMock(PATHS);
    const made = await small.send('POST', '/posts', { title: 'A', channel: 'auto', size: 10 });
    expect(made).toMatchObject({ status: 201, body: { title: 'A', channel: 'sms' } });
    expect(told(small)).toEqual([
      {
        code: 'invalid_result',
        message:
          'Left out of the item of /posts, which is read otherwise: /channel must be one of "sms", "mail"; /size must be at most 9',
      },
    ]);
  });

  test('leaves what a replaced item has', async () => {
    const small = smallMock(PATHS);
    await small.send('POST', '/posts', { title: 'A', channel: 'mail', size: 3 });
    const sent = { title: 'B', channel: 'auto', size: 10 };
    expect((await small.send('PUT', '/posts/1', sent)).body).toEqual({ id: 1, title: 'B', channel: 'mail', size: 3 });
    expect(told(small)).toMatchObject([{ code: 'invalid_result' }]);
  });

  test('goes without the members that fit, which are completed', async () => {
    const { send } = smallMock(PATHS);
    const made = await send('POST', '/posts', { home: { street: 'High' }, size: 10, channel: 'mail' });
    expect(made.body).toMatchObject({ home: { street: 'High', country: expect.any(String) as string } });
  });

  test.each([
    { about: 'in a patch, which would say nothing', method: 'PATCH', headers: {} },
    { about: 'in a whole item that is to be handled strictly', method: 'PUT', headers: { prefer: 'handling=strict' } },
  ])('is refused $about', async ({ method, headers }) => {
    const { send, stateText } = smallMock(PATHS);
    await send('POST', '/posts', { title: 'A', channel: 'mail' });
    const before = stateText();
    for (const sent of [{ machine: 'large' }, { channel: 'auto' }, { size: 10 }]) {
      const { status, body } = await send(method, '/posts/1', sent, headers);
      expect({ status, body }).toMatchObject({ status: 422, body: { code: 'invalid_result' } });
    }
    expect(stateText()).toBe(before);
  });

  test.each([
    { about: 'plain JSON', headers: {}, status: 200 },
    { about: 'a merge patch', headers: { 'content-type': 'application/merge-patch+json' }, status: 422 },
    { about: 'strict handling', headers: { prefer: 'handling=strict' }, status: 422 },
  ])('is left out of a change that says more, and the journal says so: $about', async ({ headers, status }) => {
    const small = smallMock(PATHS);
    await small.send('POST', '/posts', { title: 'A', channel: 'mail', size: 3 });
    const sent = { title: 'B', channel: 'auto', size: 10 };
    expect(await small.send('PATCH', '/posts/1', sent, headers)).toMatchObject({ status });
    const title = status === 200 ? 'B' : 'A';
    expect((await small.send('GET', '/posts/1')).body).toEqual({ id: 1, title, channel: 'mail', size: 3 });
    const { code, warnings } = small.mock.engine.sandboxes.main.journal.entries()[1]!;
    expect(status === 200 ? warnings[0]?.code : code).toBe('invalid_result');
  });

  test('nothing is told of a request that fits, though it was before', async () => {
    const small = smallMock(PATHS);
    await small.send('POST', '/posts', { channel: 'auto' });
    await small.send('POST', '/posts', { channel: 'sms' });
    expect(told(small)).toEqual([]);
  });
});

import { objectOf, smallMock } from './small-mock';

const BOXES = `
paths:
  /boxes:
    post:
      parameters: [{ name: name, in: query, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { type: object, properties: { size: { type: integer } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } } }
  /boxes/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, description: ID or name of the box, schema: { type: string } }]
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } } }
${['start', 'stop', 'kill', 'pause', 'unpause', 'restart']
  .map(
    (verb) => `  /boxes/{id}/${verb}:
    post:
      parameters: [{ name: id, in: path, required: true, description: ID or name of the box, schema: { type: string } }]
      responses: { '204': { description: done } }
`,
  )
  .join('')}
  /boxes/{id}/rename:
    post:
      parameters:
        - { name: id, in: path, required: true, description: ID or name of the box, schema: { type: string } }
        - { name: name, in: query, required: true, schema: { type: string } }
      responses: { '204': { description: done } }
components:
  schemas:
    Box:
      type: object
      properties:
        Id: { type: string }
        Name: { type: string }
        size: { type: integer }
        State:
          type: object
          properties:
            Status: { type: string, enum: [created, running, paused, exited, dead] }
            Running: { type: boolean }
            Paused: { type: boolean }
            Error: { type: string }
`;

test('a state in a part of an item begins, and is led on by verbs, with the flags beside it', async () => {
  const { send } = smallMock(BOXES);
  const { State: begun } = objectOf(await send('POST', '/boxes?name=one', { size: 1 }));
  expect(begun).toStrictEqual({ Status: 'created', Running: false, Paused: false });
  const after = async (verb: string): Promise<unknown> => {
    expect((await send('POST', `/boxes/one/${verb}`)).status).toBe(204);
    return objectOf(await send('GET', '/boxes/one'))['State'];
  };
  expect(await after('start')).toStrictEqual({ Status: 'running', Running: true, Paused: false });
  expect(await after('pause')).toStrictEqual({ Status: 'paused', Running: false, Paused: true });
  expect(await after('unpause')).toStrictEqual({ Status: 'running', Running: true, Paused: false });
  expect(await after('stop')).toStrictEqual({ Status: 'exited', Running: false, Paused: false });
  expect(await after('restart')).toMatchObject({ Status: 'running' });
  expect(await after('kill')).toMatchObject({ Status: 'exited' });
});

test('an action whose query names a member sets it', async () => {
  const { send } = smallMock(BOXES);
  const { Id: id } = objectOf(await send('POST', '/boxes?name=one', {}));
  expect((await send('POST', '/boxes/one/rename?name=two')).status).toBe(204);
  expect(objectOf(await send('GET', '/boxes/two'))).toMatchObject({ Id: id, Name: 'two' });
  expect((await send('GET', '/boxes/one')).status).toBe(404);
});

test('a name that begins with a slash is asked for without it', async () => {
  const { send } = smallMock(BOXES);
  await send('POST', '/boxes?name=%2Fone', {});
  expect(objectOf(await send('GET', '/boxes/one'))).toMatchObject({ Name: '/one' });
});

describe('rules', () => {
  const LIST = BOXES.replace(
    '  /boxes:\n',
    `  /boxes:
    get:
      parameters: [{ name: q, in: query, schema: { type: string } }, { name: size, in: query, schema: { type: integer } }]
      responses: { '200': { description: all, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Box' } } } } } }
`,
  );

  test('read the values of a parameter of a list in the place of what was inferred', async () => {
    const seen: unknown[] = [];
    const { send } = smallMock(LIST, {
      rules: {
        standin: 'rules/1',
        filters: {
          size({ value, query, collection, store, refuse }) {
            seen.push([value, query, collection, [...store.items('/boxes')].length]);
            if (value === 7) refuse(400, 'bad_size', 'Seven is no size');
            return value === undefined ? undefined : (item) => Number(item['size']) > Number(value);
          },
        },
      },
    });
    for (const size of [1, 2, 3]) await send('POST', '/boxes', { size });
    expect((await send('GET', '/boxes?size=1')).body).toMatchObject([{ size: 2 }, { size: 3 }]);
    expect((await send('GET', '/boxes')).body).toHaveLength(3);
    expect((await send('GET', '/boxes?size=7')).status).toBe(400);
    expect(seen[0]).toStrictEqual([1, { size: 1 }, '/boxes', 3]);
  });

  test('that name a parameter which no list has are refused', () => {
    expect(() => smallMock(LIST, { rules: { standin: 'rules/1', filters: { sice: () => undefined } } })).toThrow(
      /no query parameter sice \(did you mean size\?\)/,
    );
  });

  test('that can live with what is made up leave a new item what the service adds to it', async () => {
    const rules = {
      standin: 'rules/1',
      operations: {
        'POST /boxes': ({ item }: { item: Record<string, unknown> }): void => {
          item['Name'] = '/ruled';
        },
      },
    } as const;
    const made = async (beginning: 'empty' | 'seeded'): Promise<unknown> =>
      (await smallMock(LIST, { rules: { ...rules, beginning } }).send('POST', '/boxes', {})).body;
    expect(await made('seeded')).toMatchObject({ Name: '/ruled', State: { Status: 'created' } });
    expect(await made('empty')).not.toHaveProperty('State');
  });
});

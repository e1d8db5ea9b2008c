import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, type SmallMock } from './small-mock';

const choice = (one: object, many: object): object => ({ oneOf: [one, many] });
const NEW = ref('New');
const THING = ref('Thing');

function mockOf(body: object, answer: object | null, at = '/things'): SmallMock {
  return mockOfDocument(
    smallApi(
      {
        'GET /things': { answers: { 200: list(THING) } },
        'POST /things': { body: NEW, answers: { 201: THING } },
        'GET /things/{id}': { answers: { 200: THING } },
        [`POST ${at}`]: { body, answers: { 201: answer } },
      },
      {
        Thing: object({ id: { ...whole, readOnly: true }, name: text }, ['id', 'name']),
        New: object({ name: text }, ['name']),
      },
      { id: whole },
    ),
  );
}

const TWO = [{ name: 'a' }, { name: 'b' }];
const MADE = [
  { id: 1, name: 'a' },
  { id: 2, name: 'b' },
];

describe.each(['/things', '/things/batch', '/things:batchCreate'])('POST %s', (at) => {
  test.each([
    { takes: 'one or a list', body: choice(NEW, list(NEW)), answer: choice(THING, list(THING)), shown: MADE },
    { takes: 'a list or one', body: choice(list(NEW), NEW), answer: choice(list(THING), THING), shown: MADE },
    { takes: 'one or a list, and answers a list', body: choice(NEW, list(NEW)), answer: list(THING), shown: MADE },
    { takes: 'one or a list, and returns one', body: choice(NEW, list(NEW)), answer: THING, shown: MADE[0] },
    { takes: 'one or a list, and answers nothing', body: choice(NEW, list(NEW)), answer: null, shown: undefined },
  ])('that takes $takes makes each', async ({ body, answer, shown }) => {
    const { send, stateText } = mockOf(body, answer, at);
    const before = stateText();
    expect((await send('POST', at, [{ name: 'a' }, { name: 7 }])).status).toBe(400);
    expect(stateText()).toBe(before);
    expect(await send('POST', at, TWO)).toMatchObject({ status: 201, body: shown });
    expect((await send('GET', '/things')).body).toEqual(MADE);
    await send('POST', at, { name: 'c' });
    expect((await send('GET', '/things')).body).toEqual([...MADE, { id: 3, name: 'c' }]);
  });

  test('that takes one or a list in an envelope makes each', async () => {
    const body = object({ data: choice(NEW, list(NEW)) }, ['data']);
    const { send } = mockOf(body, object({ data: choice(THING, list(THING)) }, ['data']), at);
    expect((await send('POST', at, { data: TWO })).body).toEqual({ data: MADE });
    expect((await send('POST', at, { data: { name: 'c' } })).body).toEqual({ data: { id: 3, name: 'c' } });
  });

  test('that takes each in an object of its own makes each', async () => {
    const { send } = mockOf(
      object({ requests: list(object({ thing: NEW }, ['thing'])) }),
      object({ things: list(THING) }),
      at,
    );
    const requests = TWO.map((thing) => ({ thing }));
    expect((await send('POST', at, { requests })).body).toEqual({ things: MADE });
    expect((await send('GET', '/things')).body).toEqual(MADE);
  });
});

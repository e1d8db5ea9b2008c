import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument } from '../behaviours/small-mock';

const closed = (properties: Readonly<Record<string, object>>, required: readonly string[]): object => ({
  ...object(properties, required),
  additionalProperties: false,
});
const flag = { type: 'boolean' };

test('an item that is one of several closed kinds gets no flags of the others', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /rooms': { answers: { 200: list(ref('Room')) } },
        'POST /rooms': { body: object({ name: text }, ['name']), answers: { 201: ref('Room') } },
        'GET /rooms/{id}': { answers: { 200: ref('Room'), 404: null } },
      },
      {
        Room: {
          anyOf: [
            closed({ id: text, name: text, is_open: flag }, ['id', 'name']),
            closed({ id: text, is_private: flag, is_shared: flag }, ['id', 'is_private']),
          ],
        },
      },
    ),
  );
  const made = await send('POST', '/rooms', { name: 'Talk' });
  expect(made).toMatchObject({ status: 201, body: { name: 'Talk' } });
  expect(made.body).not.toHaveProperty('is_private');
  expect((await send('GET', '/rooms/1')).body).toEqual(made.body);
});

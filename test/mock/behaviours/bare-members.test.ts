import { objectOf, smallMock } from './small-mock';
import { answers, ref } from '../../support/flow';

/** `ownerId` is required and declared as `owner_id`; summaries require a count that nothing declares. */
const HOOKS = `paths:
  /hooks:
    get: { ${answers(`{ type: array, items: ${ref('HookInList')} }`)} }
    post:
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [url, ownerId], properties: { url: { type: string } } } } } }
      ${answers(ref('Hook'), 201)}
  /hooks/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers(ref('Hook'))} }
components:
  schemas:
    Named: { type: object, required: [label], properties: { url: { type: string } } }
    Hook:
      allOf:
        - ${ref('Named')}
        - { type: object, required: [id, ownerId], properties: { id: { type: integer, readOnly: true }, owner_id: { type: string } } }
    HookInList: { type: object, required: [id, calls], properties: { id: { type: integer }, url: { type: string } } }
`;

test('a member that is required and nowhere declared is there, as it was sent or made up', async () => {
  const { send } = smallMock(HOOKS);
  const made = objectOf(await send('POST', '/hooks', { url: 'x', ownerId: 'ada', other: 1 }));
  expect(made).toMatchObject({ id: 1, url: 'x', ownerId: 'ada' });
  expect(Object.keys(made).sort()).toEqual(['id', 'label', 'ownerId', 'url']);
  expect((await send('GET', '/hooks/1')).body).toEqual(made);
});

test('so it is where a list shows less of its items', async () => {
  const { send } = smallMock(HOOKS);
  await send('POST', '/hooks', { url: 'x', ownerId: 'ada' });
  const [shown] = (await send('GET', '/hooks')).body as object[];
  expect(shown).toMatchObject({ id: 1, url: 'x' });
  expect(Object.keys(shown ?? {}).sort()).toEqual(['calls', 'id', 'url']);
});

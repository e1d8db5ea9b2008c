import { expectNoFindings, itemsOf, type Part } from '../support/own-mock';
import { list, object, ref, text, whole } from '../support/small-api';

const id = { type: 'string', readOnly: true };
const within = (name: string, properties: Record<string, object>, more: object = {}): object => ({
  name,
  in: 'query',
  schema: object(properties),
  ...more,
});

/** Things whose list takes its page, order and filters in objects. */
function things(name: string, parameters: object[], page: object): Part {
  const paths = itemsOf(`/${name}s`, name, object({ label: text }, ['label']));
  return {
    about: name,
    operations: { ...paths, [`GET /${name}s`]: { parameters, answers: { 200: page } } },
    schemas: { [name]: object({ id, label: text }, ['id', 'label']) },
  };
}

const DEEP = { style: 'deepObject', explode: true };
const PAGEABLE = { page: { ...whole, minimum: 0 }, size: { ...whole, minimum: 1 }, sort: list(text) };

test('lists whose parameters are properties of objects are asked for in the form of their style', async () => {
  const passed = await expectNoFindings(
    [
      things(
        'book',
        [within('pageable', PAGEABLE, { required: true })],
        object({ content: list(ref('book')), totalElements: whole, last: { type: 'boolean' } }),
      ),
      things(
        'boat',
        [
          within('filter', { label: text }, DEEP),
          within('sort', { by: { ...text, enum: ['label'] }, direction: { ...text, enum: ['asc', 'desc'] } }, DEEP),
          within('page', { size: { ...whole, minimum: 1 }, number: { ...whole, minimum: 1 } }, DEEP),
        ],
        list(ref('boat')),
      ),
    ],
    ['lists'],
  );
  expect(passed.filter((name) => /page|sorted|label/.test(name)).length).toBeGreaterThan(5);
});

test('an id that the client may not choose is sent only where the rest shows whose the thing is', async () => {
  const note = object({ noteId: id, text }, ['text']);
  const paths = itemsOf('/notes', 'note', ref('note'), { changed: object({ text }) });
  const passed = await expectNoFindings([{ about: 'notes', operations: paths, schemas: { note } }], ['positive']);
  expect(passed).not.toContain('add a note with an id that the client chose');
});

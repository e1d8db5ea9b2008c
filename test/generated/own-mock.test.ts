import { expectNoFindings, itemsOf, type Part } from '../support/own-mock';
import { object, text, whole } from '../support/small-api';

const id = { type: 'string', readOnly: true };

const owner = object({ id: text, name: text });
const labels = { type: 'object', additionalProperties: text };
const shade = { type: 'string', default: 'dark' };
const hour = { type: 'string', format: 'time' };
const image = { type: 'string', format: 'uri', description: 'Address of an image' };
const blank = { type: 'string', default: '' };
const alarm = object({ manner: text });

/** Parts with properties of many kinds. A generated contract changes four properties of an item at most. */
const PROPERTIES: readonly Part[] = [
  {
    about: 'an object with a key, a map, a required property with a default, and a time of day',
    operations: itemsOf('/notes', 'Note', object({ title: text, owner, labels, shade, hour }, ['title', 'shade']), {
      changed: object({ owner, labels, shade, hour }),
    }),
    schemas: { Note: object({ id, title: text, owner, labels, shade, hour }) },
  },
  {
    about: 'a filter whose default means no filter, and properties that responses show in another way',
    operations: itemsOf(
      '/pages',
      'Page',
      object({ heading: text, image: text, avatar_url: image, base: text, alarm, tint: text, proof: blank }, [
        'heading',
      ]),
      {
        query: { tint: { type: 'string', default: 'none' } },
        changed: object({ base: text, alarm, image: text, avatar_url: image }),
      },
    ),
    schemas: {
      Page: object({
        id,
        heading: text,
        image: text,
        avatar_url: image,
        base: object({ shade: text, depth: whole }, ['shade', 'depth']),
        alarm: object({ manner: { type: 'string', enum: ['loud', 'quiet'] } }),
        tint: text,
        proof: { ...blank, format: 'uri' },
      }),
    },
  },
];

const FORMS: Part = {
  about: 'a body of one form or another, with a property like a key',
  operations: itemsOf(
    '/forms',
    'Form',
    {
      ...object({ kind: { type: 'string', enum: ['note', 'mark'] }, id: whole, title: text, page: whole }),
      required: ['kind'],
      oneOf: [{ required: ['id'] }, { required: ['title', 'page'] }],
    },
    { changed: object({ title: text }) },
  ),
  schemas: { Form: object({ id: whole, kind: text, title: text, page: whole }) },
};

test('generated contracts find nothing at the mock of properties of many kinds', async () => {
  await expectNoFindings([...PROPERTIES, FORMS], ['lifecycle', 'lists', 'positive', 'negative']);
});

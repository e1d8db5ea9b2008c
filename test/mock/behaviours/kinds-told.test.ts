import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from './small-mock';

/** Copies of books that say by `object` what they are; so does a list of them. */
function copies(kind: object, kindOfList: object = {}): SmallMock {
  return mockOfDocument(
    smallApi(
      {
        'GET /copies': {
          answers: { 200: object({ object: { ...text, ...kindOfList }, data: list(ref('BookCopy')) }) },
        },
        'POST /copies': { body: object({ name: text }), answers: { 201: ref('BookCopy') } },
        'GET /copies/{id}': { answers: { 200: ref('BookCopy') } },
      },
      {
        BookCopy: { allOf: [ref('BookCopyReadOnly'), object({ name: text })] },
        BookCopyReadOnly: object({ id: text, object: { ...text, readOnly: true, ...kind } }, ['id']),
      },
    ),
  );
}

test.each([
  [{ title: 'Object type' }, 'book_copy'],
  [{ description: 'The object type.' }, 'book_copy'],
  [{ title: 'Object type', example: 'bookcopy' }, 'bookcopy'],
  [{ description: 'Says what it is. Will always contain the string `book-copy` for this endpoint.' }, 'book-copy'],
  [{ description: 'Will always be Copy.' }, 'Copy'],
])('a thing says what it is, as the description has it or as its schema is called: %j', async (kind, word) => {
  const { send } = copies(kind);
  const made = objectOf(await send('POST', '/copies', { name: 'a' }));
  expect(made).toMatchObject({ object: word, name: 'a' });
  expect(objectOf(await send('GET', `/copies/${made['id'] as string}`))).toMatchObject({ object: word });
});

test('a list says what it is, where words tell it', async () => {
  const { send } = copies({}, { title: 'Object type', description: 'Will always be List.' });
  expect(objectOf(await send('GET', '/copies'))).toMatchObject({ object: 'List' });
});

test.each([
  [{ description: 'What the copy is about.' }],
  [{ description: 'Will always be Copy or Original.' }],
  [{ title: 'Object type', description: 'The type, if there is one.', default: 'thing' }],
])('a word that nothing tells is not made up of a name: %j', async (kind) => {
  const { send } = copies(kind);
  const made = objectOf(await send('POST', '/copies', { name: 'a' }));
  expect(['book_copy', 'Copy']).not.toContain(made['object']);
});

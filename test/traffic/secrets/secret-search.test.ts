import fc from 'fast-check';
import { isDistinctive, SecretSearch } from '../../../src/traffic/secrets/secret-search';
import { ENCODINGS } from './encodings';

function searchFor(...values: readonly string[]): SecretSearch {
  const search = new SecretSearch();
  values.forEach((value, index) => {
    search.add(`name${index}`, value);
  });
  return search;
}

const forms = Object.keys(ENCODINGS);
const form = fc.constantFrom(...forms);
/** All of what people and services take for secrets: no lone surrogates, which no encoding here could write. */
const secret = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 }),
    fc.string({ unit: 'binary-ascii', minLength: 6, maxLength: 40 }),
    fc.base64String({ minLength: 8, maxLength: 60 }),
    fc.stringMatching(/^[.*+?^${}()|[\]\\%&"'/<>a-z0-9 ~-]{6,20}$/),
  )
  .filter((text) => isDistinctive(text) && text.isWellFormed() && text.trim() === text);

test('a secret is found in any one encoding and in any two on top of each other, and is gone when it was replaced', () => {
  fc.assert(
    fc.property(secret, form, form, (value, inner, outer) => {
      const search = searchFor(value);
      const text = `before: "${ENCODINGS[outer]!(ENCODINGS[inner]!(value))}" after`;
      expect(search.find(text).map(({ name }) => name)).toContain('name0');
      const clean = search.replace(text);
      expect(search.find(clean)).toEqual([]);
      expect(search.replace(clean)).toBe(clean);
      expect(clean).toMatch(/^before: ".*~secret\.name0~.*" after$/s);
    }),
    { numRuns: 400 },
  );
});

test.each(forms)('one that many others stand beside is found: %s', (each) => {
  const values = Array.from({ length: 40 }, (_, index) => `eyJhbGciOi.${(index * 7919).toString(36)}/x"ü.${index}==`);
  const search = searchFor(...values);
  values.forEach((value, index) => {
    expect(search.find(`x ${ENCODINGS[each]!(value)} y`).map(({ name }) => name)).toContain(`name${index}`);
  });
});

test.each([
  ['as it is', 'Bearer k9/"x.Ab3 is wrong', 'as it is'],
  ['as in JSON', '{"a":"k9/\\"x.Ab3"}', 'JSON-escaped'],
  ['as in a URL', '/a?b=k9%2F%22x.Ab3', 'percent-encoded'],
  ['as in HTML', '<a b="k9/&quot;x.Ab3">', 'escaped as in HTML'],
  ['in base64', Buffer.from('{"a":"k9/"x.Ab3"}').toString('base64'), 'base64'],
  ['in hexadecimal digits', Buffer.from('k9/"x.Ab3').toString('hex'), 'hexadecimal'],
  ['in another case', 'K9/"X.AB3', 'as it is'],
])('the form that is reported: %s', (_, text, expected) => {
  expect(searchFor('k9/"x.Ab3').find(text)).toEqual([expect.objectContaining({ form: expected, name: 'name0' })]);
});

test('a piece of one is found where a text was cut, if it is long enough not to stand there by chance', () => {
  const search = searchFor('k9xAb3kd92kf0s');
  expect(search.replace('token k9xAb3kd92... is wrong')).toBe('token ~secret.name0~... is wrong');
  expect(search.replace('token k9xA... is wrong')).toBe('token k9xA... is wrong');
});

test('what stands within a mark is not a secret', () => {
  const search = searchFor('~secret', 'secret.name', 'name1~');
  expect(search.replace('a ~secret.name1~ b')).toBe('a ~secret.name1~ b');
  expect(search.replace('a secret.name b')).toBe('a ~secret.name1~ b');
});

test.each([
  ['abc12', false],
  ['password', false],
  ['String', false],
  ['ACTIVE', false],
  ['dark-mode', false],
  ['Europe/Berlin', false],
  ['2024-01-31', false],
  ['1717171717', false],
  ['hunter2', true],
  ['Summer2024!', true],
  ['correct-horse-battery-staple', true],
  ['s3cret', true],
  ['päßwörter', true],
])('%p can be told from other text: %p', (value, expected) => {
  expect(isDistinctive(value)).toBe(expected);
});

test('texts without a secret stay the very same', () => {
  const search = searchFor('k9xAb3kd92kf0s', 'other-secret-22');
  const text = '{"a":"b%20c\\u0041&amp;","path":"/a/b/cdefghijkl/mnop","hex":"00112233445566778899"}';
  expect(search.replace(text)).toBe(text);
});

test('one is found in a long file in base64: escaped in a text, and as it is between other bytes', () => {
  const search = searchFor('k9/"x.Ab3');
  const text = `${'some words, and more. '.repeat(200)}"token":"k9\\/\\"x.Ab3"`;
  expect(search.find(Buffer.from(text).toString('base64'))).toMatchObject([{ name: 'name0', form: 'base64' }]);
  const bytes = Buffer.alloc(5000, 0xe9);
  bytes.write('k9/"x.Ab3', 4000);
  expect(search.find(`data:${bytes.toString('base64')}`)).toMatchObject([{ name: 'name0', form: 'base64' }]);
});

test('a text that held none holds one that was learnt since', () => {
  const search = searchFor('other-secret-22');
  expect(search.find('a k9xAb3kd92 b')).toEqual([]);
  search.add('late', 'k9xAb3kd92');
  expect(search.find('a k9xAb3kd92 b')).toMatchObject([{ name: 'late', start: 2, end: 12 }]);
});

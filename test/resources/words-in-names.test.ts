import { foldedName, wordsOf } from '../../src/core/text/inflection';

test.each([
  ['bookIDs', ['book', 'ids']],
  ['IDs or names', ['ids', 'or', 'names']],
  ['nonResourceURLs', ['non', 'resource', 'urls']],
  ['IDsOfBooks', ['ids', 'of', 'books']],
  ['URLSet', ['url', 'set']],
  ['HTTPServer', ['http', 'server']],
  ['book_ids', ['book', 'ids']],
])('the words of %s are %j', (name, words) => {
  expect(wordsOf(name)).toEqual(words);
});

test('a plural in capitals is the plural of the same word', () => {
  expect(foldedName('BundleIDs')).toBe(foldedName('bundle_id'));
});

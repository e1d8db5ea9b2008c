import { stringifyJsonPretty } from '../../src/core/json/stringify-json';
import { parseJson } from '../../src/core/json/parse-json';
import { indentJson } from '../../src/window/parts/indent-json';

const TEXT = String.raw`{"a":[1.50,{"b":"x{,}\"[:]"},[],{}],"c":null,"d":{"e":true}}`;

test('a whole text is printed as others are, with every digit', () => {
  expect(indentJson(TEXT)).toBe(stringifyJsonPretty(parseJson(TEXT)));
  expect(indentJson(stringifyJsonPretty(parseJson(TEXT)))).toBe(indentJson(TEXT));
});

test('every beginning of it has all that it had, and no more but blanks', () => {
  for (let length = 0; length <= TEXT.length; length++) {
    const beginning = TEXT.slice(0, length);
    expect(indentJson(beginning).replaceAll(/\n\s*/g, '').replaceAll('": ', '":')).toBe(beginning);
  }
});

test('a text that is too deep stays as it is', () => {
  const deep = '['.repeat(5000);
  expect(indentJson(deep)).toBe(deep);
});

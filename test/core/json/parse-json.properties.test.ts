import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { equalJson, type JsonValue } from '../../../src/core/json/json-value';
import { ExactNumber } from '../../../src/core/json/exact-number';
import { JsonSyntaxError } from '../../../src/core/json/json-syntax-error';
import { parseJson } from '../../../src/core/json/parse-json';
import { stringifyJson, stringifyJsonPretty } from '../../../src/core/json/stringify-json';
import { jsonValue, numberLexeme } from './arbitrary-json';
import { anyCharacter } from '../../support/any-character';

const JSON_CHARACTERS = '{}[]",:0123456789-+.eEtrufalsn\\/ \n\t\u0000\uFEFFé😀\ud800';
const jsonCharacter = fc.constantFrom(...Array.from(JSON_CHARACTERS));

/** What JSON.parse would have made of it: numbers as doubles. */
function asNative(value: JsonValue): unknown {
  if (typeof value === 'bigint' || value instanceof ExactNumber) return Number(value.toString());
  if (Array.isArray(value)) return value.map(asNative);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asNative(member)]));
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

function outcomeOf(parse: () => unknown): Outcome {
  try {
    return { value: parse() };
  } catch (error) {
    return { error };
  }
}

/** Both accept with the same value, or both reject, unless the text breaks a rule that only ours has. */
function agreesWithNative(text: string): boolean {
  const native = outcomeOf(() => JSON.parse(text));
  const own = outcomeOf(() => asNative(parseJson(text)));
  if ('error' in own) {
    if (!(own.error instanceof JsonSyntaxError)) return false;
    return 'error' in native || own.error.kind !== 'syntax';
  }
  return text.startsWith('\uFEFF') || ('value' in native && isDeepStrictEqual(own.value, native.value));
}

const mutatedText = fc
  .record({
    text: fc.oneof(jsonValue.map(stringifyJson), fc.json({ maxDepth: 4 })),
    edits: fc.array(
      fc.record({
        at: fc.nat(),
        removed: fc.nat({ max: 3 }),
        inserted: fc.string({ unit: jsonCharacter, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ text, edits }) =>
    edits.reduce((current, { at, removed, inserted }) => {
      const place = at % (current.length + 1);
      return current.slice(0, place) + inserted + current.slice(place + removed);
    }, text),
  );

describe('parseJson on any text', () => {
  it('agrees with JSON.parse on valid texts, compact or indented', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat({ max: 3 }), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent);
        return agreesWithNative(text) && agreesWithNative(spaced);
      }),
      { numRuns: 400 },
    );
  });

  it('agrees with JSON.parse on strings, whatever is escaped', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('\\n', '\\"', '\\\\', '\\/', '\\u0041', '\\ud83d\\ude00', '\\ud800', '\\', '\\u00', '\n'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => agreesWithNative(`"${pieces.join('')}"`)),
      { numRuns: 700 },
    );
  });

  it('agrees with JSON.parse on numbers, as far as a double goes', () => {
    fc.assert(
      fc.property(numberLexeme, (lexeme) => agreesWithNative(lexeme) && agreesWithNative(`[${lexeme}]`)),
      { numRuns: 700 },
    );
  });

  it('spells every double as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        const text = JSON.stringify(double);
        return stringifyJson(parseJson(text)) === text && Object.is(asNative(parseJson(text)), JSON.parse(text));
      }),
      { numRuns: 700 },
    );
  });

  it('accepts and rejects the same damaged texts as JSON.parse, and throws nothing but JsonSyntaxError', () => {
    fc.assert(fc.property(mutatedText, agreesWithNative), { numRuns: 1500 });
  });

  it('accepts and rejects the same random strings of JSON characters as JSON.parse', () => {
    fc.assert(fc.property(fc.string({ unit: jsonCharacter, maxLength: 12 }), agreesWithNative), { numRuns: 3000 });
  });

  it('gives every error a place inside the text', () => {
    fc.assert(
      fc.property(mutatedText, (text) => {
        const outcome = outcomeOf(() => parseJson(text));
        if (!('error' in outcome)) return true;
        const { offset, line, column } = outcome.error as JsonSyntaxError;
        return offset >= 0 && offset <= text.length && line >= 1 && column >= 1 && column <= text.length + 1;
      }),
      { numRuns: 400 },
    );
  });
});

describe('stringifyJson and parseJson', () => {
  it('bring every value back, digit for digit', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const text = stringifyJson(value);
        const back = parseJson(text);
        return equalJson(back, value) && stringifyJson(back) === text;
      }),
      { numRuns: 700 },
    );
  });

  it('write the same value indented as compact', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        return stringifyJson(parseJson(stringifyJsonPretty(value))) === stringifyJson(value);
      }),
      { numRuns: 200 },
    );
  });
});

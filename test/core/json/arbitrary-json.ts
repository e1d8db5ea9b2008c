import fc from 'fast-check';
import { numberFromLexeme } from '../../../src/core/json/exact-number';
import type { JsonValue } from '../../../src/core/json/json-value';
import { anyCharacter } from '../../support/any-character';

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength, maxLength });

/** Texts in JSON's number grammar (RFC 8259 section 6), of up to some 40 digits. */
export const numberLexeme: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(digits(1, 3), digits(14, 22)),
    fc.oneof(fc.constant(''), digits(1, 20)),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), digits(1, 3)).map((parts) => parts.join('')),
    ),
  )
  .map(([sign, whole, fraction, exponent]) => {
    const canonicalWhole = whole.replace(/^0+(?=\d)/, '');
    return sign + canonicalWhole + (fraction === '' ? '' : `.${fraction}`) + exponent;
  });

const memberName = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', '0', '1', 'a/b', '~', '~1'),
);

/** Any value of the model, with the member names that trip up plain objects. */
export const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    numberLexeme.map(numberFromLexeme),
    fc.bigInt().map((whole) => numberFromLexeme(String(whole))),
    fc.string({ unit: anyCharacter, maxLength: 10 }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .uniqueArray(fc.tuple(memberName, tie('value')), { maxLength: 5, selector: ([name]) => name })
      .map((members) => Object.fromEntries(members)),
  ),
})).value;

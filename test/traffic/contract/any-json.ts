import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character';
import { ExactNumber } from '../../../src/core/json/exact-number';
import type { JsonValue } from '../../../src/core/json/json-value';

const TEXTS = [
  ...[
    '',
    ' ',
    'no',
    'yes',
    'null',
    '~',
    'true',
    '1e3',
    '0x1f',
    '.inf',
    '-',
    '- a',
    '? a',
    ': a',
    'a: b',
    '# x',
    'a #x',
  ],
  ...[
    '${x}',
    "it's ${x}",
    '"${x}"',
    '{',
    '[a',
    'a, b',
    '&a',
    '*a',
    '!x',
    '%TAG',
    '---',
    '...',
    '--- a',
    '@a',
    '`a`',
    '|',
  ],
  ...['>', '<<', '=', '2024-01-01', 'a\nb', 'a\nb\n', '\na', 'a\n\n', 'a\n b', ' a\nb', 'a \nb', 'a\n---\nb', 'a\n# b'],
  ...[
    'a\tb',
    '\ta',
    'a\t',
    'a\r\nb',
    '\u0000',
    '\u0085',
    '\u2028',
    '\uFEFF',
    '\u202E',
    '\ud800',
    'Zoë',
    '🐾',
    '__proto__',
  ],
];

const anyText = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc
    .array(fc.constantFrom('a', ' ', '\n', '#', ':', '-', "'", '"', '\\', '{', ',', '$'), { maxLength: 12 })
    .map((all) => all.join('')),
);

const NUMBERS: JsonValue[] = [
  ...[0, -0, 1.5, 1e21, -1e-7, 5e-324, Number.MAX_SAFE_INTEGER, 9007199254740993n, -(2n ** 70n)],
  ...['2.50', '1E5', '1e400', '-0', '0.1234567890123456789', '1e-400', '10.0'].map((lexeme) => new ExactNumber(lexeme)),
];

/** JSON values with what makes trouble in YAML. */
export function anyJson(): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(
        fc.constant(null),
        fc.boolean(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        anyText,
      ),
      fc.constantFrom(...NUMBERS),
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(fc.tuple(anyText, tie('value')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries) as JsonValue),
    ),
  })).value;
}

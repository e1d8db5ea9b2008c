import fc from 'fast-check';
import {
  compareNumbers,
  ExactNumber,
  isInteger,
  isJsonNumber,
  isMultipleOf,
  numberFromLexeme,
  toCanonical,
  toLexeme,
  type JsonNumber,
} from '../../../src/core/json/exact-number';
import { numberLexeme } from './arbitrary-json';

const n = numberFromLexeme;

/** A number as an integer of 10^-1100ths, by arithmetic that shares nothing with the code under test. */
function scaled(lexeme: string): bigint {
  const [mantissa = '', exponent = '0'] = lexeme.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** (1100n + BigInt(exponent) - BigInt(fraction.length));
}

describe('ExactNumber', () => {
  it('keeps its text and prints as it', () => {
    const number = new ExactNumber('2.50');
    expect(number.lexeme).toBe('2.50');
    expect(`${number.toString()} EUR`).toBe('2.50 EUR');
  });

  it.each(['', '-', '01', '1.', '.5', '+1', 'NaN', 'Infinity', '0x10', ' 1', '1 ', '1e', '1n', '1_0', '1\n'])(
    'is not made from %j, which is no JSON number',
    (lexeme) => {
      expect(() => new ExactNumber(lexeme)).toThrow(RangeError);
      expect(() => numberFromLexeme(lexeme)).toThrow(RangeError);
    },
  );
});

describe('isJsonNumber', () => {
  it.each([0, -0, 1.5, 10n, new ExactNumber('1.0')])('accepts %p', (value) => {
    expect(isJsonNumber(value)).toBe(true);
  });

  it.each([NaN, Infinity, -Infinity, '1', null, undefined, true, {}, [], { lexeme: '1.0' }])('refuses %p', (value) => {
    expect(isJsonNumber(value)).toBe(false);
  });
});

describe('toLexeme', () => {
  it.each([
    [5, '5'],
    [-0, '0'],
    [0.1, '0.1'],
    [1e21, '1e+21'],
    [9007199254740993n, '9007199254740993'],
    [new ExactNumber('2.50'), '2.50'],
  ])('writes %p as %s', (value, lexeme) => {
    expect(toLexeme(value)).toBe(lexeme);
  });

  it.each([NaN, Infinity])('refuses %p', (value) => {
    expect(() => toLexeme(value)).toThrow(RangeError);
  });

  it('gives back the text a number was read from', () => {
    fc.assert(fc.property(numberLexeme, (lexeme) => toLexeme(numberFromLexeme(lexeme)) === lexeme));
  });
});

describe('isInteger', () => {
  it.each(['0', '-0', '0.0', '0e9', '0e-9', '1.0', '1e2', '100e-2', '1.50e1', '9007199254740993', '1e400', '1e+21'])(
    'holds for %s',
    (lexeme) => {
      expect(isInteger(n(lexeme))).toBe(true);
    },
  );

  it.each(['0.5', '1.01', '1e-1', '105e-2', '1.5e0', '1e-400', '9007199254740993.5'])(
    'does not hold for %s',
    (lexeme) => {
      expect(isInteger(n(lexeme))).toBe(false);
    },
  );

  it('is answered at once for exponents of any size', () => {
    expect(isInteger(n(`1e${'9'.repeat(900)}`))).toBe(true);
    expect(isInteger(n(`1e-${'9'.repeat(900)}`))).toBe(false);
  });
});

describe('compareNumbers', () => {
  it.each([
    ['1', '1.0', 0],
    ['100', '1e2', 0],
    ['0', '-0', 0],
    ['0', '0e400', 0],
    ['-0.0', '0', 0],
    ['2.5', '2.50', 0],
    ['9007199254740993', '9007199254740992', 1],
    ['9007199254740993', '9007199254740993.0', 0],
    ['9007199254740993', '9007199254740993.1', -1],
    ['9007199254740991', '9007199254740992', -1],
    ['1e+23', '100000000000000000000000', 0],
    ['0.1', '0.1000000000000000055', -1],
    ['0.1', '0.1000000000000000055511151231257827021181583404541015625', -1],
    ['-2', '1', -1],
    ['-2.50', '-2.5', 0],
    ['-3.0', '-2.0', -1],
    ['1e400', '1e401', -1],
    ['-1e400', '-1e401', 1],
    ['1e400', '1.7976931348623157e+308', 1],
    ['1e-400', '0', 1],
    ['-1e-400', '0', -1],
    ['12', '9.0', 1],
    ['1.10', '1.9', -1],
    ['123.0', '123.4', -1],
  ] as const)('orders %s and %s as %i', (a, b, order) => {
    expect(compareNumbers(n(a), n(b))).toBe(order);
    expect(compareNumbers(n(b), n(a))).toBe(order === 0 ? 0 : -order);
  });

  it('is answered at once for exponents of any size', () => {
    expect(compareNumbers(n('1e99999999999'), n('2e99999999999'))).toBe(-1);
    expect(compareNumbers(n(`1e${'9'.repeat(900)}`), n('5'))).toBe(1);
    expect(compareNumbers(n(`-1e-${'9'.repeat(900)}`), 0)).toBe(-1);
  });

  it('agrees with integer arithmetic on any two numbers', () => {
    fc.assert(
      fc.property(numberLexeme, numberLexeme, (a, b) => {
        const difference = scaled(a) - scaled(b);
        const sign = difference > 0n ? 1 : difference < 0n ? -1 : 0;
        return compareNumbers(n(a), n(b)) === sign;
      }),
      { numRuns: 2000 },
    );
  });

  it('agrees with bigint arithmetic on integers of any kind', () => {
    const spelled = (whole: bigint): JsonNumber[] => [n(String(whole)), new ExactNumber(`${whole}.0`), whole];
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: -2n, max: 2n }), (whole, step) => {
        const other = whole + step;
        const sign = whole > other ? 1 : whole < other ? -1 : 0;
        return spelled(whole).every((a) => spelled(other).every((b) => compareNumbers(a, b) === sign));
      }),
    );
  });

  it('refuses what is not a JSON number', () => {
    expect(() => compareNumbers(NaN, 1)).toThrow(RangeError);
  });
});

describe('toCanonical', () => {
  it.each<[JsonNumber, JsonNumber]>([
    [n('1.0'), 1],
    [n('-0'), 0],
    [-0, 0],
    [n('0.0'), 0],
    [n('1e2'), 100],
    [n('100e-2'), 1],
    [n('-1.50e1'), -15],
    [n('9007199254740993.0'), 9007199254740993n],
    [n('-9223372036854775808'), -9223372036854775808n],
    [n('1e21'), 10n ** 21n],
    [n('1e+21'), 10n ** 21n],
    [n('1e+23'), 10n ** 23n],
    [7n, 7],
    [5, 5],
    [0.5, 0.5],
    [n('1e399'), 10n ** 399n],
  ])('spells %p as %p', (number, canonical) => {
    expect(Object.is(toCanonical(number), canonical)).toBe(true);
  });

  it.each(['2.50', '1e400', '1e999999999999', '0.1000000000000000055', '1e-400'])('leaves %s alone', (lexeme) => {
    const number = n(lexeme);
    expect(toCanonical(number)).toBe(number);
  });

  it('gives equal integers one spelling', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat({ max: 30 }), (whole, zeros) => {
        const plain = toCanonical(n(String(whole)));
        const padded = toCanonical(n(`${whole}.${'0'.repeat(zeros + 1)}`));
        const shifted = toCanonical(n(whole === 0n ? '0e-1' : `${whole}${'0'.repeat(zeros)}e-${zeros}`));
        return plain === padded && plain === shifted;
      }),
    );
  });
});

describe('isMultipleOf', () => {
  it.each([
    ['6', '3', true],
    ['7', '3', false],
    ['0', '3', true],
    ['-0', '0.01', true],
    ['-6', '3', true],
    ['6', '-3', true],
    ['0.3', '0.1', true],
    ['19.99', '0.01', true],
    ['19.995', '0.01', false],
    ['2.50', '0.5', true],
    ['1.1', '1', false],
    ['4.35', '0.05', true],
    ['9007199254740993', '2', false],
    ['9007199254740993', '3', true],
    ['9223372036854775807', '7', true],
    ['9223372036854775806', '7', false],
    ['1e400', '3', false],
    ['3e400', '3', true],
    ['1e400', '1e399', true],
    ['1e399', '1e400', false],
    ['1e-400', '1', false],
    ['1e2', '12.5', true],
    ['1e+21', '1000', true],
    ['5', '0', false],
    ['0', '0', false],
    ['5', '-0.0', false],
  ] as const)('says of %s and %s: %p', (number, divisor, expected) => {
    expect(isMultipleOf(n(number), n(divisor))).toBe(expected);
  });

  it('never writes a huge exponent out', () => {
    expect(isMultipleOf(n('1e999999999999999999'), n('7'))).toBe(false);
    expect(isMultipleOf(n('1e999999999999999999'), n('8'))).toBe(true);
    expect(isMultipleOf(n('3'), n('1e-999999999999999999'))).toBe(true);
    expect(isMultipleOf(n('3'), n('7e-999999999999999999'))).toBe(false);
  });

  it('agrees with integer arithmetic', () => {
    fc.assert(
      fc.property(numberLexeme, numberLexeme, (a, b) => {
        const divisor = scaled(b);
        return isMultipleOf(n(a), n(b)) === (divisor !== 0n && scaled(a) % divisor === 0n);
      }),
      { numRuns: 1000 },
    );
  });

  it('holds for every product', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.integer({ min: -40, max: 40 }), (factor, unit, exponent) => {
        return unit === 0n || isMultipleOf(n(`${factor * unit}e${exponent}`), n(`${unit}e${exponent}`));
      }),
    );
  });
});

import { ExactNumber } from '../../../src/core/json/exact-number';
import { JsonSyntaxError } from '../../../src/core/json/json-syntax-error';
import { MAX_DEPTH, parseJson, parseJsonWithPositions, type JsonLimits } from '../../../src/core/json/parse-json';
import { stringifyJson } from '../../../src/core/json/stringify-json';

function errorOf(text: string, limits?: JsonLimits): JsonSyntaxError {
  try {
    parseJson(text, limits);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error(`accepted ${text}`);
}

const exact = (lexeme: string): ExactNumber => new ExactNumber(lexeme);
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('parseJson', () => {
  it.each([
    'null',
    'true',
    'false',
    ' \t\r\n[ \t\r\n] \t\r\n',
    '[]',
    '{}',
    '[[],{},[[]]]',
    '""',
    '"plain"',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
    '"\\u0041\\u00e9\\u00E9\\u20ac\\ud83d\\ude00"',
    '"\u007f\u0080\u2028\u2029\uffff"',
    '"raw 😀 and é"',
    '"ends in escape\\n"',
    '"\\u0000"',
    '"\\uD800"',
    '"\\uDC00\\uD800"',
    '"\uD800"',
    '"\\\\"',
    '{"a":1,"b":[true,false,null],"c":{"d":"e"}}',
    '{"":0}',
    '{"a b":0,"\\u0061\\u0062":1}',
    '[1,2 , 3\n,\t4]',
    '0',
    '-1',
    '123456789',
    '0.5',
    '-0.25',
    '1e-7',
    '1.5e+300',
  ])('agrees with JSON.parse on %j', (text) => {
    expect(parseJson(text)).toStrictEqual(JSON.parse(text));
  });

  it('skips one leading byte order mark', () => {
    expect(parseJson('\uFEFF{"a":1}')).toStrictEqual({ a: 1 });
    expect(errorOf('\uFEFF\uFEFF1')).toMatchObject({ offset: 1, line: 1, column: 1 });
    expect(errorOf('\uFEFF')).toMatchObject({ kind: 'syntax', offset: 1, column: 1 });
  });

  it.each([
    ['0', 0],
    ['-7', -7],
    ['999999999999999', 999999999999999],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740992', -9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['100000000000000000000000', 100000000000000000000000n],
    ['0.1', 0.1],
    ['-12.5', -12.5],
    ['47.40889999999999', 47.40889999999999],
    ['0.30000000000000004', 0.30000000000000004],
    ['123456.789012345', 123456.789012345],
    ['0.000001', 0.000001],
    ['1e-7', 1e-7],
    ['1e+21', 1e21],
    ['1.7976931348623157e+308', Number.MAX_VALUE],
    ['5e-324', 5e-324],
  ])('reads %s as the number or bigint that spells it', (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(`[${text}]`)).toStrictEqual([value]);
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  it.each([
    '2.50',
    '1.0',
    '0.0',
    '-0',
    '-0.0',
    '1e2',
    '1E2',
    '1e+2',
    '1e21',
    '1e400',
    '-1e400',
    '1e-400',
    '0.0000001',
    '0.1000000000000000055',
    '9007199254740993.0',
    '0e0',
    '123456789012345678.9',
  ])('keeps the text of %s, which no double spells', (text) => {
    expect(parseJson(text)).toStrictEqual(exact(text));
    expect(stringifyJson(parseJson(`{"n":${text}}`))).toBe(`{"n":${text}}`);
  });

  it('makes __proto__, constructor and toString ordinary own members', () => {
    const text = '{"__proto__":{"polluted":true},"constructor":1,"toString":2,"hasOwnProperty":3}';
    const value = parseJson(text) as Record<string, unknown>;
    expect(Object.keys(value)).toStrictEqual(['__proto__', 'constructor', 'toString', 'hasOwnProperty']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value['polluted']).toBeUndefined();
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')).toStrictEqual({
      value: { polluted: true },
      enumerable: true,
      configurable: true,
      writable: true,
    });
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  it.each([
    ['', 'Unexpected end of JSON at line 1, column 1: expected a value', 0, ''],
    ['  ', 'Unexpected end of JSON at line 1, column 3: expected a value', 2, ''],
    ['[', 'Unexpected end of JSON at line 1, column 2: expected a value', 1, '/0'],
    ['[1', 'Unexpected end of JSON at line 1, column 3: expected "," or "]"', 2, ''],
    ['[1,]', 'Unexpected "]" at line 1, column 4: expected a value', 3, '/1'],
    ['[,1]', 'Unexpected "," at line 1, column 2: expected a value', 1, '/0'],
    ['[1 2]', 'Unexpected "2" at line 1, column 4: expected "," or "]"', 3, ''],
    ['[1}', 'Unexpected "}" at line 1, column 3: expected "," or "]"', 2, ''],
    ['{', 'Unexpected end of JSON at line 1, column 2: expected a property name in double quotes or "}"', 1, ''],
    ['{"a":1,}', 'Unexpected "}" at line 1, column 8: expected a property name in double quotes', 7, ''],
    ['{a:1}', 'Unexpected "a" at line 1, column 2: expected a property name in double quotes or "}"', 1, ''],
    ["{'a':1}", 'Unexpected "\'" at line 1, column 2: expected a property name in double quotes or "}"', 1, ''],
    ['{"a" 1}', 'Unexpected "1" at line 1, column 6: expected ":"', 5, ''],
    ['{"a"}', 'Unexpected "}" at line 1, column 5: expected ":"', 4, ''],
    ['{"a":}', 'Unexpected "}" at line 1, column 6: expected a value', 5, '/a'],
    ['{"a":1 "b":2}', `Unexpected '"' at line 1, column 8: expected "," or "}"`, 7, ''],
    ['[1] x', 'Unexpected "x" at line 1, column 5: expected the end of the text', 4, ''],
    ['{}{}', 'Unexpected "{" at line 1, column 3: expected the end of the text', 2, ''],
    ['NaN', 'Unexpected "NaN" at line 1, column 1: expected a value', 0, ''],
    ['-Infinity', 'Unexpected "Infinity" at line 1, column 2: expected a digit', 1, ''],
    ['undefined', 'Unexpected "undefined" at line 1, column 1: expected a value', 0, ''],
    ['True', 'Unexpected "True" at line 1, column 1: expected a value', 0, ''],
    ['nul', 'Unexpected "nul" at line 1, column 1: expected a value', 0, ''],
    ['nullx', 'Unexpected "x" at line 1, column 5: expected the end of the text', 4, ''],
    ['// note\n1', 'Unexpected "/" at line 1, column 1: expected a value', 0, ''],
    ['[1 /* one */]', 'Unexpected "/" at line 1, column 4: expected "," or "]"', 3, ''],
    ['😀', 'Unexpected "😀" at line 1, column 1: expected a value', 0, ''],
    ['[\u00a01]', 'Unexpected character U+00A0 at line 1, column 2: expected a value', 1, '/0'],
    ['\u0000', 'Unexpected character U+0000 at line 1, column 1: expected a value', 0, ''],
    ['01', 'Number with a leading zero at line 1, column 1: expected no zero before other digits', 0, ''],
    ['-01.5', 'Number with a leading zero at line 1, column 1: expected no zero before other digits', 0, ''],
    ['+1', 'Unexpected "+" at line 1, column 1: expected a value', 0, ''],
    ['.5', 'Unexpected "." at line 1, column 1: expected a value', 0, ''],
    ['-', 'Unexpected end of JSON at line 1, column 2: expected a digit', 1, ''],
    ['1.', 'Unexpected end of JSON at line 1, column 3: expected a digit', 2, ''],
    ['1.e5', 'Unexpected "e5" at line 1, column 3: expected a digit', 2, ''],
    ['1e', 'Unexpected end of JSON at line 1, column 3: expected a digit', 2, ''],
    ['[1e+]', 'Unexpected "]" at line 1, column 5: expected a digit', 4, '/0'],
    ['0x10', 'Unexpected "x10" at line 1, column 2: expected the end of the text', 1, ''],
    ['1_000', 'Unexpected "_000" at line 1, column 2: expected the end of the text', 1, ''],
    [
      '["ab',
      'Unexpected end of JSON at line 1, column 5: expected the closing quote of the string opened at line 1, column 2',
      4,
      '/0',
    ],
    ['"\\', 'Unexpected end of JSON at line 1, column 3: expected an escaped character', 2, ''],
    [
      '"a\nb"',
      'Unescaped control character U+000A in a string at line 1, column 3: expected the escape \\u000A',
      2,
      '',
    ],
    [
      '"\\n\tb"',
      'Unescaped control character U+0009 in a string at line 1, column 4: expected the escape \\u0009',
      3,
      '',
    ],
    [
      '"\\x41"',
      'Invalid escape \\x in a string at line 1, column 2: expected \\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or \\u with four hex digits',
      1,
      '',
    ],
    [
      '"\\\n"',
      'Invalid escape in a string at line 1, column 2: expected \\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or \\u with four hex digits',
      1,
      '',
    ],
    [
      '"\\u12G4"',
      'Invalid escape \\u12G4 in a string at line 1, column 2: expected \\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or \\u with four hex digits',
      1,
      '',
    ],
  ])('rejects %j saying what is wrong, where, and what was expected', (text, message, offset, pointer) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    const error = errorOf(text);
    expect(error.message).toBe(message);
    expect(error).toMatchObject({ name: 'JsonSyntaxError', kind: 'syntax', offset, pointer });
  });

  it('counts LF, CR LF and a lone CR as line ends, and columns in UTF-16 units', () => {
    expect(errorOf('[1,\n2,\r\n3,\r"😀" x]')).toMatchObject({ line: 4, column: 6, offset: 16, pointer: '' });
    expect(errorOf('\uFEFF[\n\n  x]')).toMatchObject({ line: 3, column: 3, offset: 6, pointer: '/0' });
  });

  it('points at the innermost value around the error', () => {
    expect(errorOf('{"a":{"b/c":[1,{"~":tru}]},"d":1}')).toMatchObject({ pointer: '/a/b~1c/1/~0', offset: 20 });
  });

  it('rejects a repeated member name, naming both places', () => {
    const error = errorOf('{"name":1, "name":2}');
    expect(error).toMatchObject({ kind: 'duplicate-member', offset: 11, line: 1, column: 12, pointer: '/name' });
    expect(error.message).toBe('Duplicate property "name" at line 1, column 12 (first at line 1, column 2)');
  });

  it.each([
    ['{"a":1,"b":2,"a":1}', '/a'],
    ['[{"a":1},{"a":{"a":1,"\\u0061":2}}]', '/1/a/a'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"toString":1,"toString":2}', '/toString'],
    ['{"0":1,"0":2}', '/0'],
    ['{"":1,"":2}', '/'],
  ])('finds the duplicate in %s', (text, pointer) => {
    expect(errorOf(text)).toMatchObject({ kind: 'duplicate-member', pointer });
  });

  it('shortens a very long name in the message', () => {
    const name = 'n'.repeat(5000);
    expect(errorOf(`{"${name}":1,"${name}":2}`).message.length).toBeLessThan(200);
  });

  it('reports the first error of a text that has several', () => {
    expect(errorOf('{"a":1,"a":2,,,')).toMatchObject({ kind: 'duplicate-member', offset: 7 });
    expect(errorOf('{"a":1,,"a":2}')).toMatchObject({ kind: 'syntax', offset: 7 });
  });

  it('allows 64 levels unless told otherwise', () => {
    expect(stringifyJson(parseJson(nested(64)))).toBe(nested(64));
    const error = errorOf(nested(65));
    expect(error).toMatchObject({ kind: 'too-deep', offset: 64, line: 1, column: 65, pointer: '/0'.repeat(64) });
    expect(error.message).toBe(
      'Nested too deep at line 1, column 65: expected at most 64 levels of arrays and objects',
    );
  });

  it('counts open levels and not containers', () => {
    expect(parseJson('[[],{},[]]', { maxDepth: 2 })).toStrictEqual([[], {}, []]);
    expect(errorOf('{"a":[{}]}', { maxDepth: 2 })).toMatchObject({ kind: 'too-deep', pointer: '/a/0' });
    expect(parseJson('1', { maxDepth: 0 })).toBe(1);
    expect(errorOf('[]', { maxDepth: 0 }).kind).toBe('too-deep');
  });

  it('answers the deepest of texts with an error and not a stack overflow', () => {
    const limits = { maxDepth: 1_000_000 };
    expect(stringifyJson(parseJson(nested(MAX_DEPTH), limits))).toBe(nested(MAX_DEPTH));
    expect(errorOf(nested(MAX_DEPTH + 1), limits).kind).toBe('too-deep');
    expect(errorOf('['.repeat(1_000_000), limits)).toMatchObject({ kind: 'too-deep', offset: MAX_DEPTH });
    expect(errorOf('{"a":'.repeat(100_000), limits).kind).toBe('too-deep');
  });

  it('bounds the length of one number', () => {
    const digits = '9'.repeat(1000);
    expect(parseJson(digits)).toBe(BigInt(digits));
    const error = errorOf(`{"n":${digits}9}`);
    expect(error).toMatchObject({ kind: 'number-too-long', offset: 5, pointer: '/n' });
    expect(error.message).toBe('Number of 1001 characters at line 1, column 6: expected at most 1000');
    expect(errorOf('-1234', { maxNumberLength: 4 }).kind).toBe('number-too-long');
    expect(errorOf('1.2345', { maxNumberLength: 4 }).kind).toBe('number-too-long');
    expect(parseJson(digits + '9', { maxNumberLength: 2000 })).toBe(BigInt(digits + '9'));
  });

  it('keeps every property of an object too large for a hidden class', () => {
    const text = `{${Array.from({ length: 5000 }, (_, index) => `"key${index}":${index}`).join(',')}}`;
    expect(JSON.stringify(parseJson(text))).toBe(text);
    expect(errorOf(`${text.slice(0, -1)},"key17":0}`)).toMatchObject({ kind: 'duplicate-member', pointer: '/key17' });
  });
});

describe('readJson', () => {
  it.each([
    { text: '{"a": [1, -2.5, 1e-7, 999999999999999]}', isPlain: true },
    { text: '{"a": "9007199254740993"}', isPlain: true },
    { text: '{"a": {"b": 9007199254740993}}', isPlain: false },
    { text: '[1.0]', isPlain: false },
    { text: '-0', isPlain: false },
  ])('knows whether $text has plain numbers alone: $isPlain', ({ text, isPlain }) => {
    const read = parseJsonWithPositions(text);
    expect(read.isPlain).toBe(isPlain);
    expect(read.value).toStrictEqual(parseJson(text));
  });

  it('fails as parseJson does', () => {
    const text = '{"a": {"b": {"c": {"d": [1, 2, }}}}';
    expect(() => parseJsonWithPositions(text)).toThrow(errorOf(text));
    expect(errorOf(text).pointer).toBe('/a/b/c/d/2');
  });
});

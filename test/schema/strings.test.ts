import { expectVerdict, rows, validatorFor } from './validate';

describe('lengths count code points', () => {
  test.each(
    rows([
      {
        schema: '{ "type": "string", "maxLength": 1 }',
        allows: ['""', '"a"', '"é"', '"😀"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\u0000"'],
        refuses: ['"ab"', '"😀😀"', '"e\\u0301"', '"\\ude00\\ud83d"'],
      },
      { schema: '{ "type": "string", "minLength": 2 }', allows: ['"ab"', '"😀😀"'], refuses: ['""', '"a"', '"😀"'] },
      { schema: '{ "minLength": 1 }', allows: ['7', '[]', 'null', '2.50'], refuses: ['""'] },
    ]),
  )('$schema $verdict $value', expectVerdict);
});

describe('pattern', () => {
  test.each(
    rows([
      { schema: '{ "type": "string", "pattern": "b" }', allows: ['"abc"', '"b"'], refuses: ['""', '"ac"', '"B"'] },
      { schema: '{ "type": "string", "pattern": "^b$" }', allows: ['"b"'], refuses: ['"abc"', '"b\\n"', '"a\\nb"'] },
      // With `u`: one character is one code point, and properties have names.
      { schema: '{ "type": "string", "pattern": "^.$" }', allows: ['"a"', '"😀"'], refuses: ['""', '"ab"'] },
      { schema: '{ "type": "string", "pattern": "^\\\\p{Lu}" }', allows: ['"Äpfel"'], refuses: ['"äpfel"', '"p{Lu}"'] },
      { schema: '{ "type": "string", "pattern": "^[😀-😎]$" }', allows: ['"😃"'], refuses: ['"a"'] },
      {
        schema: '{ "type": "string", "pattern": "\\\\S" }',
        allows: ['" a "'],
        refuses: ['""', '" "', '"\\u00a0\\u2003\\u3000"'],
      },
      // Without: what `u` forbids but ECMA-262 5.1 allows.
      { schema: '{ "type": "string", "pattern": "^[\\\\w-]+\\\\@x$" }', allows: ['"a-b@x"'], refuses: ['"a b@x"'] },
      {
        schema: '{ "type": "string", "pattern": "^\\\\d{3}\\\\-\\\\d{4}$" }',
        allows: ['"555-1234"'],
        refuses: ['"5551234"'],
      },
      { schema: '{ "type": "string", "pattern": "^\\\\_$" }', allows: ['"_"'], refuses: ['"a"'] },
      { schema: '{ "pattern": "^a" }', allows: ['7', 'null', '["b"]'], refuses: ['"b"'] },
      { schema: '{ "type": "string", "pattern": "/^\\"\'`${a}$" }', allows: [], refuses: ['"a"'] },
    ]),
  )('$schema $verdict $value', expectVerdict);

  it('gives the same verdict each time it is asked', () => {
    const validate = validatorFor('{ "type": "string", "pattern": "a" }');
    for (let time = 0; time < 3; time++) expect(validate('"aaa"')).toStrictEqual([]);
  });
});

describe('formats', () => {
  const format = (name: string, allows: string[], refuses: string[]): Parameters<typeof rows>[0][number] => {
    const quoted = (texts: string[]): string[] => texts.map((text) => JSON.stringify(text));
    return { schema: `{ "type": "string", "format": "${name}" }`, allows: quoted(allows), refuses: quoted(refuses) };
  };
  const uuid = '2eb8aa08-aa98-11ea-b4aa-73b441d16380';
  test.each(
    rows([
      format(
        'date-time',
        [
          '2030-12-05T10:30:00Z',
          '2030-12-05t10:30:00.123456789z',
          '2030-12-05T10:30:00+02:00',
          '1998-12-31T15:59:60-08:00',
          '2030-12-05T10:30:00-00:00',
        ],
        [
          '2030-12-05',
          '2030-12-05 10:30:00Z',
          '2030-12-05T10:30:00',
          '2030-02-30T10:30:00Z',
          '2030-12-05T24:00:00Z',
          '1998-12-31T23:58:60Z',
          '2030-12-05T10:30:00Z\n',
          '2030-12-05T10:30:00+02',
          '',
          'now',
        ],
      ),
      format(
        'date',
        ['2030-12-05', '2028-02-29', '0000-01-01'],
        [
          '2029-02-29',
          '2030-13-01',
          '2030-00-10',
          '2030-12-5',
          '20301205',
          '2030-W49',
          '2030-12-05T00:00:00Z',
          '2030-12-05\n',
          '',
        ],
      ),
      format(
        'uuid',
        [uuid, uuid.toUpperCase(), '00000000-0000-0000-0000-000000000000'],
        [
          uuid.slice(1),
          uuid.replaceAll('-', ''),
          `{${uuid}}`,
          `urn:uuid:${uuid}`,
          `${uuid}\n`,
          uuid.replace('2', 'g'),
          '',
        ],
      ),
      format(
        'email',
        ['joe.bloggs@example.com', 'te~st@example.com', 'a+b@sub.example.co'],
        [
          '2962',
          'joe@',
          '@example.com',
          '.test@example.com',
          'te..st@example.com',
          'a b@example.com',
          'a@b@example.com',
          'joe@example.com\n',
          '',
        ],
      ),
      format(
        'uri',
        [
          'http://foo.bar/?baz=qux#quux',
          'urn:oasis:names:tc',
          'mailto:a@b.example',
          'http://[::1]:80/',
          'ftp://ftp.is.co.za/rfc/rfc1808.txt',
          'tel:+1-816-555-1212',
        ],
        ['//foo.bar/', '/abc', 'foo', 'http:// shouldfail.com', '\\\\WINDOWS\\share', 'http://a/ü', 'http://a/%zz', ''],
      ),
      format('uri-reference', ['/books/1', '../a', '?q=1', '#f', 'http://a/', ''], ['\\\\WINDOWS', 'a b', '#a#b']),
      format(
        'ipv4',
        ['127.0.0.1', '0.0.0.0', '255.255.255.255'],
        ['256.0.0.1', '127.0.0', '127.0.0.0.1', '127.0.0.01', '0x7f.0.0.1', '127.0.0.1\n', ''],
      ),
      format(
        'ipv6',
        ['::1', '::', '2001:db8::ff00:42:8329', '::ffff:192.168.0.1'],
        ['12345::', '1::2::3', ':::1', '127.0.0.1', '::1%eth0', ''],
      ),
      format(
        'hostname',
        ['example.com', 'localhost', 'a-b.example'],
        ['-a.example', 'a_b.example', 'a..b', 'ü.example', ''],
      ),
      format(
        'byte',
        ['', 'aGk=', 'aGlv', 'AA==', '+/+/'],
        ['aGk', 'a', 'aG k=', 'a-_=', 'aGk=\n', 'aGk=\n!!!', 'ä===', '===='],
      ),
      format('password', ['', 'anything'], []),
      format('binary', ['', '\u0000ÿ'], []),
      format('no-such-format', ['anything'], []),
      format('regex', ['(', 'a+'], []),
    ]),
  )('$schema $verdict $value', expectVerdict);

  test.each(
    rows([
      {
        schema: '{ "type": "string", "format": "date", "nullable": true }',
        allows: ['null', '"2030-12-05"'],
        refuses: ['"soon"'],
      },
      { schema: '{ "format": "date" }', allows: ['7', 'null', '{}', '"2030-12-05"'], refuses: ['"soon"'] },
      {
        schema: '{ "anyOf": [{ "type": "string", "format": "date" }, { "type": "integer" }] }',
        allows: ['7', '"2030-12-05"'],
        refuses: ['"soon"'],
      },
    ]),
  )('$schema $verdict $value', expectVerdict);

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
    'the unknown format %s is not taken for one that objects inherit',
    (name) => {
      expect(validatorFor(`{ "type": "string", "format": "${name}" }`)('"text"')).toStrictEqual([]);
    },
  );
});

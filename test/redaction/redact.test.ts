import fc from 'fast-check';
import { ConfigError } from '../../src/core/errors/standin-error';
import { createRedactor, keysOf } from '../../src/redaction/key-redactor';
import { redactRequest, redactStep } from '../../src/runner/result/step-redaction';
import type { StepResult } from '../../src/runner/result/run-result';

const KEY = 'sk-live/Ab+9==';
const redact = createRedactor(KEY);

test.each([
  { form: 'as it is', text: `Bearer ${KEY} is wrong`, want: 'Bearer $STANDIN_API_KEY is wrong' },
  { form: 'percent-encoded', text: `/a?key=${encodeURIComponent(KEY)}&b`, want: '/a?key=$STANDIN_API_KEY&b' },
  { form: 'with the slashes that JSON may escape', text: '{"k":"sk-live\\/Ab+9=="}', want: '{"k":"$STANDIN_API_KEY"}' },
  { form: 'in base64', text: `Basic ${Buffer.from(KEY).toString('base64')}`, want: 'Basic $STANDIN_API_KEY=' },
  { form: 'cut off', text: 'the key sk-live/A…', want: 'the key $STANDIN_API_KEY…' },
  { form: 'cut off before', text: 'the key …b+9== is wrong', want: 'the key …$STANDIN_API_KEY is wrong' },
  { form: 'cut off in an escape', text: 'the key sk-live%2…', want: 'the key $STANDIN_API_KEY…' },
  {
    form: 'in base64, cut off',
    text: `Basic ${Buffer.from(`user:${KEY}`).toString('base64').slice(0, 20)}...`,
    want: 'Basic dXNlcjp$STANDIN_API_KEY...',
  },
  {
    form: 'percent-encoded twice',
    text: `a=${encodeURIComponent(encodeURIComponent(KEY))}`,
    want: 'a=$STANDIN_API_KEY',
  },
  {
    form: 'in hexadecimal digits',
    text: `0x${Buffer.from(KEY).toString('hex').toUpperCase()}`,
    want: '0x$STANDIN_API_KEY',
  },
  { form: 'without its last character', text: 'Bearer sk-live/Ab+', want: 'Bearer ${STANDIN_API_KEY%?==}' },
  { form: 'in lower case', text: `Bearer ${KEY.toLowerCase()}`, want: 'Bearer $STANDIN_API_KEY' },
  { form: 'in upper case', text: `BEARER ${KEY.toUpperCase()}`, want: 'BEARER ${STANDIN_API_KEY^^}' },
  {
    form: 'in upper case, percent-encoded',
    text: `/A?K=${encodeURIComponent(KEY.toUpperCase())}`,
    want: '/A?K=${STANDIN_API_KEY^^}',
  },
  { form: 'in upper case, cut off', text: 'THE KEY SK-LIVE/A…', want: 'THE KEY $STANDIN_API_KEY…' },
  {
    form: 'in lower case, in base64',
    text: `Basic ${Buffer.from(KEY.toLowerCase()).toString('base64')}`,
    want: 'Basic $STANDIN_API_KEY=',
  },
  {
    form: 'in upper case, in hexadecimal digits',
    text: Buffer.from(KEY.toUpperCase()).toString('hex'),
    want: '$STANDIN_API_KEY',
  },
  { form: 'twice', text: `${KEY},${KEY}`, want: '$STANDIN_API_KEY,$STANDIN_API_KEY' },
])('a key is taken out of a text $form', ({ text, want }) => {
  expect(redact(text)).toBe(want);
});

test('the case of a short key is looked at: it may be a word', () => {
  expect(createRedactor('Secret1')('secret1 SECRET1 Secret1')).toBe('secret1 SECRET1 $STANDIN_API_KEY');
});

test('a key of a letter or two blanks no text: it is known where nothing else stands', () => {
  const short = createRedactor('a');
  expect(short('A name that has letters … a list of all')).toBe('A name that has letters … a list of all');
  expect(short('Bearer a')).toBe('Bearer $STANDIN_API_KEY');
  expect(short('a')).toBe('$STANDIN_API_KEY');
  expect(createRedactor('12')('/pets/12?limit=12')).toBe('/pets/12?limit=12');
});

test('without a key nothing is taken out', () => {
  expect(createRedactor(undefined)('a b')).toBe('a b');
});

test('each key has a variable of its own, and the longer one wins', () => {
  const several = createRedactor([
    { name: 'SHORT', key: 'secret-key' },
    { name: 'LONG', key: 'secret-key-2' },
  ]);
  expect(several('a secret-key, a secret-key-2')).toBe('a $SHORT, a $LONG');
  const known = keysOf({ apiKey: 'main-key-1', identities: new Map([['branch manager', 'other-key-1']]) });
  expect(createRedactor(known)('main-key-1 other-key-1')).toBe('$STANDIN_API_KEY $STANDIN_KEY_BRANCH_MANAGER');
});

test('what was put in the place of a key is not looked through again', () => {
  const odd = createRedactor([
    { name: 'STANDIN_API_KEY', key: 'STANDIN' },
    { name: 'OTHER', key: 'API_KEY' },
  ]);
  expect(odd('STANDIN API_KEY')).toBe('$STANDIN_API_KEY $OTHER');
});

test.each([
  'GET /a?b=%C3%AB&c=1…',
  'a \\u0041 &amp; b &unknown; %zz \\',
  'Größe: 3 … 😀',
  '{"name":"sk-li"}',
  '&#99999999; \\ud800',
])('a text without a key stays as it is: %s', (text) => {
  expect(redact(text)).toBe(text);
});

/** Ways to write a key down. */
const ENCODINGS: Readonly<Record<string, (key: string) => string>> = {
  plain: (key) => key,
  percent: encodeURIComponent,
  'percent, every byte, upper case': (key) => hexOf(key, (byte) => `%${byte.toUpperCase()}`),
  'percent, every byte, lower case': (key) => hexOf(key, (byte) => `%${byte}`),
  'percent, twice': (key) => encodeURIComponent(encodeURIComponent(key)),
  'percent, every byte, twice': (key) => hexOf(key, (byte) => `%25${byte}`),
  form: (key) => new URLSearchParams([['', key]]).toString().slice(1),
  JSON: (key) => JSON.stringify(key).slice(1, -1),
  'JSON with slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
  'JSON, every character, upper case': (key) => unitsOf(key, (unit) => `\\u${unit.toUpperCase()}`),
  'JSON, every character, lower case': (key) => unitsOf(key, (unit) => `\\u${unit}`),
  HTML: (key) => key.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
  'HTML with names': (key) =>
    key.replace(
      /[&<>"'/]/g,
      (found) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos', '/': 'sol' }[found]};`,
    ),
  'HTML, every character, decimal': (key) => unitsOf(key, (unit) => `&#${Number.parseInt(unit, 16)};`),
  'HTML, every character, hexadecimal': (key) => unitsOf(key, (unit) => `&#x${unit};`),
  hexadecimal: (key) => hexOf(key, (byte) => byte),
  ...Object.fromEntries(
    ['', 'u', 'us', 'user:', 'user:x'].flatMap((before) =>
      ['', ':', ':x', ':xy'].flatMap((after) =>
        (['base64', 'base64url'] as const).map((alphabet) => [
          `${alphabet} of ${before}…${after}`,
          (key: string): string => Buffer.from(`${before}${key}${after}`).toString(alphabet),
        ]),
      ),
    ),
  ),
};

function hexOf(key: string, write: (byte: string) => string): string {
  return Array.from(Buffer.from(key), (byte) => write(byte.toString(16).padStart(2, '0'))).join('');
}

function unitsOf(key: string, write: (unit: string) => string): string {
  return Array.from({ length: key.length }, (_, at) => write(key.charCodeAt(at).toString(16).padStart(4, '0'))).join(
    '',
  );
}

const TOKEN = fc.stringMatching(/^[A-Za-z0-9._~+/-]{9,40}={0,2}$/);
/** Keys of other schemes than Bearer may have any visible character. */
const VISIBLE = fc.stringMatching(/^[!-~]{8,40}$/);

describe('no encoding of a key gets through', () => {
  test.each(Object.entries(ENCODINGS))('%s', (name, encode) => {
    fc.assert(
      fc.property(name.includes('base64') ? TOKEN : fc.oneof(TOKEN, VISIBLE), (key) => {
        const clean = createRedactor(key)(`before→${encode(key)}←after`);
        expect(clean).toContain('$STANDIN_API_KEY');
        expect(decodings(clean).filter((text) => text.includes(key))).toEqual([]);
        expect(clean).not.toContain(encode(key));
        expect(clean.startsWith('before→') && clean.endsWith('←after')).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test('nor one on top of another', () => {
    const names = Object.keys(ENCODINGS).filter((name) => !name.includes('twice'));
    fc.assert(
      fc.property(
        TOKEN,
        fc.constantFrom(...names),
        fc.constantFrom('percent', 'JSON', 'HTML with names', 'form'),
        (key, inner, outer) => {
          const text = ENCODINGS[outer]!(ENCODINGS[inner]!(key));
          const clean = createRedactor(key)(`x=${text};`);
          expect(clean).toContain('$STANDIN_API_KEY');
          expect(clean).not.toContain(text);
        },
      ),
    );
  });

  test('nor a piece of one at a cut', () => {
    fc.assert(
      fc.property(
        TOKEN,
        fc.constantFrom('plain', 'percent', 'JSON with slashes', 'base64 of …'),
        fc.nat(),
        (key, name, at) => {
          const text = ENCODINGS[name]!(key);
          const cut = 4 + (at % (text.length - 4));
          const clean = createRedactor(key)(`x ${text.slice(0, cut)}…`);
          // Less than four characters say too little.
          const kept = text
            .slice(0, cut)
            .replace(/%[0-9A-F]{2}|\\\//g, '-')
            .replace(/%.?$|\\$/, '');
          if (kept.length >= 4) expect(clean).toMatch(/^x \$(?:STANDIN_API_KEY|\{STANDIN_API_KEY%\?=*\})=*…$/);
        },
      ),
    );
  });
});

/** A text, and what a reader could make of it. */
function decodings(text: string): string[] {
  const percent = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const json = text.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const runs = text.match(/[\w+/-]{8,}/g) ?? [];
  const base64 = runs.flatMap((run) => [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString()));
  return [text, percent, json, json.replaceAll('\\/', '/'), ...base64];
}

test('no part of a result keeps the key', () => {
  const finding = {
    check: 'a',
    severity: 'error',
    at: `/b/${KEY}`,
    hint: KEY,
    message: KEY,
    expected: KEY,
    actual: `…${KEY}`,
  } as const;
  const step: StepResult = {
    name: 'a step',
    phase: 'steps',
    operation: undefined,
    place: undefined,
    request: {
      method: 'GET',
      url: `http://a/${KEY}`,
      headers: ['Authorization', `Bearer ${KEY}`],
      body: `{"a":"${KEY}"}`,
    },
    recipe: {
      request: { method: 'GET', url: `http://a/${KEY}`, headers: ['Authorization', `Bearer ${KEY}`], body: KEY },
      uses: [],
      captures: [{ name: 'part', text: '$request.path.part', value: `of ${KEY}` }],
    },
    status: 200,
    durationMs: 1,
    attempts: 1,
    verdict: { kind: 'fail', findings: [finding] },
    warnings: [finding],
  };
  expect(JSON.stringify(redactStep(step, redact))).not.toContain('sk-live');
  const error = new ConfigError('CONFIG_INVALID', `the key ${KEY}`);
  const { verdict } = redactStep({ ...step, verdict: { kind: 'error', error } }, redact);
  expect(verdict).toMatchObject({ error: { code: 'CONFIG_INVALID', message: 'the key $STANDIN_API_KEY' } });
});

test('a request keeps the note of a body that is not shown', () => {
  const omitted = 'binary, image/png, 2048 bytes';
  const request = {
    method: 'PUT',
    url: 'http://a/b',
    headers: ['Content-Type', 'image/png'],
    body: undefined,
    omitted,
  };
  expect(redactRequest(request, (text) => text)).toStrictEqual(request);
});

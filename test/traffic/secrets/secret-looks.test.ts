import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { looksSecret } from '../../../src/traffic/secrets/clean-value';
import { looksRandom, shapedSecrets } from '../../../src/traffic/secrets/secret-looks';
import { findDocuments } from '../../corpus/find-documents';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';

/** Alphabets of keys, and of how many of each length at most one in a hundred is missed: those are measured, with room. */
const KEYS: readonly (readonly [name: string, alphabet: string, missed: Readonly<Record<number, number>>])[] = [
  ['letters and digits', LOWER + UPPER + DIGITS, { 20: 6, 24: 3, 32: 1, 40: 0.5, 64: 0.2 }],
  ['small letters and digits', LOWER + DIGITS, { 20: 9, 24: 5, 32: 2, 40: 1, 64: 0.2 }],
  ['base32', `${UPPER}234567`, { 20: 10, 24: 6, 32: 2, 40: 1, 64: 0.2 }],
  ['base64url', `${LOWER}${UPPER}${DIGITS}-_`, { 20: 10, 24: 6, 32: 2, 40: 0.5, 64: 0.2 }],
  ['hexadecimal digits', `${DIGITS}abcdef`, { 32: 0.5, 40: 0.2, 64: 0.2 }],
  ['letters', LOWER + UPPER, { 24: 9, 32: 3, 40: 2, 64: 0.5 }],
];

const COUNT = 1000;

/** The same ones each time, so that the rates are. Not by fast-check, which likes to repeat characters. */
function drawn(alphabet: string, length: number): string[] {
  return Array.from({ length: COUNT }, (_, number) => {
    let text = '';
    for (let part = 0; text.length < length; part++) {
      for (const byte of createHash('sha512').update(`${alphabet} ${length} ${number} ${part}`).digest()) {
        // The last of the 256 values are left out, so that each character is as likely.
        if (byte < 256 - (256 % alphabet.length)) text += alphabet.charAt(byte % alphabet.length);
      }
    }
    return text.slice(0, length);
  });
}

test.each(
  KEYS.flatMap(([name, alphabet, rates]) =>
    Object.entries(rates).map(([length, most]) => [name, length, most, alphabet] as const),
  ),
)('random %s, %s of them: of a hundred values at most %d are missed', (_, length, most, alphabet) => {
  const missed = drawn(alphabet, Number(length)).filter((text) => !looksRandom(text));
  expect((100 * missed.length) / COUNT).toBeLessThanOrEqual(most);
});

interface Told {
  readonly name: string;
  readonly value: string;
}

/** Every text of a document, with the name that it stands under. */
function textsOf(value: unknown, name = ''): Told[] {
  if (typeof value === 'string') return [{ name, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, Array.isArray(value) ? name : key));
}

const ROOT = join(__dirname, '../../..');
const FOLDERS = ['test/corpus/documents', 'spec', 'packs', 'fixtures', 'contracts', 'test/cases/contracts', 'examples'];

test('of the texts of descriptions, examples, fixtures and contracts none is taken for a secret', () => {
  const files = FOLDERS.flatMap((folder) => findDocuments(join(ROOT, folder)));
  const texts = files.flatMap((file) => textsOf(parse(readFileSync(file, 'utf8'), { logLevel: 'silent' }) as unknown));
  const words = new Set(texts.flatMap(({ value }) => value.split(/\s+/)));
  expect(texts.length).toBeGreaterThan(1000);
  const none = { isId: () => false, noteId: () => undefined };
  expect(texts.filter(({ name, value }) => looksSecret(name, value, none)).map(({ value }) => value)).toEqual([]);
  expect([...words].filter((word) => looksRandom(word))).toEqual([]);
});

test('of the words of the sources and pages of this project next to none is', () => {
  const files = [
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'README.md',
    'package.json',
    'src/mock/create-mock.ts',
    'src/cli/registry.ts',
  ];
  const words = new Set(files.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/[\w./+-]{20,}/g) ?? []));
  expect(words.size).toBeGreaterThan(200);
  expect([...words].filter((word) => looksRandom(word))).toEqual([]);
});

test.each([
  ['a sentence that says Basic information, Bearer authentication and basic ideas', []],
  ['Authorization: Basic dGVzdA==', []],
  ['Authorization: basic YW5uOmh1bnRlcjI=', ['YW5uOmh1bnRlcjI=']],
  ['use "Bearer aB3xK9q2ZrT7vN4m".', ['aB3xK9q2ZrT7vN4m']],
  ['Bearer authentication-required', []],
  ['key=sk_test_4eC39HqLyjWDarjtT1zdp7dc;', ['sk_test_4eC39HqLyjWDarjtT1zdp7dc']],
  ['my_live_configuration_management', []],
  ['pi_3MtwBwLkdIwHu7ix28a3tqPa', []],
  ['pushed with ghx_R7dVxK2mPq9LwZt4Bn8YcF3sHj6GaE1uTo5i today', ['ghx_R7dVxK2mPq9LwZt4Bn8YcF3sHj6GaE1uTo5i']],
  ['sha256-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', []],
  ['eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', ['eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.']],
  ['eyJuZXh0Ijoicm93LTEyIn0', []],
])('secrets by their form in %p', (text, secrets) => {
  expect(shapedSecrets(text).map(({ start, end }) => text.slice(start, end))).toEqual(secrets);
});

test('looking at a long text takes no longer than its length says', () => {
  for (const text of [
    'a-'.repeat(50_000),
    'Basic '.repeat(20_000),
    `${'ey'.repeat(50_000)}.`,
    '-----BEGIN '.repeat(10_000),
    'a_'.repeat(9) + 'b'.repeat(99_999),
  ])
    expect(shapedSecrets(text)).toEqual([]);
});

import { parseBasic } from '../../core/http/authorization';
import { SECRET_MARK } from '../exchange/recorded-exchange';
import { isCardNumber } from './personal-data';

/** A part of a text that is a secret by its form; offsets in UTF-16 units. */
export interface ShapedSecret {
  readonly start: number;
  readonly end: number;
  /** What it is called where no place gives a name. */
  readonly name: string;
}

interface Shape {
  readonly name: string;
  readonly pattern: RegExp;
  /** Which part of a match is the secret; `undefined` where it only looks like one. Left out: all of it. */
  readonly secretIn?: (match: string) => string | undefined;
}

const SHAPES: readonly Shape[] = [
  // RFC 7468 §10, §11, and what OpenSSL writes: its lines may say how the key is encrypted
  {
    name: 'private_key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[^]{20,16384}?-----END [A-Z0-9 ]{0,40}-----|[^-]{20,})/g,
  },
  {
    name: 'card_number',
    pattern: /(?<![\w.%+-])(?:\d{13,19}|\d{4}(?:[ -]\d{4}){3}(?:[ -]\d{3})?|\d{4}[ -]\d{6}[ -]\d{4,5})(?![\w%-]|\.\d)/g,
    secretIn: (match) => (isPaymentCard(match) ? match : undefined),
  },
  // RFC 7519 §3, RFC 7516 §3.1: a header in JSON, then one to four more parts.
  { name: 'jwt', pattern: /(?<![\w-])ey[JA][\w-]{8,}(?:\.[\w-]+)(?:\.[\w-]*){1,3}/g },
  {
    name: 'basic_credentials',
    pattern: /(?<![\w-])Basic +[A-Za-z0-9+/]{6,}={0,2}/gi,
    secretIn(match) {
      const isReadable = parseBasic(match.replace(/ +/, ' ')).kind === 'basic';
      return isReadable ? /\S+$/.exec(match)?.[0] : undefined;
    },
  },
  {
    name: 'bearer_token',
    pattern: /(?<![\w-])Bearer +[A-Za-z0-9._~+/-]{16,}=*/gi,
    secretIn(match) {
      const token = /\S+$/.exec(match)?.[0];
      return token !== undefined && /\d/.test(token) && /[A-Za-z]/.test(token) ? token : undefined;
    },
  },
  // A prefix that says what key it is, then what nobody can guess: `sk_live_…`, `api-key-…`.
  {
    name: 'key',
    pattern: /(?<![A-Za-z0-9_-])(?:[A-Za-z][A-Za-z0-9]{0,11}[_-]){1,4}[A-Za-z0-9]{16,200}(?![A-Za-z0-9_-])/g,
    secretIn(match) {
      const [random = '', ...prefixes] = match.split(/[_-]/).toReversed();
      const isNamed = prefixes.some((prefix) => KEY_WORDS.test(prefix)) && randomness(random) > 0;
      return isNamed || isLongKey(random) ? match : undefined;
    },
  },
];

/**
 * Numbers of cards that people pay with: by how they begin (ISO/IEC 7812-1), so that times and most ids are none, and by
 * their check digit.
 */
function isPaymentCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '');
  return /^(?:4|5[0-8]|6[0-9]|3[04-9]|2[2-7])/.test(digits) && isCardNumber(text);
}

const KEY_WORDS =
  /^(?:[sr]k|key|api|apikey|secret|token|tok|pat|auth|oauth|bearer|access|refresh|live|test|prod|priv|private)$/i;

/** Ids with a prefix have about 128 bits, at most 24 characters; hexadecimal digits are digests. */
const SHORTEST_LONG_KEY = 30;

/** Is it a key, whatever its prefix says? */
function isLongKey(random: string): boolean {
  return random.length >= SHORTEST_LONG_KEY && !HEX.test(random) && randomness(random) > LEAST_RANDOMNESS;
}

/** Shapes that nothing else has, however the text around them is written. */
const SURE: ReadonlySet<string> = new Set(['private_key', 'jwt', 'card_number']);

/** Secrets of a file that is to be written, where nothing tells places for ids from others: no digits alone. */
export function sureSecrets(text: string): ShapedSecret[] {
  return shapedSecrets(text).filter(({ name, start, end }) => SURE.has(name) && !/^\d+$/.test(text.slice(start, end)));
}

/** What is a secret wherever it stands: JSON Web Tokens, private keys, credentials of a user, keys with a prefix. */
export function shapedSecrets(text: string): ShapedSecret[] {
  // One look for all of them.
  if (text.length < 12 || !/ey[JA]|-----BEGIN |basic |bearer |[_-][A-Za-z0-9]{16}|\d{4}[ -]?\d{4,6}[ -]?\d/i.test(text))
    return [];
  return SHAPES.flatMap(({ name, pattern, secretIn = (match) => match }) =>
    [...text.matchAll(pattern)].flatMap(({ index, 0: match }): ShapedSecret[] => {
      const secret = secretIn(match);
      const start = secret === undefined ? 0 : index + match.lastIndexOf(secret);
      return secret === undefined ? [] : [{ start, end: start + secret.length, name }];
    }),
  );
}

/** Longer texts are files. */
const LONGEST = 1024;
const SHORTEST = 20;
/** As a key is written: base64 of both alphabets, hexadecimal digits, words with separators. */
const KEY_TEXT = /^[A-Za-z0-9_~+-][A-Za-z0-9_~+/.-]+={0,2}$/;

/**
 * Forms of ids that everybody knows, none of which is a key: UUID (RFC 9562 §4), ULID, and the 12 bytes of an ObjectId.
 */
const ID = /^(?:\{?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\}?|[0-7][\dA-HJKMNP-TV-Z]{25}|[\da-f]{24})$/i;

/**
 * Does a whole value look as if it had been drawn at random, so that nobody can guess it?
 *
 * @param shortest - characters; with fewer, 20 unless told, it is taken for something else
 */
export function looksRandom(text: string, shortest = SHORTEST): boolean {
  if (text.length < shortest || text.length > LONGEST || !KEY_TEXT.test(text) || ID.test(text)) return false;
  if (text.search(SECRET_MARK) !== -1 || FILE_START.test(text)) return false;
  if (HEX.test(text)) return text.length >= SHORTEST_HEX && count(text, /[a-f]/gi) >= 4 && count(text, /\d/g) >= 6;
  return randomness(text) > LEAST_RANDOMNESS && !isPackedText(text);
}

const HEX = /^(?:[\da-f]+|[\dA-F]+)$/;
/** 128 bits; fewer are ids. */
const SHORTEST_HEX = 32;
/** The first bytes of PNG, GIF, JPEG, RIFF, PDF, ZIP and gzip in base64. */
const FILE_START = /^(?:iVBORw0KGgo|R0lGOD|\/9j\/|UklGR|JVBERi|UEs[DF]B|H4sI)/;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Base64 of a text that anybody can read: a cursor, an id of a node. */
function isPackedText(text: string): boolean {
  const read = Buffer.from(text, 'base64').toString('latin1');
  return /^[\x20-\x7e\n]{4,}$/.test(read) && !/[A-Za-z0-9_~+/-]{20,}/.test(read);
}

/** See the measured rates in the tests. */
const LEAST_RANDOMNESS = 6;

/** Pairs of letters that three quarters of all pairs in English words and names of programs are. */
const COMMON_PAIRS: ReadonlySet<string> = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ' +
    'ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un ' +
    'lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ' +
    'ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu ' +
    'rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt'
  ).split(' '),
);

/**
 * The logarithm of how much likelier a text is random than made of words, numbers and separators: a sum over the pairs of
 * its neighbouring characters (naive Bayes). A pair of letters is a common one in three of four cases in words, in one of
 * four by chance; where letters and digits meet, or cases change, one word is said to end in words, and in what is random
 * nothing is.
 */
function randomness(text: string): number {
  let sum = 0;
  for (let index = 1; index < text.length; index++)
    sum += pairWeight(text.charAt(index - 1), text.charAt(index), text.charAt(index - 2));
  return sum;
}

/** Where two kinds of characters meet, and between digits. */
const MEETING: Readonly<Record<string, number>> = {
  'digit digit': -0.7,
  'digit lower': 1.1,
  'digit upper': 1.1,
  'lower digit': 1.1,
  'upper digit': 1.1,
  // The hump of a word: `someName`.
  'lower upper': 0.5,
};

function pairWeight(left: string, right: string, before: string): number {
  const [from, to] = [classOf(left), classOf(right)];
  if (from === 'other' || to === 'other') return -0.3;
  const meeting = MEETING[`${from} ${to}`];
  if (meeting !== undefined) return meeting;
  if (from === 'upper' && to === 'lower' && classOf(before) === 'upper') return 0.9;
  return COMMON_PAIRS.has((left + right).toLowerCase()) ? -1.1 : 1.2;
}

function classOf(character: string): 'digit' | 'lower' | 'upper' | 'other' {
  if (character >= '0' && character <= '9') return 'digit';
  if (character >= 'a' && character <= 'z') return 'lower';
  return character >= 'A' && character <= 'Z' ? 'upper' : 'other';
}

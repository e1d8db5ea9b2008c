import type { JsonValue } from '../../json/json-value';

/** Words that descriptions use for a status, beside those of the codes here. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'bad request invalid validation argument input parameter malformed',
  401: 'unauthorized unauthenticated unauthorised authentication authed auth login credentials token',
  403: 'forbidden permission denied access unauthorized scope',
  404: 'not found missing unknown nonexistent',
  405: 'method not allowed',
  406: 'not acceptable',
  408: 'request timeout',
  409: 'conflict exists duplicate already',
  410: 'gone sunset expired',
  412: 'precondition failed stale outdated modified changed version etag concurrent',
  413: 'payload too large size big',
  415: 'unsupported media type',
  422: 'unprocessable validation invalid argument input semantic',
  428: 'precondition required',
  429: 'too many requests rate limit quota throttled exhausted',
  500: 'internal server error unexpected',
  501: 'not implemented unimplemented',
  503: 'service unavailable',
};

/** Words of a code that say that something is wrong, and not what. */
const VAGUE = new Set(['missing', 'invalid', 'not', 'unknown']);

/** What an enum has for whatever it does not list. */
const CATCH_ALL = /^(?:unknown|other|error|general|generic|fail|failure|failed)$/;

/** Of the values that a schema lists, the one that says best what went wrong; a tie goes to the earlier one. */
export function bestWord(values: readonly JsonValue[], code: string, status: number): JsonValue | undefined {
  const codeWords = new Set(wordsOf(code));
  const statusWords = new Set(wordsOf(STATUS_WORDS[status] ?? (status < 500 ? 'client request' : 'server internal')));
  let best: { readonly value: JsonValue; readonly score: number } | undefined;
  for (const value of values) {
    const score = scoreOf(value, codeWords, statusWords, status);
    if (best === undefined || score > best.score) best = { value, score };
  }
  return best?.value;
}

function scoreOf(value: JsonValue, code: ReadonlySet<string>, words: ReadonlySet<string>, status: number): number {
  if (value === null) return -1;
  if (typeof value !== 'string') return value === status ? 100 : 0;
  if (value === String(status)) return 100;
  const own = wordsOf(value);
  const ofCode = own.filter((word) => code.has(word)).reduce((sum, word) => sum + (VAGUE.has(word) ? 1 : 3), 0);
  const shared = ofCode + own.filter((word) => words.has(word)).length * 2;
  // Of two that share as much, the one that says nothing else is nearer.
  if (shared > 0) return shared - own.length / 100;
  return CATCH_ALL.test(value.toLowerCase()) ? 0.5 : 0;
}

function wordsOf(text: string): string[] {
  const spaced = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^a-z\d]+/).filter((word) => word !== '');
}

/** A code in the spellings that services use, the one of this mock first. */
export function spellings(code: string): string[] {
  const words = wordsOf(code);
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const pascal = words.map(capital).join('');
  return [
    code,
    code.toUpperCase(),
    words.join('-'),
    words.join('.'),
    pascal,
    pascal.charAt(0).toLowerCase() + pascal.slice(1),
    words.join(''),
    words.join('').toUpperCase(),
    inWords(code),
  ];
}

/** `resource_not_found` as `Resource not found`: a title that is the same for every error of this code (RFC 9457 §3.1.4). */
export function inWords(code: string): string {
  const text = wordsOf(code).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

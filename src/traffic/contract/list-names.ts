import type { JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Parameter } from '../../openapi/model/operation';
import type { Call, SentParameter } from '../flow/call';

/**
 * Names a list by what it is asked for: `list books with status lent sorted by title`, `search notes for Bob`, `list page 2 of
 * the books`.
 *
 * @param usual - what {@link wordsOfParameter} says of what tells no list apart
 */
export function listName(call: Call, plural: string, usual: ReadonlySet<string>): string {
  const roles = rolesOf(call);
  const asked: Asked = new Map();
  const filters: SentParameter[] = [];
  for (const sent of call.parameters) {
    if (sent.parameter.in !== 'query' || usual.has(wordsOfParameter(call, sent))) continue;
    const role = roles.get(sent.parameter);
    if (role === undefined) filters.push(sent);
    else asked.set(role, sent.value);
  }
  const page = pageOf(asked, call.binding?.parameters.page?.first ?? 1);
  const rest = `${filterWords(call, filters)}${orderWords(asked)}`;
  const sought = asked.get('search');
  if (sought === undefined) return `list ${page?.of(plural) ?? plural}${rest}`;
  return `search ${plural}${soughtWords(sought)}${rest}${page === undefined ? '' : `, ${page.alone}`}`;
}

function soughtWords(sought: JsonValue): string {
  const text = word(sought);
  return text === undefined ? '' : ` for ${text}`;
}

/** What a parameter asks for; of values that differ from run to run the name alone. */
export function wordsOfParameter(call: Call, { parameter, value }: SentParameter): string {
  const isSteady = STEADY.has(rolesOf(call).get(parameter) ?? '') && typeof value !== 'object';
  const told = isSteady ? scalarText(value) : word(value);
  return told === undefined ? parameter.name : `${parameter.name} ${told}`;
}

type Role = 'limit' | 'offset' | 'page' | 'next' | 'before' | 'sort' | 'direction' | 'search';
/** What a list is asked for that is no filter. */
type Asked = Map<Role, JsonValue>;

/** Their values are those of the client, whatever a service has. */
const STEADY: ReadonlySet<string> = new Set<Role>(['limit', 'offset', 'page', 'sort', 'direction']);

function rolesOf({ binding }: Call): Map<Parameter, Role> {
  if (binding === undefined) return new Map();
  const { unusedLimit, limit = unusedLimit } = binding.parameters;
  const { offset, page, cursor, after, from, before, sort, direction, search } = binding.parameters;
  const next = [cursor, after, from].map((parameter) => [parameter, 'next'] as const);
  const entries: (readonly [Parameter | undefined, Role])[] = [
    ...next,
    [limit, 'limit'],
    [offset, 'offset'],
    [page?.parameter, 'page'],
    [before, 'before'],
    [sort, 'sort'],
    [direction, 'direction'],
    [search, 'search'],
  ];
  return new Map(entries.flatMap(([parameter, role]) => (parameter === undefined ? [] : [[parameter, role]])));
}

/** A plain word, or `true`. */
function word(value: JsonValue): string | undefined {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof only === 'boolean') return String(only);
  return typeof only === 'string' && /^[a-z][a-z_-]{0,20}$/i.test(only) ? only : undefined;
}

/** ` with status sold by ownerId`. */
function filterWords(call: Call, filters: readonly SentParameter[]): string {
  const [told, named] = [true, false].map((isTold) =>
    filters.filter(({ value }) => (word(value) !== undefined) === isTold).map((sent) => wordsOfParameter(call, sent)),
  );
  return [listed('with', told), listed('by', named)].join('');
}

function listed(preposition: string, words: readonly string[] = []): string {
  return words.length === 0 ? '' : ` ${preposition} ${words.join(', ')}`;
}

/** `-name`, `name`, `name:desc`, `name desc`. */
const ORDER = /^([-+]?)([a-z_][\w.]*)(?:[:\s](asc|desc)\w*)?$/i;

/** ` sorted by name, descending`. */
function orderWords(asked: Asked): string {
  const [sort, direction] = [asked.get('sort'), asked.get('direction')];
  const [, sign = '', property, own = sign] = ORDER.exec(sort === undefined ? '' : plainText(sort)) ?? [];
  const way = wayOf(direction === undefined ? own : plainText(direction));
  if (sort === undefined) return way === '' ? '' : ` in ${way} order`;
  return ` sorted${property === undefined ? '' : ` by ${property}`}${way === '' ? '' : `, ${way}`}`;
}

function wayOf(text: string): string {
  if (/^(?:-|desc)/i.test(text)) return 'descending';
  return /^asc/i.test(text) ? 'ascending' : '';
}

/** Of lists, what stands between their commas. */
function plainText(value: JsonValue): string {
  const parts = Array.isArray(value) ? value : [value];
  return parts.map((part) => (typeof part === 'object' ? '' : scalarText(part))).join(',');
}

/** A part of a list, in words. */
interface PageWords {
  readonly of: (plural: string) => string;
  readonly alone: string;
}

/** Which part of the list is asked for; `undefined` for its beginning, as long as it comes by itself. */
function pageOf(asked: Asked, first: number): PageWords | undefined {
  const numberOf = (role: Role): number => Number(plainText(asked.get(role) ?? ''));
  const page = asked.has('page') ? numberOf('page') - first + 1 : 1;
  if (page > 1) return { of: (plural) => `page ${page} of the ${plural}`, alone: `page ${page}` };
  if (asked.has('before')) return { of: (plural) => `the page of ${plural} before`, alone: 'the page before' };
  if (asked.has('next')) return { of: (plural) => `the next page of ${plural}`, alone: 'the next page' };
  const offset = numberOf('offset');
  if (offset > 0) return { of: (plural) => `${plural} from number ${offset + 1} on`, alone: `from ${offset + 1} on` };
  const limit = numberOf('limit');
  if (!(limit > 0)) return undefined;
  return {
    of: (plural) => (limit === 1 ? `one of the ${plural}` : `the first ${limit} ${plural}`),
    alone: `the first ${limit}`,
  };
}

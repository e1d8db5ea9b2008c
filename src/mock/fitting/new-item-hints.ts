import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import { wordsOf } from '../../core/text/inflection';
import { once } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Parameter, Property } from '../../openapi/model/operation';
import { isInMilliseconds, isKeyName } from '../../openapi/naming/property-names';
import { jsonEntry, successes } from '../../openapi/view/operation-bodies';
import { typesOf } from '../../openapi/view/schema-view';
import { examplesOf } from '../../payload/content-choice';
import { leadsBack } from '../../resources/actions/verb-effects';
import type { Binding } from '../../resources/model/binding';
import type { ResourceDescription } from '../../resources/model/resource';

const ANYTHING = new Set(['all', 'any', '*', 'everything']);

/** Is it a word for whatever value there is? */
function isWildcard(word: string): boolean {
  return ANYTHING.has(word.toLowerCase());
}

/**
 * Does the value of a filter mean whatever value? `state=all` wants items in every state, unless `all` is a state, or a
 * text that items may have.
 *
 * @param property - that the filter compares; `undefined` where it looks inside objects
 */
export function isWildcardValue(parameter: Parameter, property: Property | undefined, value: JsonValue): boolean {
  const [word, ...more]: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  if (typeof word !== 'string' || more.length > 0 || !isWildcard(word)) return false;
  const words = property?.schema['enum'];
  if (Array.isArray(words)) return !words.includes(word);
  const type = property?.schema['type'];
  return (type !== undefined && type !== 'string') || offers(parameter, word);
}

/** Does the parameter list the word, or its description quote it? */
function offers({ schema, items, description = '' }: Parameter, word: string): boolean {
  const listed = schema?.value['enum'] ?? items?.['enum'];
  if (Array.isArray(listed)) return listed.includes(word);
  return ['`', "'", '"'].some((quote) => description.includes(`${quote}${word}${quote}`));
}

/** Words in names of what only comes with trouble, or with an end. */
const TROUBLE_OR_END =
  /^(?:errors?|failures?|fail(?:ed|ing)?|faults?|incomplete|cancel\w*|clos(?:ed|ing|ure)|delet(?:ed|ion)|remov(?:ed|al)|archived?|ended|expired|completed|completion|finished|resolved|resolution|revoked|deactivated|suspended|suspension|rejected|rejection|declined?|refunded|refusal|locked|banned|disabled|merged|stopped|terminated|termination|paid|voided|abandoned|aborted|dismissed|trashed|returned|disputed?|delivered|shipped|fulfilled)$/;
const TRUE_FLAGS = new Set(['active', 'enabled', 'available']);
const FALSE_FLAGS = new Set(
  'deleted archived disabled closed locked canceled cancelled expired suspended blocked banned revoked trashed merged failed completed'.split(
    ' ',
  ),
);
/** What a thing is known by to its owner, and shown when it is made. */
const SECRETS = /^(?:secrets?|tokens?|apikey|apitoken|password)$/;
/** Last words of names of addresses. */
const ADDRESSES = new Set(['url', 'uri', 'href', 'permalink']);
/** Whose keys an item has from who makes it. */
const CALLERS = new Set(['account', 'owner', 'user', 'creator', 'author', 'organization', 'organisation', 'workspace']);
const KEYS = new Set(['id', 'sid', 'uuid', 'gid', 'guid']);

/** When something has ended: of what is planned, clients say it themselves. */
const END_TIME = /^(?:end (?:time|date|at)|date end)$/;

/** Does the name tell of trouble or an end: `last_error`, `canceled_at`, `failure_code`? */
export function indicatesErrorOrEnd(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => TROUBLE_OR_END.test(word)) || (words.length === 2 && END_TIME.test(words.join(' ')));
}

/** The truth value of a new item: `active` and `is_enabled` are true, `deleted` is false; `undefined` for others. */
export function flagOf(name: string): boolean | undefined {
  const words = wordsOf(name).filter((word) => word !== 'is');
  const [only] = words;
  if (only === undefined || words.length > 1) return undefined;
  if (TRUE_FLAGS.has(only)) return true;
  return FALSE_FLAGS.has(only) ? false : undefined;
}

/** Does a client look whether it is so, who says it: `archived`, `completed`, `is_deleted`? */
export function isEndFlag(name: string): boolean {
  return /^(?:is_?)?(?:archived|completed|deleted)$/i.test(name);
}

/** Does it say what kind of thing an item is: `type`, `object`? */
export function namesKind(name: string): boolean {
  return /^_?(?:type|object|kind|resource_?type|object_?type)$/i.test(name);
}

/** Is it a secret that is shown when it is made: `client_secret`, `token`, `key`? */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return (
    SECRETS.test(last) ||
    name.toLowerCase() === 'key' ||
    (last === 'key' && /^(?:api|secret|private|auth)$/.test(words.at(-2) ?? ''))
  );
}

/** Is it the key of who made the item: `owner_id`, `accountSid`? */
export function isCallerKey(name: string): boolean {
  const words = wordsOf(name);
  return words.length === 2 && CALLERS.has(words[0] ?? '') && KEYS.has(words[1] ?? '');
}

/** Is it an address that every client reads, whether it must be there or not? */
export function isAddress(name: string): boolean {
  const words = wordsOf(name);
  const [first = ''] = words;
  return ADDRESSES.has(words.at(-1) ?? '') && (words.length === 1 || /^(?:html|web|self|resource|api)$/.test(first));
}

/** Is it a list of what was computed, which clients index without looking? */
export function isResultList(name: string): boolean {
  return /^(?:choices|results?|output|outputs|candidates|predictions?|generations?|completions?|embeddings?|embedding|scores|answers|data|content|images?)$/i.test(
    name,
  );
}

/** Writes a time in the way in which a property holds times. @param nowMs - epoch milliseconds */
export type TimestampFormat = (nowMs: number) => JsonValue;

/**
 * Times as RFC 3339 (a property of plain text whose example or name says that it holds one too), as a date, or as seconds
 * or milliseconds since 1970; `undefined` for a property that holds no time.
 */
export function timestampFormat(property: Pick<Property, 'name' | 'schema'>): TimestampFormat | undefined {
  const { schema } = property;
  const types = typesOf(schema);
  if (types.includes('string')) return textTimestamp(schema);
  // Whatever format they name, numbers hold no text (OAS 3.0.3 §4.4: formats are of a type).
  if (!types.includes('integer') && !types.includes('number'))
    return schema['format'] === 'date-time' || schema['format'] === 'date' ? textTimestamp(schema) : undefined;
  return isInMilliseconds(property.name, schema) ? (nowMs) => nowMs : (nowMs) => Math.floor(nowMs / 1000);
}

function textTimestamp({
  format,
  description,
  example,
  pattern,
  enum: words,
}: Property['schema']): TimestampFormat | undefined {
  // Some write the format after whose service or language it is: `vendor-datetime`.
  if (/(?:^|-)date-?time$/i.test(textOf(format))) return (nowMs) => new Date(nowMs).toISOString();
  if (format === 'date') return (nowMs) => new Date(nowMs).toISOString().slice(0, 10);
  if (words !== undefined || pattern !== undefined) return undefined;
  if (/rfc[- ]?(?:2822|1123|822|7231)/i.test(`${textOf(format)} ${textOf(description)}`))
    return (nowMs) => new Date(nowMs).toUTCString().replace('GMT', '+0000');
  const isOther = format !== undefined || (typeof example === 'string' && !/^\d{4}-\d{2}-\d{2}T/.test(example));
  return isOther ? undefined : (nowMs) => new Date(nowMs).toISOString();
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** What a description says of how an item comes to be, beside the schema of the item. */
export interface CreationHints {
  /** Summary and description of the operation that makes it. */
  readonly texts: readonly string[];
  /** Properties that the body of that operation declares. */
  readonly sent: ReadonlyMap<string, Property>;
  /** The UUID that the service gives an item beside its key, where nothing is plainly called its id. */
  readonly ownId: string | undefined;
  /** Does its response hold what it worked out, so that nothing is under way any more? */
  readonly answersResult: boolean;
  /** The item of an example of its response. */
  example(): JsonObject | undefined;
  /** The values that actions give to a property, but for those that lead back: no item begins with one. */
  actionTargets(property: string): ReadonlySet<JsonValue>;
  /** Does the schema of the items say of no property that it must be there, so that leaving one out says nothing? */
  readonly isLoose: boolean;
  /** Is it a single record, which nothing makes? What actions switch on is off until then. */
  readonly isRecord: boolean;
  /** The words that a list of such items can be asked for by a parameter with the name of a property. */
  readonly filterValues: (member: string) => readonly string[];
}

/** Operations that answer what they worked out. */
const COMPUTES =
  /\b(?:generat|predict|complet|respon[ds]|comput|translat|transcri|classif|embed|analy[sz]|recogni|detect|moderat|search|rerank|summari|infer)\w*/i;

const NO_PROPERTIES: ReadonlyMap<string, Property> = new Map();

/** @param bindings - of the same resource, those of actions among them */
export function creationHints(api: ApiModel, binding: Binding, bindings: () => readonly Binding[]): CreationHints {
  const { operation, request, response, resource } = binding;
  const targets = once(() => {
    const values = new Map<string, Set<JsonValue>>();
    for (const { action } of bindings()) {
      if (action !== undefined && leadsBack(action.verb)) continue;
      for (const { property, value } of action?.assignments ?? [])
        values.set(property, (values.get(property) ?? new Set()).add(value));
    }
    return values;
  });
  const filters = once(() =>
    bindings().flatMap(({ behaviour, operation: other }) =>
      behaviour === 'list' ? other.parameters.filter((each) => each.in === 'query') : [],
    ),
  );
  const texts = [operation.summary, operation.description].filter((text) => text !== '');
  const sent = request?.item === undefined ? NO_PROPERTIES : api.propertiesOf(request.item);
  const results = [...resource.properties.values()].filter(({ name }) => isResultList(name) && !sent.has(name));
  return {
    texts,
    sent,
    ownId: ownIdOf(resource),
    answersResult: results.length > 0 && !operation.responses.has('202') && texts.some((text) => COMPUTES.test(text)),
    example: once(() => {
      if (response?.form !== 'item') return undefined;
      const bodies = successes(operation).flatMap(({ content }) => {
        const entry = jsonEntry(content);
        return entry === undefined ? [] : examplesOf(entry).map(({ value }) => valueAlong(value, response.path));
      });
      return bodies.find(isJsonObject);
    }),
    actionTargets: (property) => targets().get(property) ?? NO_VALUES,
    isLoose: isLoose(api, binding),
    isRecord: resource.kind === 'singleton',
    filterValues: (member) => enumOfFilters(filters(), member),
  };
}

/** The first id of its own, or UUID, that refers to nothing: `service_id` of things that clients know by an `external_id`. */
function ownIdOf({ name: thing, properties, key, references, scope }: ResourceDescription): string | undefined {
  const taken = new Set([
    key.name,
    ...references.map(({ property }) => property),
    ...scope.map(({ property }) => property),
  ]);
  const ids = [...properties.values()].filter(({ name }) => /^(?:id|uuid|guid)$/.test(wordsOf(name).at(-1) ?? ''));
  const isSure = !ids.some(({ name }) => wordsOf(name).length === 1);
  const isOwn = ({ name, schema }: Property): boolean => schema['format'] === 'uuid' || isKeyName(name, thing);
  return isSure ? ids.find((each) => isOwn(each) && !taken.has(each.name) && !isCallerKey(each.name))?.name : undefined;
}

/** A choice between several schemas says of each what the others may lack. */
function isLoose(api: ApiModel, { resource }: Binding): boolean {
  const own = [...api.propertiesOf(resource.schema).values()];
  return own.length > 0 && own.length === resource.properties.size && !own.some(({ required }) => required);
}

/** The words that parameters of this name list, but for those that mean whatever there is. */
function enumOfFilters(parameters: readonly Parameter[], property: string): string[] {
  return parameters
    .filter(({ name }) => name === property)
    .flatMap(({ schema }): readonly JsonValue[] => (Array.isArray(schema?.value['enum']) ? schema.value['enum'] : []))
    .filter((word): word is string => typeof word === 'string' && !isWildcard(word));
}

const NO_VALUES: ReadonlySet<JsonValue> = new Set();

/** Of an item that no operation made. */
export const NO_CREATION_HINTS: CreationHints = {
  texts: [],
  sent: NO_PROPERTIES,
  ownId: undefined,
  answersResult: false,
  example: () => undefined,
  actionTargets: () => NO_VALUES,
  isLoose: false,
  isRecord: false,
  filterValues: () => [],
};

import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { locatedPath, type MemberNames } from './member-names';

/** What a response says is wrong with a body. */
export interface Complaint {
  /** Properties that lead to what is wrong; `undefined` where the response does not say. */
  readonly path: readonly string[] | undefined;
  /** In the words of the response. */
  readonly text: string;
  /** Values that it lists as those that it takes. */
  readonly allowed: readonly JsonValue[];
}

/**
 * What an error body says is wrong with a request. It may say it in one of many ways: as the `errors` of problem details
 * (RFC 9457 §3, with pointers) or their `invalid-params` (RFC 7807 §3.2), as lists with `loc`, `field`, `path` or
 * `property`, as an object of messages by property, or in a sentence.
 *
 * @param answer - of JSON its value, else its text
 * @param sent - the body that was refused
 * @returns those that say where first; empty where nothing is said
 */
export function complaintsOf(answer: JsonValue | undefined, sent: JsonObject, names: MemberNames): Complaint[] {
  const found: Complaint[] = [];
  const sentences: string[] = [];
  visit(answer, false);
  const located = found.length > 0 ? found : sentences.flatMap((text) => inSentence(text, sent, names));
  const keys = located.map(({ path, text }) => JSON.stringify([path, text]));
  return located.filter((_, index) => keys.indexOf(keys[index] ?? '') === index).slice(0, MOST_COMPLAINTS);

  function visit(value: JsonValue | undefined, isContainer: boolean): void {
    if (typeof value === 'string') sentences.push(value.slice(0, LONGEST_TEXT));
    else if (Array.isArray(value)) for (const item of value.slice(0, MOST_COMPLAINTS)) visit(item, false);
    else if (isJsonObject(value)) visitObject(value, isContainer);
  }

  function visitObject(object: JsonObject, isContainer: boolean): void {
    const own = pathIn(object, names);
    if (own !== undefined) {
      found.push({ path: own.path, text: textsOf(object, own.by).join('; '), allowed: listsOf(object) });
      return;
    }
    for (const [name, inner] of Object.entries(object)) {
      const path = pathOfEntry(name, inner, isContainer);
      if (path !== undefined) found.push({ path, text: textsOf(inner).join('; '), allowed: listsOf(inner) });
      else if (!IGNORED.test(name)) visit(inner, CONTAINERS.test(name));
    }
  }

  /** Is that what is said of one property? Outside of what holds such things only a list of messages is. */
  function pathOfEntry(name: string, inner: JsonValue, isContainer: boolean): readonly string[] | undefined {
    const isList = Array.isArray(inner) && inner.length > 0 && inner.every((each) => typeof each === 'string');
    const isSaid = isList || (isContainer && textsOf(inner).length > 0);
    if (!isSaid || CONTAINERS.test(name) || (!isList && ENVELOPE.test(name))) return undefined;
    return isContainer && isList ? names.resolve([name], true) : names.find(name);
  }
}

/** More than that nobody reads. */
const MOST_COMPLAINTS = 12;
const LONGEST_TEXT = 2000;

/** Under these the names of properties stand with what is wrong with each. */
const CONTAINERS = /^(?:errors?|fields?|details?|violations?|invalid|validation[-_]?\w*|field[-_]?errors|messages?)$/i;
/** These say what the problem is, not what is wrong with it. */
const IGNORED =
  /^(?:type|instance|status|statusCode|timestamp|trace(?:[-_]?id)?|request[-_]?id|stack|help|docs?|documentation\w*)$/i;

const ENVELOPE = /^(?:message|msg|detail|title|code|status|type|reason|path|method)$/i;

/** What names the place in an entry of a list of errors, the clearest first. */
const LOCATORS = [
  'pointer',
  'instancePath',
  'dataPath',
  'loc',
  'location',
  'field',
  'path',
  'property',
  'propertyPath',
  'param',
  'parameter',
  'attribute',
  'member',
  'key',
  'target',
  'name',
] as const;

interface OwnPath {
  readonly path: readonly string[];
  /** Name of the property that says it. */
  readonly by: string;
}

function pathIn(object: JsonObject, names: MemberNames): OwnPath | undefined {
  const { source } = object;
  // `{ "source": { "pointer": "/data/attributes/name" } }` of JSON:API.
  const inner = isJsonObject(source) ? pathIn(source, names) : undefined;
  if (inner !== undefined) return { path: inner.path, by: 'source' };
  if (textsOf(object).length === 0) return undefined;
  for (const by of LOCATORS) {
    const located = Object.hasOwn(object, by) ? placeOf(by, object[by] ?? null) : undefined;
    if (located === undefined) continue;
    const missing = missingIn(object);
    const isSure = STRUCTURED.has(by) || REQUIRED_WORDS.test(textsOf(object, by).join(' '));
    const path = names.resolve(missing === undefined ? located : [...located, missing], isSure);
    if (path !== undefined) return { path, by };
  }
  return undefined;
}

/** An empty pointer is the whole body (RFC 6901 §5). */
function placeOf(by: string, value: JsonValue): readonly string[] | undefined {
  return value === '' && STRUCTURED.has(by) ? [] : locatedPath(value);
}

/** These name a place of the body even where the description knows no such property. */
const STRUCTURED: ReadonlySet<string> = new Set([
  'pointer',
  'instancePath',
  'dataPath',
  'loc',
  'field',
  'propertyPath',
]);

/** Validators of JSON Schema point at the object that lacks a property, and name that beside it. */
function missingIn({ params }: JsonObject): string | undefined {
  const name = isJsonObject(params) ? (params['missingProperty'] ?? params['additionalProperty']) : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** All texts of a value but those of one property. */
function textsOf(value: JsonValue | undefined, without?: string): string[] {
  if (typeof value === 'string') return [value.slice(0, LONGEST_TEXT)];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === without || VALUES.test(name) ? [] : textsOf(inner),
  );
}

/** What was sent, which the message repeats. */
const VALUES = /^(?:value|input|rejectedValue|invalidValue|url|docs?|help|source|origin|location|in)$/i;

/** The lists of what is taken, under whatever name. */
function listsOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap(listsOf);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isList =
      Array.isArray(inner) && /allowed|enum|permitted|options|choices|expected|valid|supported/i.test(name);
    return isList ? inner.filter((each) => typeof each !== 'object') : isJsonObject(inner) ? listsOf(inner) : [];
  });
}

/** Says that something has to be there. */
const REQUIRED_WORDS =
  /requir|missing|not present|must be (?:present|given|provided|set)|mandatory|blank|needed|absent/i;

/** `origin: is required`, `missing field origin`. */
const REQUIRED_NAME =
  /(?:^|[;,.]\s*)([A-Za-z_][\w-]*):?\s+(?:(?:is|was|are)\s+)?(?:a\s+)?(?:required|missing|mandatory|not present)\b|\b(?:missing|required)\s+(?:required\s+)?(?:field|property|parameter|attribute|key|member):?\s+([A-Za-z_][\w-]*)/gi;
/** These stand there without being a name. */
const NO_NAME =
  /^(?:field|property|parameter|attribute|key|value|it|this|body|request|input|something|data|payload|which|that)$/i;

/** What a sentence is about: a property that it quotes, one whose value it repeats, or one that it names. */
function inSentence(text: string, sent: JsonObject, names: MemberNames): Complaint[] {
  const quoted = [...text.matchAll(/["'`“”‘’«]([\w.\-[\]/]+)["'`“”‘’»]/g)].map(([, word = '']) => word);
  const ofNames = quoted.flatMap((word) => maybe(names.find(word)));
  const ofValues = names.sentAs(text, sent);
  const isMissing = REQUIRED_WORDS.test(text);
  const hidden = isMissing && ofNames.length === 0 ? quoted.filter((word) => /^[A-Za-z_][\w-]*$/.test(word)) : [];
  const named = isMissing ? names.allIn(text) : names.allIn(text).slice(0, 1);
  const unknown = isMissing ? [...text.matchAll(REQUIRED_NAME)].flatMap(([, one, other]) => maybe(one ?? other)) : [];
  const choices = [
    ofNames,
    ofValues === undefined ? [] : [ofValues],
    names.below(hidden),
    named,
    names.below(unknown.filter((word) => !NO_NAME.test(word))),
  ];
  const paths = choices.find((each) => each.length > 0) ?? [];
  // Of values that are listed, the property is named before them.
  const own = isMissing ? paths : paths.slice(0, 1);
  return (own.length === 0 ? [undefined] : own).map((path) => ({ path, text, allowed: [] }));
}

function maybe<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}

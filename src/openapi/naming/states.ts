import { isJsonNumber } from '../../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { wordsOf } from '../../core/text/inflection';
import { type SchemaObject, stringItems } from '../../schema/schema-object';
import type { Operation, Property } from '../model/operation';
import { METADATA_NAMES } from './property-names';
import { type SchemaView, typesOf } from '../view/schema-view';

/** How far a thing has come that is in a state: it begins, is in use, is under way, or has ended, well or not. */
type Stage = 'beginning' | 'use' | 'unknown' | 'way' | 'end';

/** Properties that hold a state. */
const STATE_NAMES = new Set(['status', 'state', 'phase', 'stage', 'lifecycle', 'condition']);

/** Stems of words for what has come to its end, or into trouble. */
const ENDS =
  /^(?:cancel|expir|delet|remov|destroy|terminat|fail|fault|error|broken|crash|dead|lost|clos|complet|finish|done$|end(?:ed|ing)?$|stop|succe(?:ed|ss)|reject|declin|den(?:y|ied)|refus|revok|archiv|abandon|abort|disabl|inactiv|deactivat|void|refund|resolv|solved|suspend|block|ban(?:ned)?$|paus|lock|overdue|past$|uncollect|unavailable|offline|unhealthy|degraded|down$|off$|merged|paid|deliver|undeliver|sold$|shipped|skipp|time(?:d|out)|obsolete|deprecat|retired|withdr|laps|invalid|disconnect|unsubscrib|bounc|spam|dismiss|won$|fulfil|returned|disput|charge(?:back|d)|busy|silenced|hidden|trash|churn|settled|captured|accepted|approved|exit|unreach|unknown|gone|conflict|warn|critical|bad$|poor|absent|missing|stale|limit|exceed|maxed|exhaust)/;
/** Stems of words for what has only begun. */
const BEGINNINGS =
  /^(?:new$|draft|creat|initial|unstarted|open$|opened|todo$|backlog|queue|enqueue|pending|request|submit|receiv|schedul|wait|await|requir|incomplete|unpaid|unconfirmed|unverified|unread|unassigned|unfulfilled|provision|starting|prepar|regist|placed|plann|propos|inbox|triage|invited|uninit|ordered|initiat|not$|unresolved|unsent|untriaged|unpublished|uploading)/;
/** Words for what is as it should be. */
const IN_USE =
  /^(?:activ|enabled?$|availab|live$|running|ready$|online$|up$|ok$|okay$|healthy|valid$|normal|on$|publish|current|visible|public|good$|connect|trial|operational|open|working|started|standard|default|confirmed|verified|redeemable|usable)/;
/** Words for what is being done. */
const UNDER_WAY =
  /^(?:process|progress|in$|send|build|deploy|doing|ongoing|updat|partial|syncing|migrat|restart|sent$)/;

/** Is it a property that holds a state, such as `status` and `payment_status`? */
export function isStateName(name: string): boolean {
  return STATE_NAMES.has(wordsOf(name).at(-1) ?? '');
}

/**
 * What a word for a state says by its stems: `requires_action` begins, `canceled` ends. One word for an end makes the
 * whole an end: `incomplete_expired`.
 */
export function stageOf(state: string): Stage {
  const words = wordsOf(state);
  const [first = ''] = words;
  // What is not yet, or not any more, is the contrary of the rest.
  if (first === 'not' || first === 'never') return words.includes('found') ? 'end' : 'beginning';
  if (words.some((word) => ENDS.test(word) && !BEGINNINGS.test(word))) return 'end';
  if (words.some((word) => BEGINNINGS.test(word))) return 'beginning';
  if (words.some((word) => IN_USE.test(word))) return 'use';
  return words.some((word) => UNDER_WAY.test(word)) ? 'way' : 'unknown';
}

/** Do the words speak of how something goes from its beginning to its end? */
export function areStates(words: readonly string[]): boolean {
  const stages = new Set(words.map(stageOf));
  return stages.has('end') && (stages.has('beginning') || stages.has('use'));
}

const ORDER: readonly Stage[] = ['beginning', 'use', 'unknown', 'way'];

/**
 * The states in which a new thing may be, the likeliest first: what begins before what is in use, an end never.
 *
 * @param words - in the order in which they are lived through, as far as that is known
 */
export function initialStatesAmong(words: readonly string[]): string[] {
  return ORDER.flatMap((stage) => words.filter((word) => stageOf(word) === stage));
}

/** Phrases after which a description names what something is at first. */
const AT_FIRST =
  /\b(?:initial(?:ly| status| state| value)?|default(?:s|ed)?(?: value| status| state)?(?: is| to)?|by default|starts?(?: out)?(?: as| in| with)|begins?(?: as| in| with)|newly[ -]created|when (?:first |it is )?created|(?:up)?on creation|after (?:creation|being created)|first created|just created|new \w+ (?:is|are|has|have|starts?))\b(?<told>[^.;\n]{0,100})/gi;
/** The same before the phrase: `pending` by default. */
const FIRST_BEFORE =
  /(?<told>[^.;,\n(]{0,40})\s\(?(?:by default|initially|is the default|when (?:first )?created|(?:up)?on creation|\(default\))/gi;
/** `Creates a draft invoice`, `opened in the pending state`. */
const MAKES_A =
  /\b(?:creat|add|plac|open|submit|start|mak|schedul)\w*\s+(?:an?|the|this|your)\s+(?:new\s+)?[`'"]?(?<told>[\w-]+)|\b(?:in|with)(?: the| an?| its)?(?: status| state)?(?: of| set to)?(?<then>\s+[`'"<]?[^.;,\n]{1,30})\s+(?:status|state)\b/gi;

/**
 * The word of several that texts of a description say something has at first: "Initially `pending`", "defaults to open",
 * "creates a draft invoice".
 *
 * @param property - what is said of the property that holds it
 * @param creation - what is said of the operation that makes the thing
 */
export function documentedInitialState(
  words: readonly string[],
  property: readonly string[],
  creation: readonly string[],
): string | undefined {
  for (const text of property) {
    const found = afterPhrase(words, text, AT_FIRST) ?? afterPhrase(words, text, FIRST_BEFORE);
    if (found !== undefined) return found;
  }
  for (const text of creation) {
    const found = afterPhrase(words, text, MAKES_A);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A truth value that a text says a property has at first. */
export function documentedInitialFlag(text: string): boolean | undefined {
  const found = afterPhrase(['true', 'false'], text, AT_FIRST);
  return found === undefined ? undefined : found === 'true';
}

/** Words for states that a text names in quotes or capitals, where no enum lists them; else the one of its example. */
export function statesInProse(name: string, schema: SchemaObject): string[] {
  if (!isStateName(name) || !typesOf(schema).includes('string') || schema['format'] !== undefined) return [];
  const { description: text, example } = schema;
  const told = typeof text === 'string' ? text : '';
  for (const pattern of [/[`'"“‘]([A-Za-z][\w-]{1,30})[`'"”’]/g, /\b([A-Z][A-Z_]{2,30})\b/g]) {
    const words = [...new Set([...told.matchAll(pattern)].map(([, word = '']) => word))];
    if (words.length > 1) return words;
  }
  return typeof example === 'string' && stageOf(example) !== 'end' ? [example] : [];
}

/** Words in the order in which a text names them, if it names them all; else as they are. */
export function orderedByText(words: readonly string[], texts: readonly string[]): readonly string[] {
  for (const text of texts) {
    const places = words.map((word) => wordPosition(word, text));
    if (places.includes(-1)) continue;
    return words
      .map((word, index) => ({ word, place: places[index] ?? 0 }))
      .sort((left, right) => left.place - right.place)
      .map(({ word }) => word);
  }
  return words;
}

function afterPhrase(words: readonly string[], text: string, phrase: RegExp): string | undefined {
  for (const { groups } of text.matchAll(phrase)) {
    const told = groups?.['told'] ?? groups?.['then'] ?? '';
    const found = words
      .map((word) => ({ word, place: wordPosition(word, told) }))
      .filter(({ place }) => place !== -1)
      .sort((left, right) => left.place - right.place || right.word.length - left.word.length)[0];
    if (found !== undefined) return found.word;
  }
  return undefined;
}

/** Where a text has a word as a whole; -1 where it has not. A word of several, `in_progress`, may be written apart. */
export function wordPosition(word: string, text: string): number {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/[_-]/g, '[ _-]');
  return text.search(new RegExp(String.raw`(?<![\w-])${escaped}(?![\w-])`, 'i'));
}

/** A property of items that is an object and holds their state: `state: { status, running }`. */
interface StateObject {
  readonly name: string;
  readonly properties: ReadonlyMap<string, Property>;
}

/** The parts of an item that hold its state. */
export function stateObjects(properties: ReadonlyMap<string, Property>, view: SchemaView): StateObject[] {
  return [...properties.values()].flatMap((property): StateObject[] => {
    const inner = isStateName(property.name) ? view.schemaOf(property) : undefined;
    const own = inner === undefined ? undefined : view.properties(inner);
    return own === undefined || own.size === 0 ? [] : [{ name: property.name, properties: own }];
  });
}

/** A state with the flags beside it that name one of its words: `running` is true where it is `running`, else false. */
export function withFlags(part: StateObject, property: string, word: string): JsonObject {
  const listed = part.properties.get(property)?.schema['enum'];
  const words = new Set(
    (Array.isArray(listed) ? listed : [word]).map((each) => (typeof each === 'string' ? wordsOf(each).join('') : '')),
  );
  const flags = [...part.properties.values()].flatMap(({ name, schema }): [string, boolean][] => {
    const meant = wordsOf(name)
      .filter((each) => each !== 'is')
      .join('');
    const isFlag = typesOf(schema).includes('boolean') && words.has(meant);
    return isFlag ? [[name, meant === wordsOf(word).join('')]] : [];
  });
  return { ...Object.fromEntries(flags), [property]: word };
}

/** How something tells how far work has come. */
export interface TaskProgress {
  /** Property that holds the state. */
  readonly state: string;
  /** Its first word, and the one after which all went well; truth values where it only tells whether the work is done. */
  readonly first: string | false;
  readonly last: string | true;
}

const GOOD = /^(?:succe|complet|finish|done$|processed$)/i;
const BAD = /fail|error|crash|fault/i;
/** What work is called that is asked for and then done. */
const TASK_NAMES = /(?:^| )(?:action|operation|command|task)$/;
const DONE = /^(?:is_?)?(?:done|finished|completed?)$/i;

/** The first word that says that all went well, `COMPLETE`; `undefined` where none does. */
export function successWordAmong(words: readonly string[]): string | undefined {
  return words.find((word) => GOOD.test(word)) ?? words.find((word) => /^ok(?:ay)?$/i.test(word));
}

/** Is something with this name, in the singular, work that is asked for? */
export function isTaskName(name: string): boolean {
  return TASK_NAMES.test(name);
}

/**
 * How items tell how far work has come: by states that lead to success or to failure, or, as operations do, by nothing but
 * a truth value beside an error, `{ name, done, error }`.
 *
 * @param name - what an item is called: `task`
 */
export function taskProgress(
  view: SchemaView,
  properties: ReadonlyMap<string, Property>,
  name: string,
): TaskProgress | undefined {
  for (const property of properties.values()) {
    const words = isStateName(property.name) ? stateWordsOf(view, property) : [];
    const [first] = initialStatesAmong(words);
    const last = words.find((word) => GOOD.test(word));
    const mayFail = words.some((word) => BAD.test(word) && stageOf(word) === 'end');
    if (first !== undefined && last !== undefined && mayFail) return { state: property.name, first, last };
  }
  const members = [...properties.values()];
  const flag = members.find((each) => DONE.test(each.name) && typesOf(each.schema).includes('boolean'));
  const isTold = isTaskName(name) && flag !== undefined && members.some((each) => BAD.test(each.name));
  return isTold ? { state: flag.name, first: false, last: true } : undefined;
}

/** The words that a property lists for a state, in an enum, beside it, or in prose. */
export function stateWordsOf(view: SchemaView, property: Property): string[] {
  const { enum: listed } = view.schemaOf(property)?.value ?? property.schema;
  if (Array.isArray(listed)) return stringItems(listed);
  const beside = view.enumOfNamedSchema(property);
  return beside.length > 0 ? beside : statesInProse(property.name, property.schema);
}

/** Words for what was removed, as names of marks and as values of a state. */
const GONE =
  /^(?:is)?(?:soft)?(?:deleted|removed|destroyed|trashed|purged|archived|expired|revoked)(?:at|on|time|date)?$/;
/** Further words for an end, as values of a state. */
const ENDED: ReadonlySet<string> = new Set([
  'inactive',
  'deactivated',
  'disabled',
  'cancelled',
  'canceled',
  'terminated',
]);
const PLAIN_STATE_NAMES: ReadonlySet<string> = new Set(['status', 'state', 'lifecycle', 'lifecyclestate', 'phase']);

/**
 * Many a service keeps what was removed and says so: by `deleted: true`, `deletedAt` with a time, or a status
 * that is a word for it. In an envelope as well. To be asked only after a removal got a success.
 *
 * @param removal - what removes it: a word for an end that its texts have is one for what was removed ("kept with status
 *   closed")
 */
export function isMarkedDeleted(body: JsonValue | undefined, removal?: Operation): boolean {
  if (body === undefined || !isJsonObject(body)) return false;
  const properties = Object.entries(body);
  const [only, ...others] = properties.filter(([name]) => !METADATA_NAMES.test(wordsOf(name).join('')));
  const isWrapped = others.length === 0 && only !== undefined && isJsonObject(only[1]);
  if (isWrapped && isMarkedDeleted(only[1], removal)) return true;
  return properties.some(([name, value]) => {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
    if (GONE.test(plain)) return value === true || (typeof value === 'string' && value !== '') || isJsonNumber(value);
    if (value === false && /^(?:is)?(?:active|enabled)$/.test(plain)) return saysSwitchedOff(removal);
    if (!PLAIN_STATE_NAMES.has(plain)) return false;
    return isJsonObject(value) ? isMarkedDeleted(value, removal) : isEndWord(value) || isToldEnd(value, removal);
  });
}

/** Does a removal say that what it removes is off, and stays? */
function saysSwitchedOff(removal: Operation | undefined): boolean {
  return removal !== undefined && /\b(?:deactivat|disabl)/i.test(`${removal.summary} ${removal.description}`);
}

function isToldEnd(value: JsonValue, removal: Operation | undefined): boolean {
  if (removal === undefined || typeof value !== 'string' || stageOf(value) !== 'end') return false;
  const { summary, description, responses } = removal;
  const texts = [summary, description, ...[...responses.values()].map((response) => response.description)];
  const stem = value
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/e?d$/, '');
  return stem.length > 3 && new RegExp(`\\b${stem}`, 'i').test(texts.join(' '));
}

/** Is a property one by which items say that they were removed: by its name, or as a state with a word for it? */
export function isRemovalMark(name: string, { enum: values }: SchemaObject): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (GONE.test(plain)) return !/expired|revoked/.test(plain);
  const words = PLAIN_STATE_NAMES.has(plain) && Array.isArray(values) ? values : [];
  return words.some((word) => typeof word === 'string' && /^(?:deleted|archived|removed)$/i.test(word));
}

function isEndWord(value: JsonValue): boolean {
  if (typeof value !== 'string') return false;
  const word = value.toLowerCase().replaceAll(/[^a-z]/g, '');
  return GONE.test(word) || ENDED.has(word);
}

import { foldedName, singularWords, wordsOf } from '../../core/text/inflection';
import type { SchemaObject } from '../../schema/schema-object';
import type { Property } from '../model/operation';
import { typesOf } from '../view/schema-view';

const MADE = new Set(['created', 'create', 'creation', 'inserted', 'insertion', 'registered', 'registration', 'added']);
const CHANGED = new Set(['updated', 'update', 'modified', 'modification', 'changed', 'change']);
/** Words that say that a name is that of a time. */
const OF_TIME = new Set(['at', 'on', 'date', 'time', 'datetime', 'timestamp', 'ts', 'utc', 'epoch', 'ms', 'millis']);

/** Properties that stand beside a wrapped item. */
export const METADATA_NAMES =
  /^_?(?:meta|metadata|links?|included|jsonapi|success|ok|status|code|message|errors?|failed|failures?|version|timestamp|requestid|warnings|time|(?:cache)?ts|took|duration|elapsed|usage)$/;

/** Does a property tell when an item was made: `created`, `date_created`, `creationTimestamp`? */
export function isCreationTimeName(name: string): boolean {
  return isTimeOf(name, MADE);
}

/** Does it tell when the item was changed last: `updated_at`, `lastModified`, `dateUpdated`? */
export function isUpdateTimeName(name: string): boolean {
  return isTimeOf(name, CHANGED);
}

/** A noun or an infinitive alone is not a time: `update`, `creation`. */
function isTimeOf(name: string, stems: ReadonlySet<string>): boolean {
  const words = wordsOf(name);
  const stem = words.find((word) => stems.has(word));
  const others = words.filter((word) => word !== stem);
  if (stem === undefined || !others.every((word) => OF_TIME.has(word) || word === 'last')) return false;
  return others.length > 0 ? true : stem.endsWith('ed');
}

/** Does a name mean the key of a thing? `id`, `thing_id`, `thingKey` and `thing` name one of `things`. */
export function isKeyName(name: string, thing: string): boolean {
  const noun = singularWords(thing.split('.').at(-1) ?? thing).join('');
  const folded = foldedName(name);
  const isOwn = ['', 'id', 'key', 'uuid', 'name', 'number', 'token'].some((ending) => folded === `${noun}${ending}`);
  return isOwn || ['id', 'pk', 'key', 'uuid', 'number'].includes(folded);
}

/** The same of a response, which may have a word of its own for the key of what it shows. */
export function isKeyNameInResponse(name: string, thing: string): boolean {
  return name === 'uid' || isKeyName(name, thing);
}

/** What a description says of a property that tells what kind of thing an object is. */
const KIND_PHRASE = /\b(?:kind|type|name|class)\b[^.]{0,80}\b(?:resource|object|entity|schema)\b/i;

/**
 * What an object says of its kind where its description only says that it does so, "the REST resource this object
 * represents": the name of its schema, `BoxList` of `example.boxes.v1.BoxList`; `undefined` where that is not said.
 *
 * @param schema - JSON pointer of the schema of the object
 */
export function kindOfSchema({ name, schema }: Property, pointer: string): string | undefined {
  const said = schema['description'];
  const isPlain = schema['enum'] === undefined && schema['const'] === undefined && schema['default'] === undefined;
  if (!/^_?kind$/i.test(name) || !isPlain || !typesOf(schema).includes('string')) return undefined;
  if (typeof said !== 'string' || !KIND_PHRASE.test(said)) return undefined;
  const [, thing] = /^\/(?:components\/schemas|definitions)\/(?:[^/]*\.)?([A-Za-z]\w*)$/.exec(pointer) ?? [];
  return thing;
}

/** What a description says of a property that tells in which version of a schema an object is written. */
const VERSION_PHRASE = /\bversion(?:ed)?\b[^.]{0,60}\b(?:schema|representation)\b/i;

/** Does a property speak of the schema of an object, and not of the thing that it shows: its kind, its version? */
export function isSchemaMetadata(property: Property, pointer: string): boolean {
  const { name, schema } = property;
  const said = schema['description'];
  const isVersion = /^(?:api|schema)_?version$/i.test(name) && typeof said === 'string' && VERSION_PHRASE.test(said);
  return isVersion || kindOfSchema(property, pointer) !== undefined;
}

const KIND = /^(?:the )?(?:object|resource|item|entity)(?: |'s )type: ["'`“](\w+)["'`”]\W*$/i;
/** "always `refund`", "a string with value 'ref'", "which is always the string "list"". */
const ALWAYS =
  /\b(?:always(?: be| is| has| contains?)?(?: (?:set|equal) to)?|(?:with|has|have)(?: the)? (?:fixed |constant )?value(?: of)?)(?: the)?(?: (?:string|value|literal|word|constant))?:? (["'`“‘])([\w.:/#-]+)["'`”’]/i;
/** "Will always be Ref." */
const ALWAYS_BARE = /\balways be (\w+)\.?$/i;
/** Where a property stands that says what type its object is of: what the schema of that object is called. */
const TYPE_PLACE =
  /^\/(?:components\/schemas|definitions)\/(?:[^/]*\.)?([A-Za-z]\w*?)(?:_?(?:read_?only|read|response|output|dto|model))?(?:\/allOf\/\d+)?\/properties\/_?object(?:_?type)?$/i;
/** Words of a text that names a value for some cases only. */
const CONDITION = /\b(?:if|when|unless|or|except|otherwise|default|only|not)\b/i;

/**
 * The one word that a text is reported to be: where its description says of what type an object is, `The object type:
 * "book"`, or what the text always is; `undefined` where the description names several, or a condition. An "object type"
 * of which nothing more is said is the name of the schema: `book_copy` of `BookCopy`.
 *
 * @param pointer - of the property
 */
export function literalInProse(schema: SchemaObject, pointer: string): string | undefined {
  const { description, title } = schema;
  if (!typesOf(schema).includes('string')) return undefined;
  const said = typeof description === 'string' ? description.trim() : '';
  const literal = KIND.exec(said)?.[1] ?? constantInProse(said) ?? ALWAYS_BARE.exec(said)?.[1];
  const isType = [said, title].some((text) => typeof text === 'string' && /^(?:the )?object type\.?$/i.test(text));
  return literal ?? (isType && isUntold(schema) ? typeOfPlace(pointer) : undefined);
}

function isUntold(schema: SchemaObject): boolean {
  return ['enum', 'const', 'default', 'example', 'examples', 'pattern'].every((word) => schema[word] === undefined);
}

function typeOfPlace(pointer: string): string | undefined {
  const [, thing] = TYPE_PLACE.exec(pointer) ?? [];
  return thing === undefined ? undefined : wordsOf(thing).join('_');
}

function constantInProse(text: string): string | undefined {
  const [, quote = '', word] = ALWAYS.exec(text) ?? [];
  const isOnly = word !== undefined && !CONDITION.test(text) && text.split(quote).length <= 3;
  return isOnly && !/^(?:null|true|false)$/.test(word) ? word : undefined;
}

/** Does a property of a message say which event it tells of? */
export function isEventTypeName(name: string): boolean {
  return /^(?:event|eventtype|eventname|type|topic|action|kind|name)$/.test(foldedName(name));
}

/** Is a property of a message the id of that message? */
export function isMessageIdName(name: string): boolean {
  return /^(?:id|eventid|messageid|deliveryid|uuid)$/.test(foldedName(name));
}

/** Numbers past this are milliseconds since 1970: as seconds they would lie in the year 5138. */
export const LEAST_MS = 1e11;

/** Does a property that tells a time as a number count milliseconds, by its name, its words, its format or its example? */
export function isInMilliseconds(name: string, { description, example, format }: SchemaObject): boolean {
  return (
    /millisecond|\bms\b/i.test(typeof description === 'string' ? description : '') ||
    /milli|[-_]ms$/.test(typeof format === 'string' ? format : '') ||
    wordsOf(name).some((word) => word === 'ms' || word === 'millis') ||
    (typeof example === 'number' && example > LEAST_MS)
  );
}

import { type JsonValue, ownProperty } from '../../core/json/json-value';
import { foldedName, wordsOf } from '../../core/text/inflection';
import { once } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Property, Schema } from '../../openapi/model/operation';
import { isCreationTimeName, isUpdateTimeName, literalInProse } from '../../openapi/naming/property-names';
import {
  areStates,
  documentedInitialFlag,
  documentedInitialState,
  initialStatesAmong,
  isStateName,
  orderedByText,
  stageOf,
  stateObjects,
  statesInProse,
  successWordAmong,
  withFlags,
} from '../../openapi/naming/states';
import { schemaOfItems } from '../../openapi/view/schema-shape';
import { viewOf, typesOf } from '../../openapi/view/schema-view';
import type { ItemDraft } from '../state/item';
import {
  type CreationHints,
  flagOf,
  indicatesErrorOrEnd,
  isAddress,
  isCallerKey,
  isEndFlag,
  isResultList,
  isSecretName,
  namesKind,
  timestampFormat,
} from './new-item-hints';
import type { SampleSchema } from './schema-fitting';

/** Properties that hold the name of an item as addresses have it. */
const SLUG = /^(?:slug|permalink)$/i;
/** Properties from which it is made. */
const NAMES = ['name', 'title', 'display_name', 'displayName'];

/** `night-shift` for the `slug` of what is named "Night Shift"; `undefined` for other properties, and without a name. */
export function slugFromName(property: string, item: ItemDraft): JsonValue | undefined {
  if (!SLUG.test(property)) return undefined;
  const name = NAMES.map((each) => ownProperty(item, each)).find((each) => typeof each === 'string');
  const slug =
    typeof name === 'string' ? wordsOf(name.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]+/gu, ' ')).join('-') : '';
  return slug === '' ? undefined : slug;
}

/**
 * Makes the value of a property of a new item.
 *
 * @param nowMs - epoch milliseconds; `undefined` for what nobody has made
 * @param ordinal - distinguishes items whose secrets and addresses differ
 */
export type MakeValue = (nowMs: number | undefined, ordinal: number) => JsonValue | undefined;

const COUNTER = /(?:count|counter|total|views|likes|stars|forks|size|number_of)$/i;
/**
 * How a property of a new item that nobody has set comes to its value: what is required must be there, and of the rest what
 * only the service sets and clients read. States begin at the beginning, what tells of an end is null, nothing is counted
 * yet, and times are now.
 */
export function initialValueMaker(
  api: ApiModel,
  property: Property,
  creation: CreationHints,
  sample: SampleSchema,
): MakeValue | undefined {
  const { name, required, pointer } = property;
  if (property.writeOnly) return undefined;
  const place = once(() => api.schemaAt(pointer));
  const sampled = (ordinal?: number): JsonValue | undefined => {
    const at = place();
    return at === undefined ? undefined : sample(at, ordinal, name);
  };
  if (isShown(property, creation)) return (_nowMs, ordinal) => sampled(ordinal);
  if (isIdentity(property, creation))
    return (_nowMs, ordinal) => {
      const value = sampled(ordinal);
      return typeof value === 'number' ? Math.floor(value) : value;
    };
  const isGood = (value: JsonValue): boolean => place()?.accepts(value, 'response') === true;
  const chosen = once((): JsonValue | undefined => {
    const told = documentedValues(api, property, creation).find(isGood);
    if (told !== undefined) return told;
    const counts = isCount(property, creation);
    if (!required && !counts && !isLooseFlag(property, creation)) return undefined;
    const results = (): JsonValue[] => resultsOf(api, property, place(), creation, sample);
    const usual = usualValues(property, counts, results).find(isGood);
    return usual === undefined ? sampled() : usual;
  });
  const clock = isCreationTimeName(name) || isUpdateTimeName(name) ? timestampFormat(property) : undefined;
  if (clock === undefined) return chosen;
  const isClockGood = once(() => isGood(clock(0)));
  return (nowMs) => (nowMs !== undefined && isClockGood() ? clock(nowMs) : chosen());
}

/** What a client may say of a new item and has not said is only generated where it must be there. */
function isOwn({ name, required, readOnly }: Property, { sent }: CreationHints): boolean {
  return required || readOnly || !sent.has(name);
}

/** Words for a secret that the service makes, or shows but once. */
const GENERATED =
  /\bgenerat|\b(?:only|but) once\b|\bnever (?:be shown )?again\b|\bnot (?:be )?(?:recoverable|retriev)/i;

/** Is it a secret or an address, which clients read whether it must be there or not? */
function isShown(property: Property, creation: CreationHints): boolean {
  const { name, schema, readOnly } = property;
  const isGenerated = isSecretName(name) && textsOf(schema).some((text) => GENERATED.test(text));
  const isRead = isSecretName(name) || isAddress(name) || (readOnly && isCallerKey(name));
  const isText = typesOf(schema).includes('string') && schema['const'] === undefined && schema['enum'] === undefined;
  return (
    isRead &&
    isText &&
    (isGenerated || isOwn(property, creation)) &&
    !(isCreationTimeName(name) || isUpdateTimeName(name))
  );
}

/**
 * Is it an id beside the key, by which clients distinguish items whether it must be there or not? What is called `id` is
 * given out by the service even where requests and responses have one schema.
 */
function isIdentity({ name, schema }: Property, { sent, ownId }: CreationHints): boolean {
  const isId = /^(?:id|uuid|guid)$/i.test(name);
  const isGiven = isId ? sent.get(name)?.required !== true : name === ownId && !sent.has(name);
  return isGiven && typesOf(schema).some((type) => type === 'integer' || type === 'number' || type === 'string');
}

function isCount(property: Property, creation: CreationHints): boolean {
  const { name, schema, required, readOnly } = property;
  const isSet = required || readOnly || isServices(property, creation);
  return isSet && typesOf(schema).includes('integer') && COUNTER.test(name);
}

/** A truth value that only the service sets, of items that say of no property that it must be there. */
function isLooseFlag(property: Property, creation: CreationHints): boolean {
  return isServices(property, creation) && typesOf(property.schema).includes('boolean');
}

/** Is it for the service alone to set, where the schema of the items says of nothing that it must be there? */
function isServices({ name }: Property, { isLoose, sent }: CreationHints): boolean {
  return isLoose && !sent.has(name);
}

/** What is known of the property, before what all new items have. */
function documentedValues(api: ApiModel, property: Property, creation: CreationHints): JsonValue[] {
  const { const: only } = property.schema;
  const isMine = isOwn(property, creation);
  return [
    ...(only === undefined || !property.required ? [] : [only]),
    ...(isMine ? onlyWord(property) : []),
    ...kindOf(property, creation),
    ...beginning(property, wordsOfState(api, property, creation), creation),
    ...(creation.sent.has(property.name) ? [] : nestedBeginning(api, property, creation)),
    ...(creation.isRecord && creation.actionTargets(property.name).has(true) ? [false] : flags(property, isMine)),
    ...(isMine && indicatesErrorOrEnd(property.name) ? [null] : []),
  ];
}

/** The one text that a property can have, unless it tells of an end. */
function onlyWord({ name, schema }: Property): JsonValue[] {
  const { const: only, enum: listed } = schema;
  const [word, ...others] = Array.isArray(listed) ? listed : [only];
  return typeof word === 'string' && others.length === 0 && !indicatesErrorOrEnd(name) ? [word] : [];
}

/** What a thing says that it is, where all of them say the same: the only word of an enum, or the name of its schema. */
function kindOf({ name, schema, pointer }: Property, { sent }: CreationHints): JsonValue[] {
  const told = literalInProse(schema, pointer);
  if (told !== undefined) return [told];
  if (!namesKind(name) || !typesOf(schema).includes('string')) return [];
  const listed = Array.isArray(schema['enum']) ? schema['enum'].filter((word) => word !== null && word !== '') : [];
  if (listed.length > 0) return listed.length === 1 ? listed : [];
  const thing = /\/(?:schemas|definitions)\/([^/]+)/.exec(pointer)?.[1] ?? '';
  const shown = [schema['default'], schema['example']].find((each) => typeof each === 'string' && each !== '');
  return typeof shown === 'string' && (isOwnKind(name, sent) || foldedName(thing).startsWith(foldedName(shown)))
    ? [shown]
    : [];
}

/** Does the service say by this property what kind of object an item is? */
function isOwnKind(name: string, sent: CreationHints['sent']): boolean {
  return /^_?object(?:_?type)?$/i.test(name) && !sent.has(name);
}

/** Values that say that nothing has happened yet, before one is generated. */
function usualValues({ schema }: Property, counts: boolean, results: () => JsonValue[]): JsonValue[] {
  const types = typesOf(schema);
  const listed = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const said = listed.filter((word) => typeof word !== 'string' || !NO_WORD.test(word));
  return [
    ...[...said, ...listed].slice(0, 1),
    ...(counts ? [0] : []),
    ...(types.includes('boolean') ? [false] : []),
    ...(types.includes('array') ? [...results(), []] : []),
    null,
  ];
}

/** The states in which a new item may be, the likeliest first: as is reported, as an example has it, by meaning. */
function beginning({ name, schema }: Property, listed: readonly string[], creation: CreationHints): JsonValue[] {
  const words = listed.length > 0 ? listed : statesInProse(name, schema);
  const isState = isStateName(name) || (areStates(words) && !indicatesErrorOrEnd(name));
  if (words.length === 0 || !isState) return [];
  const said = textsOf(schema, creation.sent.get(name)?.schema);
  const told = documentedInitialState(words, said, creation.texts);
  const lived = isSorted(words) ? orderedByText(words, said) : words;
  const byMeaning = initialStatesAmong(lived);
  const reached = creation.actionTargets(name);
  return [
    ...(told === undefined ? [] : [told]),
    ...(creation.answersResult ? [successWordAmong(lived) ?? []].flat() : []),
    ...shownBeginning(creation.example()?.[name], words),
    ...byMeaning.filter((word) => !reached.has(word)),
    ...byMeaning,
    // Where all are ends, as of what is done at once, a good one.
    ...lived.filter((word) => /succe|complet|done|ok|paid|deliver/i.test(word)),
  ];
}

/** The words that the property lists, else those of an enum that nothing refers to, else those that a list is asked for by. */
function wordsOfState(api: ApiModel, property: Property, { filterValues }: CreationHints): readonly string[] {
  const listed = wordsListed(api, property);
  const { name, schema } = property;
  if (listed.length > 0 || !isStateName(name) || !typesOf(schema).includes('string')) return listed;
  if (statesInProse(name, schema).length > 1) return [];
  const beside = viewOf(api).enumOfNamedSchema(property);
  return beside.length > 0 ? beside : filterValues(name);
}

/** The same of a state that stands in a part of its own, `state: { status, running }`. */
function nestedBeginning(api: ApiModel, property: Property, creation: CreationHints): JsonValue[] {
  return stateObjects(new Map([[property.name, property]]), viewOf(api)).flatMap((part) =>
    [...part.properties.values()].flatMap((property) => {
      const words = beginning(property, wordsOfState(api, property, creation), creation);
      return words.flatMap((word) => (typeof word === 'string' ? [withFlags(part, property.name, word)] : []));
    }),
  );
}

/** The words of an enum, also of one in a branch, as beside null. */
function wordsListed(api: ApiModel, { schema, pointer }: Property): string[] {
  const view = viewOf(api);
  const own = view.at({ value: schema, pointer });
  const branches = own === undefined ? [] : view.alternatives(own);
  return [schema, ...[own, ...branches].map((each) => each?.value)]
    .flatMap((each): readonly JsonValue[] => (Array.isArray(each?.['enum']) ? each['enum'] : []))
    .filter((word, index, all): word is string => typeof word === 'string' && all.indexOf(word) === index)
    .filter((word, _index, all) => all.length === 1 || !NO_WORD.test(word));
}

/** A word for that nothing is said. */
const NO_WORD = /(?:^|_)(?:unspecified|unknown|unrecognized|undefined)$/i;

function shownBeginning(example: JsonValue | undefined, words: readonly string[]): JsonValue[] {
  return typeof example === 'string' && words.includes(example) && stageOf(example) !== 'end' ? [example] : [];
}

/** @param isOwn - else it is for the client to say that something is closed */
function flags({ name, schema }: Property, isOwn: boolean): JsonValue[] {
  if (!typesOf(schema).includes('boolean')) return [];
  const meant = flagOf(name);
  const told = textsOf(schema)
    .map(documentedInitialFlag)
    .find((flag) => flag !== undefined);
  const flag = told ?? meant;
  return flag === undefined || (!flag && !isOwn && !isEndFlag(name)) ? [] : [flag];
}

/** One item of what an operation works out, which clients index; nothing for lists of what is stored. */
function resultsOf(
  api: ApiModel,
  { name }: Property,
  place: Schema | undefined,
  { answersResult, sent }: CreationHints,
  sample: SampleSchema,
): JsonValue[] {
  if (!isResultList(name) || sent.has(name) || place === undefined || !answersResult) return [];
  const items = schemaOfItems(api, place);
  const item = items === undefined ? undefined : sample(items);
  return item === undefined ? [] : [[item]];
}

function textsOf(...schemas: readonly (Property['schema'] | undefined)[]): string[] {
  return schemas.flatMap((schema) => (typeof schema?.['description'] === 'string' ? [schema['description']] : []));
}

function isSorted(words: readonly string[]): boolean {
  return words.every((word, index) => index === 0 || (words[index - 1] ?? '') <= word);
}

import { foldedName, singularWords, wordsOf } from '../core/text/inflection';
import { isSafe } from '../core/http/message';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import { successSchema } from '../openapi/view/operation-bodies';
import { viewOf } from '../openapi/view/schema-view';
import { samplerOf } from '../payload/sampler/sampler';
import type { SchemaNode } from '../payload/sampler/schema-node';
import { KEY_ENDINGS, tellOfKey } from '../resources/relations/references';
import { descriptionsOf } from './bodies';
import { nodeAlong } from './lessons';
import { findFirstKey, type ListedValue } from './path-values';
import { requestOf, type Subject } from './subject';

/** A property that names an entry of a catalogue: the code of a plan, a currency. */
export interface CatalogueReference {
  /** Properties that lead to it in the item. */
  readonly path: readonly string[];
  /** Path of the list. */
  readonly to: string;
  readonly form: 'key';
  readonly listed: ListedValue;
  /** By its name alone, which may as well be a word. */
  readonly isGuess: boolean;
}

/** The properties of a creation that name an entry of a catalogue for certain: by their words, or by the name of the list and its key. */
export function catalogueReferencesOf(api: ApiModel, subject: Subject): CatalogueReference[] {
  return (nodeIn(api, subject, [])?.properties ?? []).flatMap(({ name }) => {
    const found = catalogueOf(api, subject, [name]);
    return found === undefined || found.isGuess ? [] : [found];
  });
}

/** The one catalogue whose entry a property names; `undefined` where no list fits, or several do. */
export function catalogueOf(api: ApiModel, subject: Subject, path: readonly string[]): CatalogueReference | undefined {
  const { key, references } = subject.resource;
  const node = nodeIn(api, subject, path);
  const isKnown = path[0] === key.name || references.some(({ property }) => property === path[0]);
  if (node === undefined || node.values !== undefined || isKnown) return undefined;
  const found = cataloguesOf(api).flatMap((list) => referenceTo(api, list, path, node));
  return found.length === 1 ? found[0] : undefined;
}

function nodeIn(api: ApiModel, { create }: Subject, path: readonly string[]): SchemaNode | undefined {
  const schema = requestOf(create);
  return schema && nodeAlong(samplerOf(api).nodeOf(schema, 'request'), [...(create.request?.path ?? []), ...path]);
}

/** By what the description says of a property, else by its name: `plan_code` is the code of a plan, `plan` may be it. */
function referenceTo(api: ApiModel, list: Operation, path: readonly string[], node: SchemaNode): CatalogueReference[] {
  const name = path.at(-1) ?? '';
  const listed = findFirstKey(api, list, name);
  if (listed === undefined || !hasTypeOf(api, listed, node)) return [];
  const key = listed.within.at(-1) ?? '';
  const [noun, ending] = partsOf(name);
  const isTold = tellOfKey(descriptionsOf(node), listed.noun, key);
  const isCalled = noun === foldedName(listed.noun);
  const isKeyed = isCalled && ['id', wordsOf(key).at(-1)].includes(ending);
  return isTold || isCalled ? [{ path, to: list.path, form: 'key', listed, isGuess: !isTold && !isKeyed }] : [];
}

/** The two parts of a property's name: `plan` and `code` of `plan_code`. */
function partsOf(name: string): readonly [noun: string, ending: string] {
  const words = wordsOf(name);
  const ending = words.at(-1) ?? '';
  const hasEnding = words.length > 1 && KEY_ENDINGS.has(ending);
  return hasEnding ? [foldedName(words.slice(0, -1).join('_')), ending] : [foldedName(name), ''];
}

function hasTypeOf(api: ApiModel, { item, within }: ListedValue, { types }: SchemaNode): boolean {
  const type = types.join();
  const key = nodeAlong(samplerOf(api).nodeOf(item, 'response'), within);
  return /^(?:string|integer)$/.test(type) && key?.types.join() === type;
}

const CATALOGUES = new WeakMap<ApiModel, readonly Operation[]>();

/** Is the list at a path a catalogue? */
export function isCatalogueAt(api: ApiModel, path: string): boolean {
  return cataloguesOf(api).some((list) => list.path === path);
}

/** The lists of all that there is of a kind, such as plans or currencies, that clients can only read. */
function cataloguesOf(api: ApiModel): readonly Operation[] {
  const known = CATALOGUES.get(api) ?? api.operations.filter((operation) => isCatalogue(api, operation));
  CATALOGUES.set(api, known);
  return known;
}

/**
 * Kinds of entries that everybody shares. A request that names one changes nothing for others. Seats, articles and devices
 * are not among them: they can run out.
 */
const KINDS = new RegExp(
  `^(?:${[
    'plan tariff tier price rate tax vat currency country region language locale timezone zone unit measure size color',
    'colour (?:sub)?categor. genre type kind class role permission status priority severity reason template format',
    'brand method interval level grade edition flavor flavour skill species breed material industry theme option feature',
  ]
    .join(' ')
    .replaceAll(' ', '|')})$`,
);

/** Words in a path of what belongs to somebody, reaches people, costs money or can run out. */
const OTHERS =
  /payment|payout|card|account|customer|user|member|contact|recipient|message|mail|sms|device|hook|room|seat|ticket/i;

/** Properties of what can run out or belongs to somebody. */
const TAKEN = /^(?:e_?mail|phone|owner|balance|iban|stock|quantity|available|availability|remaining|capacity|left)/i;

function isCatalogue(api: ApiModel, list: Operation): boolean {
  const name = lastSegment(list);
  const isKind = KINDS.test(singularWords(name).at(-1) ?? '') && !OTHERS.test(list.path);
  if (list.method !== 'GET' || list.path.includes('{') || !isKind) return false;
  const view = viewOf(api);
  const item = findFirstKey(api, list, name)?.item;
  if (item === undefined || [...view.properties(item).keys()].some((each) => TAKEN.test(each))) return false;
  const isWritten = (operation: Operation): boolean =>
    operation.path.split('/').includes(name) || view.unwrap(successSchema(operation))?.pointer === item.pointer;
  return !api.operations.some((operation) => !isSafe(operation.method) && isWritten(operation));
}

function lastSegment({ path }: Operation): string {
  return path.split('/').findLast((segment) => segment !== '') ?? '';
}

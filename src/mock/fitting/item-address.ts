import { isJsonObject, type JsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { foldedName } from '../../core/text/inflection';
import type { Key } from '../../lists/sort-values';
import { parseTemplate, type PathTemplate } from '../../openapi/view/path-template';
import type { ResourceDescription, ScopeObject, ScopeVariable } from '../../resources/model/resource';
import { toKey } from '../rules/rules';
import type { Item, ItemDraft } from '../state/item';
import type { Resource } from '../state/prepared-resource';

/** What an example says of itself about where it lies. */
export type ShownScope =
  | { readonly kind: 'agreed'; /** `undefined` where it says nothing. */ readonly values: readonly (Key | undefined)[] }
  /** It names two places. */
  | { readonly kind: 'torn'; readonly variable: string; readonly values: readonly [Key, Key] };

/** One reading of an item: a value for each variable of the path that it tells. */
type ScopeEvidence = readonly (Key | undefined)[];

const NO_EVIDENCE: ScopeEvidence = [];

/** Properties by which an item shows its own address, folded. */
const ADDRESSES = new Set(['url', 'uri', 'href', 'self', 'selfurl', 'selflink', 'apiurl', 'resourceurl']);
/** Objects in which addresses stand (HAL §5, JSON:API 1.1 §5.1). */
const LINKS = ['_links', 'links'];
/** Properties by which an item shows its whole path among its kind, folded: `full_name: ada/emma`. */
export const FULL_NAMES: ReadonlySet<string> = new Set(['fullname', 'fullpath', 'qualifiedname', 'pathwithnamespace']);
const MAX_ADDRESS = 2_048;

/**
 * The values of the variables of a collection's path that an item of it shows: by properties of their names, by objects
 * that are named like what they mean, by its own address, and by its full name. Two that disagree are no evidence.
 *
 * @param key - of the item; `undefined` for a single record
 * @param resources - by path
 */
export function scopeShownIn(
  resource: ResourceDescription,
  item: JsonObject,
  key: Key | undefined,
  resources: ReadonlyMap<string, ResourceDescription>,
): ShownScope {
  const { scope } = resource;
  const claims = [
    scope.map(({ property }) => (property === undefined ? undefined : toKey(ownProperty(item, property)))),
    ...scope.map((variable, index) => claimOfHolder(variable, index, item, resources)),
    ...addressesOf(item).map((address) => claimOfAddress(resource, address, key)),
    ...fullNamesOf(item).map((name) => claimOfFullName(resource, name, key)),
  ];
  const values: (Key | undefined)[] = [];
  for (const [index, { name }] of scope.entries()) {
    const [first, ...others] = claims.flatMap((claim) => claim[index] ?? []);
    const other = others.find((value) => String(value) !== String(first));
    if (first !== undefined && other !== undefined) return { kind: 'torn', variable: name, values: [first, other] };
    values.push(first);
  }
  return { kind: 'agreed', values };
}

/** `owner: { login: ada }` for `{owner}`. What lies in a place itself tells of the outer variables as well. */
function claimOfHolder(
  { object, parent: path }: ScopeVariable,
  index: number,
  item: JsonObject,
  resources: ReadonlyMap<string, ResourceDescription>,
): ScopeEvidence {
  if (object === undefined) return NO_EVIDENCE;
  const { property, key, isParent } = object;
  const held = ownProperty(item, property);
  const value = isJsonObject(held) ? toKey(ownProperty(held, key)) : undefined;
  if (value === undefined || !isJsonObject(held)) return NO_EVIDENCE;
  const parent = path === undefined || !isParent ? undefined : resources.get(path);
  const above = parent?.scope.length === index ? scopeShownIn(parent, held, value, resources) : undefined;
  const outer: ScopeEvidence = above?.kind === 'agreed' ? above.values : Array.from({ length: index }, () => undefined);
  return [...outer, value];
}

function addressesOf(item: JsonObject): string[] {
  const linked = LINKS.flatMap((name) => {
    const self = objectOf(ownProperty(item, name))['self'];
    return [self, objectOf(self)['href']];
  });
  const own = Object.entries(item).flatMap(([name, value]) => (ADDRESSES.has(foldedName(name)) ? [value] : []));
  return [...own, ...linked].filter((value) => typeof value === 'string').filter(({ length }) => length <= MAX_ADDRESS);
}

/** The address of the item itself: its path ends as the template of items does, and its key is that of the item. */
function claimOfAddress(
  { path, itemPath, kind }: ResourceDescription,
  address: string,
  key: Key | undefined,
): ScopeEvidence {
  const template = templateOf(kind === 'singleton' ? path : itemPath);
  const values = template === undefined ? undefined : valuesAtEnd(template, stepsOf(address));
  if (values === undefined || kind === 'singleton') return values ?? NO_EVIDENCE;
  return values.pop() === String(key) ? values : NO_EVIDENCE;
}

/** Values of the variables of a template with which an address ends. One that begins with a variable ends too many. */
function valuesAtEnd({ segments }: PathTemplate, steps: readonly string[]): string[] | undefined {
  if (segments[0]?.kind !== 'literal' || steps.length < segments.length) return undefined;
  const end = steps.slice(steps.length - segments.length);
  const fits = segments.every((segment, index) => segment.kind === 'variable' || segment.text === end[index]);
  return fits ? end.filter((_step, index) => segments[index]?.kind === 'variable') : undefined;
}

function templateOf(path: string | undefined): PathTemplate | undefined {
  return path === undefined ? undefined : parseTemplate(path);
}

function stepsOf(address: string): string[] {
  if (!/^(?:https?:\/)?\//i.test(address) || !URL.canParse(address, 'http://localhost')) return [];
  try {
    const { pathname } = new URL(address, 'http://localhost');
    return pathname
      .split('/')
      .filter((step) => step !== '')
      .map(decodeURIComponent);
  } catch {
    // A percent sign that encodes nothing.
    return [];
  }
}

function fullNamesOf(item: JsonObject): string[] {
  return Object.entries(item).flatMap(([name, value]) =>
    typeof value === 'string' && FULL_NAMES.has(foldedName(name)) ? [value] : [],
  );
}

/** The values of all variables and the key, one behind the other. */
function claimOfFullName({ scope, kind }: ResourceDescription, name: string, key: Key | undefined): ScopeEvidence {
  const parts = name.split('/');
  const isWhole = kind === 'collection' && parts.length === scope.length + 1 && !parts.includes('');
  return isWhole && parts.pop() === String(key) ? parts : NO_EVIDENCE;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/**
 * What a property is to hold so that it shows what a variable of the path names: `owner: { login }` below `/repos/ada`.
 *
 * @param held - what is there
 * @param stored - the item that the variable names, where it is stored
 * @returns values of which the last one that fits is the best: what is there with the key of the path, the kept item;
 *   none where the property shows the key already
 */
export function parentObjectValues(
  { key, isParent }: ScopeObject,
  held: JsonValue | undefined,
  value: Key,
  stored: Item | undefined,
): JsonValue[] {
  const shown = isJsonObject(held) ? ownProperty(held, key) : undefined;
  if (shown !== undefined && scalarText(shown) === String(value)) return [];
  // What is not there may be made for that; what is there in another form, such as a link, stays.
  const around = isJsonObject(held) ? held : held === undefined || !isParent ? {} : undefined;
  const written = typeof shown === 'string' ? String(value) : value;
  const corrected = around === undefined ? [] : [{ ...around, [key]: written }];
  return stored === undefined || !isParent ? corrected : [...corrected, stored];
}

/** Path of the collection in which is stored what a variable names: the one above, else the one that its holder shows. */
export function parentCollectionOf(
  { references }: ResourceDescription,
  { parent, object }: ScopeVariable,
): string | undefined {
  return parent ?? references.find(({ property, form }) => form === 'embedded' && property === object?.property)?.to;
}

/**
 * Sets the property of an item that shows where it is found, `name: projects/a/secrets/b`, whatever was sent in it.
 *
 * @param values - of the variables of the collection's path
 */
export function showAddress(resource: Resource, values: readonly Key[], item: ItemDraft): void {
  const { address } = resource;
  const key = address === undefined ? undefined : resource.toKey(ownProperty(item, resource.keyMember));
  if (address === undefined || key === undefined) return;
  const shown = [...values, key].slice(address.from);
  let index = 0;
  const text = address.template.replaceAll(/\{[^{}]*\}/g, (variable) => String(shown[index++] ?? variable));
  setProperty(item, address.member, text);
}

import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { memberOf } from '../json/member';
import { foldedName } from '../resources/inflection';
import { parseTemplate, type PathTemplate } from '../resources/path-template';
import type { ResourceDescription, ScopeVariable } from '../resources/resource-model';
import type { Key } from './order';
import { toKey } from './rules';

/** What an example says of itself about where it lies. */
export type ShownScope =
  | { readonly kind: 'agreed'; /** `undefined` where it says nothing. */ readonly values: readonly (Key | undefined)[] }
  /** It names two places. */
  | { readonly kind: 'torn'; readonly variable: string; readonly values: readonly [Key, Key] };

/** One reading of an item: a value for each variable of the path that it tells. */
type Claim = readonly (Key | undefined)[];

const NO_CLAIM: Claim = [];

/** Members by which an item shows its own address, folded. */
const ADDRESSES = new Set(['url', 'uri', 'href', 'self', 'selfurl', 'selflink', 'apiurl', 'resourceurl']);
/** Objects in which addresses stand (HAL §5, JSON:API 1.1 §5.1). */
const LINKS = ['_links', 'links'];
/** Members by which an item shows its whole path among its kind, folded: `full_name: ada/emma`. */
export const FULL_NAMES: ReadonlySet<string> = new Set(['fullname', 'fullpath', 'qualifiedname', 'pathwithnamespace']);
/** An address is no longer than that. */
const MAX_ADDRESS = 2_048;

/**
 * The values of the variables of a collection's path that an item of it shows: by members of their names, by objects
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
    scope.map(({ member }) => (member === undefined ? undefined : toKey(memberOf(item, member)))),
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
  { holder, parent: path }: ScopeVariable,
  index: number,
  item: JsonObject,
  resources: ReadonlyMap<string, ResourceDescription>,
): Claim {
  if (holder === undefined) return NO_CLAIM;
  const { member, key, isThing } = holder;
  const held = memberOf(item, member);
  const value = isJsonObject(held) ? toKey(memberOf(held, key)) : undefined;
  if (value === undefined || !isJsonObject(held)) return NO_CLAIM;
  const parent = path === undefined || !isThing ? undefined : resources.get(path);
  const above = parent?.scope.length === index ? scopeShownIn(parent, held, value, resources) : undefined;
  const outer: Claim = above?.kind === 'agreed' ? above.values : Array.from({ length: index }, () => undefined);
  return [...outer, value];
}

function addressesOf(item: JsonObject): string[] {
  const linked = LINKS.flatMap((name) => {
    const self = objectOf(memberOf(item, name))['self'];
    return [self, objectOf(self)['href']];
  });
  const own = Object.entries(item).flatMap(([name, value]) => (ADDRESSES.has(foldedName(name)) ? [value] : []));
  return [...own, ...linked].filter((value) => typeof value === 'string').filter(({ length }) => length <= MAX_ADDRESS);
}

/** The address of the item itself: its path ends as the template of items does, and its key is that of the item. */
function claimOfAddress({ path, itemPath, kind }: ResourceDescription, address: string, key: Key | undefined): Claim {
  const template = templateOf(kind === 'singleton' ? path : itemPath);
  const values = template === undefined ? undefined : valuesAtEnd(template, stepsOf(address));
  if (values === undefined || kind === 'singleton') return values ?? NO_CLAIM;
  return values.pop() === String(key) ? values : NO_CLAIM;
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

/** Segments of the path of an address, decoded. */
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
function claimOfFullName({ scope, kind }: ResourceDescription, name: string, key: Key | undefined): Claim {
  const parts = name.split('/');
  const isWhole = kind === 'collection' && parts.length === scope.length + 1 && !parts.includes('');
  return isWhole && parts.pop() === String(key) ? parts : NO_CLAIM;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

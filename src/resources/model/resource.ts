import { escapePattern } from '../../core/text/escape-pattern';
import { memoize } from '../../core/text/memoize';
import type { Property, Schema } from '../../openapi/model/operation';

/** Something that was seen in the description and speaks for a conclusion. */
export interface Evidence {
  /** A sentence for people: `GET /things answers a list of Thing`. */
  readonly text: string;
  /** JSON pointer into the description. */
  readonly pointer: string;
}

/** `stated`: by a link, a hint or an override; the others by how much of what was seen agrees. */
export type Confidence = 'stated' | 'high' | 'medium' | 'low';

/** A collection of items, or a single record, that operations share. */
export interface ResourceDescription {
  /**
   * Path template of the collection, or of the single record. Names the resource everywhere: in fixtures, rules,
   * overrides and exported state.
   */
  readonly path: string;
  readonly kind: 'collection' | 'singleton';
  /** For people: `thing`. */
  readonly name: string;
  /** Path template of one item; `undefined` when the description has none, and for a single record. */
  readonly itemPath: string | undefined;
  /**
   * Variables of {@link path}, outermost first. Each combination of values has a collection (or record) of its own:
   * `/shelves/{shelfId}/books` of shelf 7 is stored apart from that of shelf 8, under the name `/shelves/7/books`.
   */
  readonly scope: readonly ScopeVariable[];
  /** What identifies an item in its collection; for a single record it is there too, and has no meaning. */
  readonly key: ItemKey;
  /** The property that the variable of its path means: `id` of `{thing_id}`, also where things are kept under a key from elsewhere. */
  readonly variableMeans?: string;
  /** The shape in which items are read; they are stored in it. */
  readonly schema: Schema;
  readonly properties: ReadonlyMap<string, Property>;
  /** Properties that items hold under `attributes`, where they are resource objects of JSON:API; else empty. */
  readonly attributes: ReadonlyMap<string, Property>;
  readonly references: readonly PropertyReference[];
  /** What items are related to, where they are resource objects of JSON:API; else empty. */
  readonly relationships: readonly Relationship[];
  /** Numbers in items that say how many there are of what lies below each; mostly there are none. */
  readonly counts: readonly ChildCount[];
  /** Lists in items that show what lies below each, or was put there; mostly there are none. */
  readonly lists: readonly ChildList[];
  /** Property that shows where the item is found, and what it shows; `undefined` where there is none. */
  readonly address: ItemAddress | undefined;
  /** Is all that is reported of it whether it is there? Then nothing is there before it is put there. */
  readonly isMembership: boolean;
  /**
   * Path of the collection whose items are put here under their own names: what is put at `/starred/{owner}/{thing}` is
   * what is stored at `/things/{owner}/{thing}`.
   */
  readonly itemsOf: string | undefined;
  readonly confidence: Confidence;
  readonly evidence: readonly Evidence[];
}

/** A variable of a path before the key. */
export interface ScopeVariable {
  /** As {@link ResourceDescription.path} names it; operations may call it otherwise. */
  readonly name: string;
  /** Path of the collection whose key the variable holds, when there is one: without such an item, 404. */
  readonly parent: string | undefined;
  /** Property of the items that shows the variable's value, when there is one: the mock fills it in. */
  readonly property: string | undefined;
  /** Property of the items that is an object and shows what the variable names, when there is one. */
  readonly object: ScopeObject | undefined;
}

/** `owner: { login }` for `{owner}`. */
export interface ScopeObject {
  readonly property: string;
  /** Property of that object whose value is the variable's. */
  readonly key: string;
  /** Is the object what the variable names, and not one that only tells of it, as `metadata: { namespace }` does? */
  readonly isParent: boolean;
}

/** What identifies an item. */
export interface ItemKey {
  /** Name of the property that holds it; `$key` when no property does. */
  readonly name: string;
  /** No property holds it: it is stored beside the declared properties and never sent. */
  readonly isHidden: boolean;
  /**
   * Properties that lead to where items show a key that no property of their own holds: `metadata`, `name`; else empty. The
   * key is stored beside the declared properties all the same, and the two always agree.
   */
  readonly propertyPath: readonly string[];
  /** What the description says of the property at the end of {@link propertyPath}. */
  readonly property: Property | undefined;
  /** May a client choose it when it creates an item? */
  readonly isClientChosen: boolean;
  /** The name under which it does, where that is another one than items have: `file_id`, `new_branch_name`. */
  readonly requestName?: string;
}

/** The name under which a key is stored that no property of the item holds. */
export const HIDDEN_KEY = '$key';

/** A property that holds the key of an item of another resource, or a list of such keys, or such an item itself. */
export interface PropertyReference {
  readonly property: string;
  /** {@link ResourceDescription.path} of the other resource. */
  readonly to: string;
  readonly form: 'key' | 'keys' | 'embedded' | 'embedded-list';
  readonly evidence: Evidence;
  /** By a name that may as well be a word: nobody says that what it names has to be there. */
  readonly isGuess?: boolean;
  /** The property beside it with the key or keys of what it shows, the schema of one, and the names of its properties. */
  readonly by?: { readonly property: string; readonly schema: Schema; readonly shows: readonly string[] };
  /** The property of those others that lists the keys of the items which name them here: `groups` of users, `users` of groups. */
  readonly inverse?: string;
}

/** A relationship of resource objects (JSON:API 1.1 §7.2.2.2). */
export interface Relationship {
  readonly name: string;
  /** {@link ResourceDescription.path} of what it leads to. */
  readonly to: string;
  /** The `type` in its linkage. */
  readonly type: string;
  readonly isToMany: boolean;
  /** Properties that lead to its linkage in a stored item. */
  readonly path: readonly [holder: string, ...rest: string[]];
  /** The relationship of those items that is the other end of this one; `undefined` where none plainly is. */
  readonly inverse: string | undefined;
  /** Do the words of the removal of an item say that what it is related to is removed with it? */
  readonly isRemovedWith: boolean;
}

/** `name: projects/a/secrets/b`, or an `id` that is the path. */
export interface ItemAddress {
  readonly member: string;
  /** The item's path, or the end of it, in the form that the property shows. */
  readonly template: string;
  /** The first variable of the path that the template has. */
  readonly from: number;
}

/** A number in items that says how many there are of what lies below each: `comments_count`. */
export interface ChildCount {
  /** Properties that lead to it: `comments_count`; `comments` and `total`. */
  readonly path: readonly string[];
  /** {@link ResourceDescription.path} of what is counted. */
  readonly child: string;
  /** Property by which those name the item that they belong to; `undefined` where they lie below it. */
  readonly by: string | undefined;
  /** State that those are in which are counted, `open_comments_count`; all are where it is left out. */
  readonly inState?: { readonly member: string; readonly word: string } | undefined;
  readonly evidence: Evidence;
}

/** A list in items that shows what is kept below each. */
export interface ChildList {
  readonly property: string;
  /** {@link ResourceDescription.path} of what is listed. */
  readonly child: string;
  /** Hidden property of those that lists where each was put; `undefined` where they lie below the item. */
  readonly by: string | undefined;
}

const VARIABLE = /\{[^{}]*\}/g;

/** A path template with its variables filled in, first to last; each value is percent-encoded as one segment. */
export function fillTemplate(template: string, values: readonly (string | number | bigint)[]): string {
  if (values.length === 0) return template;
  let text = '';
  for (const [index, piece] of piecesOf(template).entries()) {
    const value = index % 2 === 0 ? undefined : values[(index - 1) / 2];
    text += value === undefined ? piece : encodeURIComponent(String(value));
  }
  return text;
}

/** What stands between the variables of a template, and they themselves, by turns. */
const piecesOf = memoize((template) => template.split(/(\{[^{}]*\})/));

/** Where the name of a collection leads. */
export interface NamedCollection<Named> {
  readonly resource: Named;
  /** What stands in the place of the variables of its path, decoded. */
  readonly values: readonly string[];
}

/**
 * The resource that keeps its items under a name: `/books`, or `/shelves/7/books` for `/shelves/{shelfId}/books`.
 *
 * @returns `undefined` where no resource does; a path with variables that nothing fills names none
 */
export function parseCollectionName<Named extends Pick<ResourceDescription, 'path' | 'scope'>>(
  resources: readonly Named[],
  name: string,
): NamedCollection<Named> | undefined {
  // `/shelves/special/books` may be a path of its own beside `/shelves/{shelfId}/books`.
  const whole = resources.find(({ path, scope }) => scope.length === 0 && path === name);
  if (whole !== undefined) return { resource: whole, values: [] };
  for (const resource of resources) {
    const values = resource.scope.length === 0 ? undefined : namePattern(resource.path).exec(name)?.slice(1);
    const decoded = values?.map(decode);
    if (decoded?.every((value) => value !== undefined) === true) return { resource, values: decoded };
  }
  return undefined;
}

const PATTERNS = new Map<string, RegExp>();

/** Names of the collections of a resource: its path, with any value for each variable. */
export function namePattern(path: string): RegExp {
  let pattern = PATTERNS.get(path);
  if (pattern === undefined) {
    const literals = path.split(VARIABLE).map(escapePattern);
    PATTERNS.set(path, (pattern = new RegExp(`^${literals.join('([^/{}]+)')}$`)));
  }
  return pattern;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

import type { Operation, Property, Schema } from '../openapi/model';
import type { Action } from './action';
import type { ItemAddress } from './address';
import type { ChildCount } from './child-count';
import type { CreationMeaning } from './creation-meaning';
import type { PathTemplate } from './path-template';
import type { Elsewhere } from './reading';
import type { HeldThings } from './held-model';
import type { Part } from './part-model';
import type { ListParameters } from './list-model';

export type { Action, SetMember } from './action';
export type { HeldThings } from './held-model';
export type { Part } from './part-model';

/** Something that was seen in the description and speaks for a conclusion. */
export interface Evidence {
  /** A sentence for people: `GET /things answers a list of Thing`. */
  readonly text: string;
  /** JSON pointer into the description. */
  readonly pointer: string;
}

/** `stated`: by a link, a hint or an override; the others by how much of what was seen agrees. */
export type Confidence = 'stated' | 'high' | 'medium' | 'low';

/** What a description seems to keep, and what each of its operations does with it. */
export interface ResourceModel {
  /** In the order of their paths in the description. */
  readonly resources: readonly ResourceDescription[];
  readonly bindings: ReadonlyMap<Operation, Binding>;
  /** The place that an operation is about, in plain words: see {@link Reading}. */
  readonly templateOf: (operation: Operation) => PathTemplate | undefined;
  /** Why an operation is bound to no resource: one of these for every operation without a binding. */
  readonly unbound: ReadonlyMap<Operation, string>;
}

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
   * `/shelves/{shelfId}/books` of shelf 7 is kept apart from that of shelf 8, under the name `/shelves/7/books`.
   */
  readonly scope: readonly ScopeVariable[];
  /** What identifies an item in its collection; for a single record it is there too, and has no meaning. */
  readonly key: ItemKey;
  /** The shape in which items are read; they are stored in it. */
  readonly schema: Schema;
  readonly properties: ReadonlyMap<string, Property>;
  /** Members that items hold under `attributes`, where they are resource objects of JSON:API; else empty. */
  readonly attributes: ReadonlyMap<string, Property>;
  readonly references: readonly MemberReference[];
  /** Numbers in items that say how many there are of what lies below each; mostly there are none. */
  readonly counts: readonly ChildCount[];
  /** Member that shows where the item is found, and what it shows; `undefined` where there is none. */
  readonly address: ItemAddress | undefined;
  /** Is all that is told of it whether it is there? Then nothing is there before it is put there. */
  readonly isMembership: boolean;
  /**
   * Path of the collection whose items are put here under their own names: what is put at `/starred/{owner}/{thing}` is
   * what is kept at `/things/{owner}/{thing}`.
   */
  readonly shows: string | undefined;
  readonly confidence: Confidence;
  readonly evidence: readonly Evidence[];
}

/** A variable of a path before the key. */
export interface ScopeVariable {
  /** As {@link ResourceDescription.path} names it; operations may call it otherwise. */
  readonly name: string;
  /** Path of the collection whose key the variable holds, when there is one: without such an item, 404. */
  readonly parent: string | undefined;
  /** Member of the items that shows the variable's value, when there is one: the mock fills it in. */
  readonly member: string | undefined;
  /** Member of the items that is an object and shows what the variable names, when there is one. */
  readonly holder: ScopeHolder | undefined;
}

/** `owner: { login }` for `{owner}`. */
export interface ScopeHolder {
  readonly member: string;
  /** Member of that object whose value is the variable's. */
  readonly key: string;
  /** Is the object what the variable names, and not one that only tells of it, as `metadata: { namespace }` does? */
  readonly isThing: boolean;
}

/** What identifies an item. */
export interface ItemKey {
  /** Name of the member that holds it; `$key` when no member does. */
  readonly member: string;
  /** No member holds it: it is stored beside the declared members and never sent. */
  readonly isHidden: boolean;
  /**
   * Members that lead to where items show a key that no member of their own holds: `metadata`, `name`; else empty. The
   * key is stored beside the declared members all the same, and the two always agree.
   */
  readonly shownAt: readonly string[];
  /** What the description says of the member at the end of {@link shownAt}. */
  readonly property: Property | undefined;
  /** May a client choose it when it creates an item? */
  readonly isClientChosen: boolean;
  /** The name under which it does, where that is another one than items have: `file_id`, `new_branch_name`. */
  readonly chosenAs?: string;
}

/** The name under which a key is stored that no member of the item holds. */
export const HIDDEN_KEY = '$key';

/** A member that holds the key of an item of another resource, or a list of such keys, or such an item itself. */
export interface MemberReference {
  readonly member: string;
  /** {@link ResourceDescription.path} of the other resource. */
  readonly to: string;
  readonly form: 'key' | 'keys' | 'embedded' | 'embedded-list';
  readonly evidence: Evidence;
}

/**
 * What an operation does.
 * - `list`, `create`, `read`, `replace`, `update`, `remove`: the usual ones. On a single record only the last four.
 * - `create-many`: the body is a list of items.
 * - `upsert`: a PUT that replaces an item, or makes it under the key of the path: see `put-meaning.ts`.
 * - `clear`: removes every item of the list that the parameters choose.
 * - `act`: `POST /things/{id}/verb`, see {@link Binding.action}.
 * - `part`: acts on a list that is a member of the item, see {@link Binding.part}.
 * - `hold`: puts things into a collection by their names, see {@link Binding.held}.
 * - `count`: answers how many items there are for each value of a member, see {@link Binding.countBy}.
 */
export type Behaviour =
  | 'list'
  | 'create'
  | 'create-many'
  | 'read'
  | 'replace'
  | 'update'
  | 'upsert'
  | 'remove'
  | 'clear'
  | 'act'
  | 'part'
  | 'hold'
  | 'count';

/** How one operation acts on a resource. */
export interface Binding extends CreationMeaning {
  readonly operation: Operation;
  readonly resource: ResourceDescription;
  readonly behaviour: Behaviour;
  /** Variables of this operation that fill {@link ResourceDescription.scope}, in its order; see {@link isAcross}. */
  readonly scopeParameters: readonly string[];
  /** Are the items of all collections meant whose scopes begin as the variables say? `/pods` beside `/areas/{area}/pods`. */
  readonly isAcross: boolean;
  /**
   * Path parameter that holds the key; `undefined` where no single item is meant, and where the body names it:
   * `replace` and `update` then take the key from the item in the body.
   */
  readonly keyParameter: string | undefined;
  /** How the item is chosen that no key names: `/things/latest`, `/things/tags/{tag}`. */
  readonly choice: Choice | undefined;
  /** Of the variables of the path, those whose values stand in a query parameter or a member of the body instead. */
  readonly elsewhere: ReadonlyMap<string, Elsewhere>;
  /** Where the values of query parameters stand in the body of a list that is asked for with one; else empty. */
  readonly inBody: ReadonlyMap<string, readonly string[]>;
  /**
   * Path parameters that choose among the items of one collection: `/shelves/{shelfId}/books` where the books
   * themselves are kept as `/books`. They filter what is read and set what is created.
   */
  readonly restrictions: readonly Restriction[];
  /** Where the item stands in the request body; `undefined` when nothing is read from it. */
  readonly request: BodyShape | undefined;
  /** Where the item or the items stand in the body of the success; `undefined` when it has none. */
  readonly response: BodyShape | undefined;
  /** Query parameters, for `list`, `count` and `clear`. */
  readonly parameters: ListParameters;
  /** Of a `create` that takes a list of items as well: how it is taken and answered then. */
  readonly many: ManyShapes | undefined;
  readonly action: Action | undefined;
  readonly part: Part | undefined;
  readonly held: HeldThings | undefined;
  /** Member whose values are counted, for `count`. */
  readonly countBy: string | undefined;
  /** The numbers that the answer has, where it is no map of any: values of that member, or {@link isTotalName}. */
  readonly countedNames: readonly string[] | undefined;
  readonly confidence: Confidence;
  readonly evidence: readonly Evidence[];
}

/**
 * The latest item by a member, or by the order of their making; the one whose member has the value of a variable; or that
 * of whoever asks, which is the same for everybody: the mock has one caller.
 */
export type Choice =
  | { readonly by: 'latest'; readonly member: string | undefined }
  | { readonly by: 'member'; readonly member: string; readonly parameter: string }
  | { readonly by: 'caller' };

export interface Restriction {
  /** Member of the items that shows which items of {@link parent} each belongs to: `project: { id }`, `projects`. */
  readonly shownIn?: string | undefined;
  readonly parameter: string;
  /** Member of the items that must equal it; one that starts with `$` is stored and never sent. */
  readonly member: string;
  /** Path of the collection whose key the parameter holds, when there is one. */
  readonly parent: string | undefined;
}

/** Where a list of items stands in the bodies of an operation that takes one item as well. */
export interface ManyShapes {
  readonly request: BodyShape;
  /** `undefined` where the answer has no list. */
  readonly response: BodyShape | undefined;
}

/** Where items stand in a body. */
export interface BodyShape {
  /** `map`: an object whose member names are the keys. */
  readonly form: 'item' | 'list' | 'map';
  /** Members that lead from the body to the item or list; empty when it is the body itself. */
  readonly path: readonly string[];
  /** Members that lead from an entry of the list to the item, where that is no entry itself: `{ thing: {…} }`. */
  readonly rowPath?: readonly string[];
  /** Schema of one item as it stands there; its pointer tells whether it is the one that is stored. */
  readonly item: Schema | undefined;
  /** Schema of the whole body. */
  readonly body: Schema;
  /** Members beside the list that the mock knows how to fill. */
  readonly siblings: readonly Sibling[];
  /** `json-api`: members of the item stand under `attributes`, beside `type` and `id` (JSON:API 1.1 §7). */
  readonly layout: 'plain' | 'json-api';
}

export interface Sibling {
  /** Members that lead to it from the body. */
  readonly path: readonly string[];
  readonly role: SiblingRole;
}

/** What is told about a list beside its items. */
export type SiblingRole =
  | 'total'
  | 'count'
  | 'page'
  /** The same, from 0 where no parameter tells from where pages are counted. */
  | 'page-index'
  | 'page-size'
  | 'page-count'
  | 'offset'
  | 'has-more'
  | 'has-previous'
  | 'is-first'
  | 'is-last'
  | 'is-empty'
  | 'is-paged'
  | 'is-unpaged'
  | 'is-sorted'
  | 'is-unsorted'
  | 'next-cursor'
  /** Key of the item with which the next page begins. */
  | 'next-key'
  | 'next-page'
  | 'previous-page'
  | 'next-link'
  | 'previous-link'
  | 'first-link'
  | 'last-link'
  | 'self-link';

export type { FilterBounds, ListConditions, ListFilter, ListParameters, RangeOperator } from './list-model';

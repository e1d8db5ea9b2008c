import type { JsonValue } from '../../core/json/json-value';
import type { BodyShape } from '../../lists/body-shape';
import type { ListParameters } from '../../lists/list-model';
import type { Operation, Schema } from '../../openapi/model/operation';
import type { PathTemplate } from '../../openapi/view/path-template';
import type { Confidence, Evidence, ResourceDescription } from './resource';

/** What `POST /things/{id}/verb` does to the item. */
export interface Action {
  readonly verb: string;
  /**
   * Properties that get a value of their own, where it is said or where the verb names one of their values: `cancel` and
   * `status: cancelled`.
   */
  readonly assignments: readonly PropertyAssignment[];
  /** Properties that get the time at which it happens: `publish` and `publishedAt`. */
  readonly timestamps: readonly string[];
  /**
   * Another item comes of it: a `copy` of the item, or an `other` one that is what was sent, such as a reply;
   * `undefined` where the item itself changes.
   */
  readonly creates?: 'copy' | 'other' | undefined;
  /** Are properties of the body merged into the item? */
  readonly mergesBody: boolean;
}

/** What a removal makes of an item that it keeps. */
export interface KeptRemoval {
  readonly action: Action;
  /** Query parameter by which it removes the item all the same. */
  readonly purgedBy: string | undefined;
  /** Do lists show it no more? */
  readonly isUnlisted: boolean;
}

/** A property, and what an action makes of it; null where it may not be null is none. */
export interface PropertyAssignment {
  readonly property: string;
  readonly value: JsonValue;
  /** Is the value an object whose properties are set, while the others of that property stay? */
  readonly isMerged?: true;
}

/** Where a list of items stands in the bodies of an operation that takes one item as well. */
export interface BulkShapes {
  readonly request: BodyShape;
  /** `undefined` where the response has no list. */
  readonly response: BodyShape | undefined;
}

/**
 * The latest item by a property, or by the order of their making; the one whose property has the value of a variable, or
 * whose properties have those of the query; or that of the caller, which is the same for everybody: the mock has one caller.
 */
export type Choice =
  | { readonly by: 'latest'; readonly member: string | undefined }
  | { readonly by: 'member'; readonly member: string; readonly parameter: string }
  | { readonly by: 'query'; /** Properties, by the parameters. */ readonly members: ReadonlyMap<string, string> }
  | { readonly by: 'caller' };
export interface Restriction {
  /** Relationship of the items of {@link parent} by which others belong to them. */
  readonly relationship?: string | undefined;
  /** Property of the items that shows which items of {@link parent} each belongs to: `project: { id }`, `projects`. */
  readonly shownIn?: string | undefined;
  readonly parameter: string;
  /** Property of the items that must equal it; one that starts with `$` is stored and never sent. */
  readonly property: string;
  /** Path of the collection whose key the parameter holds, when there is one. */
  readonly parent: string | undefined;
}

/**
 * What an operation does.
 * - `list`, `create`, `read`, `replace`, `update`, `remove`: the usual ones. On a single record only the last four.
 * - `create-many`: the body is a list of items.
 * - `upsert`: a PUT that replaces an item, or makes it under the key of the path: see `put-meaning.ts`.
 * - `clear`: removes every item of the list that the parameters choose.
 * - `each`: does something with every item that the body names by its key, see {@link Binding.each}.
 * - `act`: `POST /things/{id}/verb`, see {@link Binding.action}.
 * - `part`: acts on a list that is a property of the item, see {@link Binding.arrayProperty}.
 * - `hold`: puts things into a collection by their names, see {@link Binding.linkedItems}.
 * - `relate`: changes what an item is related to, see {@link Binding.relationship}.
 * - `count`: answers how many items there are for each value of a property, see {@link Binding.countBy}.
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
  | 'each'
  | 'act'
  | 'part'
  | 'hold'
  | 'relate'
  | 'count';

/** How one operation acts on a resource. */
export interface Binding extends CreationSemantics {
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
  readonly itemChoice: Choice | undefined;
  /** Of the variables of the path, those whose values stand in a query parameter or a property of the body instead. */
  readonly outsidePath: ReadonlyMap<string, VariableSource>;
  /** Where the values of query parameters stand in the body of a list that is asked for with one; else empty. */
  readonly bodyParameters: ReadonlyMap<string, readonly string[]>;
  /**
   * Path parameters that choose among the items of one collection: `/shelves/{shelfId}/books` where the books
   * themselves are stored as `/books`. They filter what is read and set what is created.
   */
  readonly restrictions: readonly Restriction[];
  /** Of `replace` and `upsert`: does the mock keep what the body does not name, because nothing makes plain that it goes? */
  readonly mergesExisting: boolean;
  /** Where the item stands in the request body; `undefined` when nothing is read from it. */
  readonly request: BodyShape | undefined;
  /** Where the item or the items stand in the body of the success; `undefined` when it has none. */
  readonly response: BodyShape | undefined;
  /** Query parameters, for `list`, `count` and `clear`. */
  readonly parameters: ListParameters;
  /** Of a `create` that takes a list of items as well: how it is taken and answered then. */
  readonly bulk: BulkShapes | undefined;
  /** Of an `each`: how its body names items, and what is done with them. */
  readonly each: EachItem | undefined;
  readonly action: Action | undefined;
  /** Of a `remove` that keeps the item. */
  readonly keeps: KeptRemoval | undefined;
  /** Of a change: the query parameter by which it brings back what was ended, and what that does. */
  readonly bringsBack: { readonly parameter: string; readonly action: Action } | undefined;
  readonly arrayProperty: ArrayProperty | undefined;
  readonly linkedItems: LinkedItems | undefined;
  readonly relationship: RelationshipUse | undefined;
  /** Property whose values are counted, for `count`. */
  readonly countBy: string | undefined;
  /** The numbers that the response has, where it is not a map of any: values of that property, or {@link isTotalName}. */
  readonly countNames: readonly string[] | undefined;
  readonly said: SaidRules;
  readonly confidence: Confidence;
  readonly evidence: readonly Evidence[];
}

/** What the words of an operation say of other items, with a status that it documents; mostly nothing. */
export interface SaidRules {
  /** References that have to lead to an item, each with the values that the description gives as examples. */
  readonly needs: ReadonlyMap<string, readonly JsonValue[]>;
  /** Properties that no two items have the same values of, all together. */
  readonly unique: UniqueProperties | undefined;
  /** Of a removal: what becomes of those that refer to the item. */
  readonly referrers: readonly ReferrerRule[];
  /** States of the item itself in which it is refused. */
  readonly closed: ClosedStates | undefined;
  /** Of a creation and of an action: the numbers of other items that change with it. */
  readonly amounts: readonly AmountRule[];
}

/** A number of the item of another resource that a new or changed item names. */
export interface AmountRule {
  /** Path of that resource. */
  readonly of: string;
  readonly property: string;
  readonly sign: 1 | -1;
  /** Property of the new item that says by how much; `undefined` where it is by one. */
  readonly by: string | undefined;
  /** The status where there is not enough; `undefined` where no words have one, or clients cannot see to it that there is. */
  readonly refusal: 409 | 422 | undefined;
}

export interface ClosedStates {
  readonly property: string;
  readonly values: readonly JsonValue[];
  /** Do the words speak of nothing but these states, which the item can leave or be without? */
  readonly isCertain: boolean;
}

export interface UniqueProperties {
  readonly names: readonly string[];
  /** Is 409 said to be the answer to the second one? */
  readonly isCertain: boolean;
  /** Are texts the same whose letters differ in case alone? */
  readonly ignoresCase: boolean;
}

/** `keep`: the item is not removed as long as there are any; `remove`: they go with it; `change`: they get a state. */
export interface ReferrerRule {
  /** Path of the resource whose items refer to the removed one. */
  readonly from: string;
  /** By which they do; `undefined` where they lie below it. */
  readonly property: string | undefined;
  readonly effect: 'keep' | 'remove' | 'change';
  /** Which of them, where not all are meant, and the state that they get. */
  readonly state?: { readonly property: string; readonly among: readonly string[]; readonly to?: string } | undefined;
}

/** What a description seems to keep, and what each of its operations does with it. */
export interface ResourceModel {
  /** In the order of their paths in the description. */
  readonly resources: readonly ResourceDescription[];
  readonly bindings: ReadonlyMap<Operation, Binding>;
  /** The place that an operation is about, in plain words: see {@link Reading}. */
  readonly templateOf: (operation: Operation) => PathTemplate | undefined;
  /** Why an operation is bound to no resource: one of these for every operation without a binding. */
  readonly unboundReasons: ReadonlyMap<Operation, string>;
}

/**
 * What an operation does in the plain words of HTTP: which method at which place. Most paths say it themselves;
 * `POST /things/create` is `POST /things`, `GET /things/{id}/json` is `GET /things/{id}`, `/thing/{id}` beside `/things` is
 * `/things/{id}`, and `POST /thing/get {thing_id}` is `GET /thing/{thing_id}`.
 */
export interface OperationReading {
  readonly method: string;
  readonly template: PathTemplate;
  /** Variables of the template that stand elsewhere than in the path. */
  readonly outsidePath: ReadonlyMap<string, VariableSource>;
  /** For people: why it is not read as it is written; `undefined` where it is. */
  readonly reason: string | undefined;
}

/**
 * Where the value of a variable stands that is not in the path: a property of the body, a query parameter, or a property of
 * the record of the caller.
 */
export type VariableSource =
  | { readonly in: 'body' | 'query'; readonly name: string }
  | { readonly in: 'caller'; readonly name: string; /** Path of the record. */ readonly record: string };

/** What a creation does with an item that is there already. */
export interface CreationSemantics extends ExistingItemPolicy {
  /** Names and addresses of the properties by which {@link onExisting} finds that item where the key does not; none for the key alone. */
  readonly foundBy: readonly string[];
  /** Property of the body that holds the key of what is stored already, and is put where the path says. */
  readonly linkedBy: string | undefined;
  /** Of an `upsert`: is an item that is there already left alone, and the request rejected? */
  readonly onlyCreates?: true;
}

/** What becomes of an item that has the key of one that is sent to be made. */
export type ExistingItemHandling = 'replace' | 'update';
export interface RequestedHandling {
  readonly parameter: string;
  /** By the value of the parameter, as text; any other asks for nothing. */
  readonly values: ReadonlyMap<string, ExistingItemHandling>;
}

/** Of a creation: what becomes of an item that has the key already. */
export interface ExistingItemPolicy {
  /** By itself; `undefined` where it is rejected. */
  readonly onExisting: ExistingItemHandling | undefined;
  /** The query parameter by which a request may say so: `action=upsert`, `overwrite=true`. */
  readonly requestedOnExisting: RequestedHandling | undefined;
}

/** What an operation does with each of the items whose keys are in its body: `POST /things/batch/update { inputs: [{ id }] }`. */
export interface EachItem {
  /** `upsert` makes the items that are not there. */
  readonly effect: 'read' | 'update' | 'upsert' | 'remove' | 'act';
  /** Properties that lead to the list in the body; none where the body is the list. */
  readonly path: readonly string[];
  /** Property of an entry that holds the key; `undefined` where the entries are keys. */
  readonly key: string | undefined;
  /** What an entry is; `undefined` where the entries are keys. */
  readonly entry: Schema | undefined;
  /** Property beside a list of keys that says what all of them become: `{ ids, data }`. */
  readonly data?: string;
}

/** What an operation does with a list that an item has as a property, and that its path names too: `/things/{id}/labels`. */
export interface ArrayProperty {
  readonly property: string;
  /** `remove` without a name and without a body removes all. */
  readonly effect: 'list' | 'add' | 'replace' | 'remove';
  /** Schema of an entry as it is answered; `undefined` where none is. */
  readonly entry: Schema | undefined;
  /** Property by which entries are known; `undefined` for entries that are no objects. */
  readonly key: string | undefined;
  /** Variable of the path that names one entry. */
  readonly parameter: string | undefined;
  /** Path of the collection that keeps such entries; `undefined` where none does. */
  readonly collection?: string | undefined;
}

/** What an operation does with a relationship of an item. */
export interface RelationshipUse {
  readonly name: string;
  readonly effect: 'show' | 'add' | 'replace' | 'remove';
}

/** What an operation does with things that items say to be there, `{ added_at, thing: {…} }`, by a list of their names. */
export interface LinkedItems {
  /** Property of the items that is the thing. */
  readonly property: string;
  /** Property of the thing by which it is named. */
  readonly by: string;
  /** Query parameter and property of the body that hold the names, where there are such. */
  readonly query: string | undefined;
  readonly body: string | undefined;
  /** `replace` puts there what is named, and nothing else stays; `check` tells of each whether it is there. */
  readonly effect: 'add' | 'replace' | 'remove' | 'check';
}

/** What is known of a behaviour without any description. What it does is in `mock/behaviours/registry.ts`. */
interface BehaviourTraits {
  /** Status of a success where the description leaves the choice. */
  readonly usualStatus: number;
  /** Status for `Prefer: return=minimal` (RFC 7240 §4.2): that of a success, or 204 where it is documented. */
  readonly minimalStatus?: 'success' | 204;
  /** Are items created by it? */
  readonly creates?: true;
  /** Does it act on all items that its parameters select? */
  readonly selectsMany?: true;
  /** Does its body have whole items, and not what changes of one? */
  readonly takesWholeItems?: true;
}

export const BEHAVIOURS: Readonly<Record<Behaviour, BehaviourTraits>> = {
  list: { usualStatus: 200, selectsMany: true },
  create: { usualStatus: 201, minimalStatus: 'success', creates: true, takesWholeItems: true },
  'create-many': { usualStatus: 201, creates: true, takesWholeItems: true },
  read: { usualStatus: 200 },
  replace: { usualStatus: 200, minimalStatus: 204, takesWholeItems: true },
  update: { usualStatus: 200, minimalStatus: 204 },
  upsert: { usualStatus: 200, minimalStatus: 204, creates: true, takesWholeItems: true },
  remove: { usualStatus: 204 },
  clear: { usualStatus: 204, selectsMany: true },
  each: { usualStatus: 200 },
  act: { usualStatus: 200 },
  part: { usualStatus: 200 },
  hold: { usualStatus: 200 },
  relate: { usualStatus: 204 },
  count: { usualStatus: 200, selectsMany: true },
};

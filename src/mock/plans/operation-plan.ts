import type { Call, Scope, ScopeReader } from '../calls/call';
import type { Draft } from '../state/draft';
import type { Resource } from '../state/prepared-resource';
import type { Rules } from '../rules/rules';
import type { Operation, ResponseSpec } from '../../openapi/model/operation';
import type { DeclaredHeader } from '../../payload/response-headers';
import type { AcceptMode } from '../../resources/overrides/statements';
import type { ParentItem } from '../calls/parent-items';
import type { FileEndpoint } from '../state/item-paths';
import type { SignIn } from '../../security/issued-credentials';
import type { LifecycleHeaders } from './documented-responses';
import type { CorrectPageMetadata } from '../lists/single-page';
import type { FindExamplePair } from './example-pairs';
import type { RequestEcho } from './request-echo';
import type { TaskLocation } from './task-resources';
import type { Behaviour, Binding } from '../../resources/model/binding';
import type { BodyPlan } from './body-plan';
import type { InputPlan } from './input-plan';
import type { ListPlan } from '../lists/list-plan';
import type { ListHeader } from '../lists/page-metadata';
import type { SettleItem } from './settled-item';
import type { ServerValues } from '../fitting/server-values';
import type { ItemTest } from '../lists/item-filters';

/** One call of an operation that acts on stored items, and everything that it needs. */
export interface BehaviourContext {
  readonly call: Call;
  readonly plan: PlannedBehaviour;
  readonly resource: Resource;
  /** Which of the items of the resource are meant. */
  readonly scope: Scope;
  readonly draft: Draft;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly rules: Rules | undefined;
  /** What they say of the parameters of a list. */
  readonly ruleFilters?: RuleFilters | undefined;
  readonly nowMs: number;
  readonly requireIfMatch: boolean;
  readonly idStart: number | bigint;
  /** Names of properties that were sent for the item above, which gets them. */
  readonly propertiesForParent: () => readonly string[];
  /** Characters of JSON that a patch may make of an item. */
  readonly maxItemLength: number;
}

/** What is known of an operation before any request: worked out once, used on each. */
export interface OperationPlan {
  readonly operation: Operation;
  /** What it does with stored items; `undefined` for an operation that no state stands behind. */
  readonly behaviour: PlannedBehaviour | undefined;
  /** An item without which it answers 404; `undefined` where its behaviour looks at all of them. */
  readonly parentItem: ParentItem | undefined;
  /** The file that it answers, takes or removes, kept beside an item. */
  readonly file: FileEndpoint | undefined;
  /** How it will be answered, for people and reports. */
  readonly responseSource: ResponseSource;
  readonly success: ResponseSpec | undefined;
  readonly successStatus: number;
  /** What a response from the description tells of pages, put right; `undefined` where a state answers. */
  readonly singlePage: CorrectPageMetadata | undefined;
  /** Names of query parameters that say what to show whole. */
  readonly expandedBy: readonly string[];
  readonly requestEcho: RequestEcho | undefined;
  /** Which example of the response belongs to a request; `undefined` where a state answers. */
  readonly findExamplePair: FindExamplePair | undefined;
  /** Where the response of a write has tasks that are read elsewhere. */
  readonly tasks: () => readonly TaskLocation[];
  /** The item that such a task is about: that which the path names on its way. */
  readonly nearestItem: () => ParentItem | undefined;
  /** Status for an item that an upsert made. */
  readonly createdStatus: number;
  /** Status for an item that a creation found there. */
  readonly foundStatus: number;
  /** Documented response for `Prefer: return=minimal`. */
  readonly minimalStatus: number | undefined;
  readonly lifecycle: LifecycleHeaders | undefined;
  /** Media types that the success response offers, the one that is answered with by itself first. */
  readonly offered: readonly string[];
  /** How its requests are taken; `undefined` where nothing is said. */
  readonly accept: AcceptMode | undefined;
  /** Key of the event stream that the success offers beside other types. */
  readonly stream: string | undefined;
  readonly idempotencyHeader: boolean;
  readonly signIn: SignIn;
  /** Value of the `Set-Cookie` that the success documents. */
  readonly cookie: string | undefined;
  /** The headers that a response of a status must have, each with a value; `undefined` where none must. */
  readonly requiredHeaders: ((status: number) => readonly DeclaredHeader[]) | undefined;
  response(status: number): ResponseSpec | undefined;
}

/** A binding together with everything about it that no request changes. */
export interface PlannedBehaviour {
  readonly kind: Behaviour;
  readonly resource: Resource;
  readonly binding: Binding;
  readonly scope: ScopeReader;
  readonly input: InputPlan;
  readonly serverValues: ServerValues;
  readonly settle: SettleItem;
  readonly list: ListPlan;
  /** What the headers of its response tell of a page. */
  readonly listHeaders: readonly ListHeader[];
  /** Is a request rejected whose If-Match does not name the item as it is? */
  readonly takesIfMatch: boolean;
  /** The property that keeps a file that is sent; `undefined` where a file is nothing to the items. */
  readonly fileMember: string | undefined;
  /** Is the file that an item is made of all that is read of it? */
  readonly readsFile: boolean;
  readonly body: BodyPlan;
  /** The same for a list of items, where one item may be sent as well. */
  readonly many: PlannedBehaviour | undefined;
  /** Of an `each`: the same for one entry of the body, which stands in a body of its own under {@link ENTRY}. */
  readonly one: PlannedBehaviour | undefined;
  /** Of an `each` that makes what is not there: how one entry is made. */
  readonly oneMade: PlannedBehaviour | undefined;
}

/** Property under which one entry of a body is taken as if it was sent alone. */
export const ENTRY = 'entry';

export type ResponseSource =
  | { readonly from: 'state'; readonly behaviour: Behaviour; readonly resource: string }
  /**
   * An example of the description, else a body that is generated from the schema. Whether its schema allows the example
   * is not looked at here: `PayloadSource.originOf` tells.
   */
  | { readonly from: 'example' | 'schema'; readonly why: string }
  | { readonly from: 'no-body'; readonly why: string };

export interface RuleFilters {
  /** Names of the parameters that rules read. */
  readonly parameters: ReadonlySet<string>;
  /** All of them must hold. */
  readonly tests: readonly ItemTest[];
}

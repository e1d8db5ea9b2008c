import type { Principal } from '../checks/request/authentication';
import type { SentFile } from '../checks/request/body-check';
import type { ParameterValues } from '../checks/request/parameters';
import type { Problem } from '../checks/problem';
import type { Warnings } from '../checks/warnings';
import type { RequestHead } from '../http/message';
import type { JsonObject, JsonValue } from '../json/json-value';
import type { Operation, Property } from '../openapi/model';
import type { Item } from './item';
import type { ListQuery, Page } from './list-query';
import type { Scope } from './scope';

/** A request that passed every check that needs no state. */
export interface Call {
  readonly operation: Operation;
  readonly head: RequestHead;
  readonly principal: Principal;
  readonly parameters: ParameterValues;
  /** The parsed body; `undefined` when there was none. */
  readonly body: JsonValue | undefined;
  /** The file that was sent as a part of it. */
  readonly file: SentFile | undefined;
  /** Media type of the body, as the description writes it; `undefined` when none is declared. */
  readonly mediaType: string | undefined;
  /** Members that the body's schema declares. */
  readonly bodyProperties: ReadonlyMap<string, Property>;
  /** `Prefer: handling=strict` (RFC 7240 §4.4). */
  readonly isStrict: boolean;
  /** `Prefer: return=minimal` (RFC 7240 §4.2). */
  readonly isMinimal: boolean;
  /** Scheme, host and base path, to make links absolute. */
  readonly baseUrl: string;
  /** Raw query without the question mark. */
  readonly query: string;
  /** Gets what the client should know of a request that is not refused. */
  readonly warnings: Warnings;
}

/** One item was read, made, changed or removed. */
export interface ItemOutcome {
  readonly kind: 'found' | 'created' | 'changed' | 'removed';
  readonly scope: Scope;
  readonly item: Item;
}

/** A page of a list was read. */
export interface ListOutcome {
  readonly kind: 'listed';
  readonly scope: Scope;
  readonly query: ListQuery;
  readonly page: Page;
  /** Was an order asked for that its items can have? */
  readonly isSorted: boolean;
  /** Members that were asked for; `undefined` for all of them. */
  readonly fields: readonly string[] | undefined;
}

/** What a behaviour did, before it is written as a response. */
export type Outcome =
  | ItemOutcome
  | ListOutcome
  | { readonly kind: 'not-modified'; readonly item: Item }
  /** Several items were made or removed at once. */
  | { readonly kind: 'many'; readonly items: readonly Item[] }
  | { readonly kind: 'counted'; readonly counts: JsonObject }
  /** Something that is no item of the resource. */
  | { readonly kind: 'told'; readonly value: JsonValue }
  | { readonly kind: 'refused'; readonly problem: Problem };

export function refused(problem: Problem): Outcome {
  return { kind: 'refused', problem };
}

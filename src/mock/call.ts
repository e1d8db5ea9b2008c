import type { Principal } from '../checks/request/authentication';
import type { ParameterValues } from '../checks/request/parameters';
import type { Problem } from '../checks/problem';
import type { RequestHead } from '../http/message';
import type { JsonValue } from '../json/json-value';
import type { Operation, Property } from '../openapi/model';
import type { Item } from './item';
import type { ListQuery, Page } from './list-query';
import type { Resource } from './resource';

/** A request that passed every check that needs no state. */
export interface Call {
  readonly operation: Operation;
  readonly head: RequestHead;
  readonly principal: Principal;
  readonly parameters: ParameterValues;
  /** The parsed body; `undefined` when there was none. */
  readonly body: JsonValue | undefined;
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
}

/** One item was read, made or changed. */
export interface ItemOutcome {
  readonly kind: 'found' | 'created' | 'changed';
  readonly resource: Resource;
  readonly item: Item;
}

/** What a behaviour did, before it is written as a response. */
export type Outcome =
  | ItemOutcome
  | { readonly kind: 'not-modified'; readonly item: Item }
  | { readonly kind: 'listed'; readonly resource: Resource; readonly query: ListQuery; readonly page: Page }
  | { readonly kind: 'removed' }
  | { readonly kind: 'refused'; readonly problem: Problem };

export function refused(problem: Problem): Outcome {
  return { kind: 'refused', problem };
}

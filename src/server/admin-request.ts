import { problem, type Problem } from '../core/http/problem';
import { joinPointer } from '../core/json/json-pointer';
import type { JsonObject, JsonValue } from '../core/json/json-value';
import { similarName } from '../core/text/similar-name';
import type { StateDiff } from '../mock/state/state';
import type { MockControls } from './sandbox-controls';

/** What the admin routes can do with one state, the main one or that of a sandbox: what the app's methods do, and more. */
export interface AdminControls extends Omit<MockControls, 'snapshot' | 'restore' | 'diff'> {
  /** @returns false when there are too many snapshots already */
  saveSnapshot(name: string): boolean;
  /** @returns false when there is no snapshot of that name */
  restoreSnapshot(name: string): boolean;
  dropSnapshots(): void;
  clearJournal(): void;
  /** @returns `undefined` when there is no snapshot of that name; without a name the baseline is compared with */
  diff(snapshot: string | undefined): StateDiff | undefined;
  /** Makes the state, or a snapshot of it, the baseline. @returns false when there is no snapshot of that name */
  makeBaseline(snapshot: string | undefined): boolean;
}

/** What they can do beside that. */
export interface AdminTarget {
  health(): JsonObject;
  docsPage(): string;
  /**
   * @param id - `undefined` for the main state
   * @param mayBeGone - also one that had to make room
   * @returns why it cannot be had
   */
  controlsOf(id: string | undefined, mayBeGone: boolean): AdminControls | Problem;
  sandboxes(): JsonValue;
  /** A sandbox with the state of another one or of a snapshot of it. @returns why it cannot be made */
  createSandbox(id: string, from: string | undefined, snapshot: string | undefined): Problem | undefined;
  /** @returns false when there is no such sandbox */
  removeSandbox(id: string): boolean;
  removeSandboxes(): void;
}

export interface AdminRequest {
  readonly target: AdminTarget;
  readonly controls: AdminControls;
  readonly sandbox: string | undefined;
  readonly snapshot: string | undefined;
  readonly body: JsonObject;
  readonly query: ReadonlyMap<string, string>;
}

export type AdminResponse = { readonly status: number; readonly value?: JsonValue; readonly page?: string } | Problem;

/**
 * Something that can be done with a running mock, as one route. The list at the admin path, the checks of queries and the
 * routes are made from `ADMIN_ACTIONS`.
 */
export interface AdminAction {
  /** Below the admin path. */
  readonly path: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** What it does, for the list of routes. */
  readonly about: string;
  /** What its query may have beside {@link COMMON_QUERY}. */
  readonly query?: readonly string[];
  readonly run: (request: AdminRequest) => AdminResponse;
}

/** What the query of every route may have; another name may be a typing error, which would mean the main state. */
export const COMMON_QUERY: readonly string[] = ['sandbox', 'snapshot'];

/** Why a body with a property of another name is rejected: it may be a typing error. */
export function unknownProperty(body: JsonObject, known: readonly string[]): Problem | undefined {
  const name = Object.keys(body).find((property) => !known.includes(property));
  if (name === undefined) return undefined;
  const near = similarName(name, known);
  const hint = near === undefined ? `there is ${known.join(', ')}` : `did you mean "${near}"?`;
  const pointer = joinPointer('', name);
  return problem('invalid_field', `The field ${pointer.slice(0, 200)} is not known here; ${hint}`, { pointer });
}

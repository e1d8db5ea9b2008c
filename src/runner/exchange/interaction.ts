import type { ObservedResponse } from '../../checks/response-check';
import type { Expectation, Capture, NamedParent, Touches, Repeat, Phase } from '../../formats/contract/contract';
import type { Recipe } from '../result/run-result';
import type { Operation } from '../../openapi/model/operation';
import type { HttpRequest } from '../../core/http/message';
import type { Browser } from '../../core/http/cors';

/** Existing things that a run may make something below, as the tester named them: values by variable of the path. */
export type ParentsByVariable = ReadonlyMap<string, ReadonlySet<string>>;

export const NO_NAMED_PARENTS: ParentsByVariable = new Map();

export function parentsByVariable(...lists: readonly (readonly NamedParent[])[]): ParentsByVariable {
  const within = new Map<string, Set<string>>();
  for (const { variable, value } of lists.flat()) {
    within.set(variable, (within.get(variable) ?? new Set()).add(value));
  }
  return within;
}

/** Is what a variable of a path names one of them? @param value - percent-decoded */
export function isNamedParent(within: ParentsByVariable, variable: string, value: string): boolean {
  return within.get(variable)?.has(value) === true;
}

/** Any response is expected: the description alone says what is wrong. */
export const ANY_RESPONSE: Expectation = { statuses: [], codes: [], body: undefined, headers: [] };

/** What all requests have in common that no contract asks for. */
export const PROBE = { phase: 'auth', place: undefined, recipe: undefined, captures: [] } as const;

/** A request that is ready to be sent, and what to expect of the response. */
export interface Interaction {
  readonly name: string;
  readonly phase: Phase | 'auth';
  /** The word of the group that it is sent with. */
  readonly together?: string | undefined;
  readonly place: string | undefined;
  /** `undefined` when the description has none for the request. */
  readonly operation: Operation | undefined;
  readonly request: HttpRequest;
  /** Does it come from a contract that a person wrote? Only such a request may change more than the run's own things. */
  readonly isWritten?: boolean | undefined;
  /** Is it the contract itself, and no value of a response, that leads out of its path? */
  readonly writesPathTraversal?: boolean | undefined;
  /** How it authenticates: `valid`, the name of an identity or of a session of the run, or what is wrong with it. */
  readonly auth: string;
  /** The request with shell variables in the place of captured values; `undefined` for a probe. */
  readonly recipe: Recipe | undefined;
  readonly expected: Expectation;
  readonly captures: readonly Capture[];
  /** Names of those that later steps send as credentials; none when left out. */
  readonly credentialNames?: ReadonlySet<string> | undefined;
  /** The page that it is sent for; `undefined` when for none. */
  readonly browser?: Browser | undefined;
  /** Why what it makes stays; `undefined` when it can be removed. */
  readonly leaves?: string | undefined;
  /** Sends it again until its response is as awaited. */
  readonly repeat?: Repeat | undefined;
  /** Is this response the one that ends the repetition? Always, when left out. */
  readonly isLast?: ((observed: ObservedResponse) => boolean) | undefined;
  /** What takes longer is reported as a warning. */
  readonly maxDurationMs?: number | undefined;
  /** Does its contract say that it makes something: by what it `leaves`, or by a later step that `removes` it? */
  readonly creates?: boolean | undefined;
  /** What it touches, where its path does not tell. */
  readonly touches?: Touches | undefined;
  /** Pointer into its contract; `undefined` for a probe. */
  readonly step?: string | undefined;
  /** That of the step whose creation it removes. */
  readonly removes?: string | undefined;
  /** Below what it may make something; nothing when left out. */
  readonly within?: ParentsByVariable | undefined;
}

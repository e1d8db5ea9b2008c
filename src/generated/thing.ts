import type { JsonObject, JsonValue } from '../core/json/json-value';
import type { Substitution } from './bodies';
import type { Kind, Subject } from './subject';

/** A thing as later steps name it. */
export interface Thing {
  readonly subject: Kind;
  /** Placeholder for its key. */
  readonly key: string;
  /** Values of the variables of its path but the key, by name of the variable of the resource. */
  readonly scope: ReadonlyMap<string, string>;
}

/** One that a contract makes. */
export interface MadeThing extends Thing {
  readonly subject: Subject;
  /** What was sent, with values that stand for the placeholders. */
  readonly plain: JsonObject;
  readonly substitutions: readonly Substitution[];
}

/** What a thing is made with, before it is. */
export interface Ingredients {
  readonly subject: Subject;
  readonly scope: ReadonlyMap<string, string>;
  readonly plain: JsonObject;
  readonly substitutions: readonly Substitution[];
}

/** A step at a thing. */
export interface StepAt {
  readonly name: string;
  readonly headers?: JsonObject;
  readonly body?: JsonValue;
  readonly mayBeRefused?: true | number[];
  /** Statuses that are right; default: those of the documented successes. */
  readonly status?: number | number[];
  /** What the response has to show of the thing. */
  readonly shown?: JsonObject | undefined;
  readonly capture?: JsonObject;
}

/** How a thing is made. */
export interface MakeOptions {
  /** With which of these the service may refuse it, or with any; default: with any in the setup, else with none. */
  readonly mayBeRefused?: readonly number[] | boolean;
  /** More that the response has to show. */
  readonly shown?: JsonObject;
  /** More that is captured. */
  readonly capture?: JsonObject;
  /** Refusals that are right as well: then nothing is expected of the body. */
  readonly orRefused?: readonly number[];
  /** Parameters of the request beside those that it has to have. */
  readonly parameters?: JsonObject;
  /** Is it looked for before it is made, at a key that the run chose? */
  readonly isLookedFor?: boolean;
  /** More of the step. */
  readonly more?: JsonObject;
  /** Whose key makes it, and removes it: `{ auth: { identity } }`; that of the run when left out. */
  readonly auth?: JsonObject;
}

/** One place where a value breaks its schema. */
export interface Violation {
  /** JSON pointer into the value; `''` is the value itself. For a missing member: the object that lacks it. */
  readonly pointer: string;
  /** JSON Schema keyword that was broken, for example `required` or `minimum`. */
  readonly keyword: string;
  /** Name of the missing or unexpected member, for `required`, `additionalProperties` and the like. */
  readonly member?: string | undefined;
  /** What the schema asks, as the rest of a sentence: `must be an integer`. */
  readonly message: string;
}

/** Gives the violations of a value, none when it is valid. Never throws. */
export type Validator = (value: unknown) => readonly Violation[];

export const NO_VIOLATIONS: readonly Violation[] = [];

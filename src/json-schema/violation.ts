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
  /** Is it one of so many that no more were looked for? */
  readonly isOneOfMany?: true | undefined;
}

/** Message of a `oneOf` of which more than one schema fits: the description does not tell them apart. */
export const FITS_SEVERAL = 'must match exactly one schema of "oneOf", not several';

/** So many errors of one list or object are found; the rest of it is not looked at: nobody reads more. */
export const MOST_VIOLATIONS = 1000;

/** Gives the violations of a value, none when it is valid. Never throws. */
export type Validator = (value: unknown) => readonly Violation[];

export const NO_VIOLATIONS: readonly Violation[] = [];

/** Is all that is broken a `oneOf` of which several schemas fit? What those that do not fit say is no matter. */
export function isAmbiguous(violations: readonly Violation[]): boolean {
  const places = violations.filter(({ message }) => message === FITS_SEVERAL).map(({ pointer }) => pointer);
  return violations.length > 0 && violations.every(({ pointer }) => places.some((place) => pointer.startsWith(place)));
}

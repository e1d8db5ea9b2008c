/** How a value breaks a keyword of ours: the keyword's name in OpenAPI, and what it asks for, in our words. */

export interface KeywordViolation {
  readonly brokenKeyword: string;
  readonly message: string;
  /** The types that are allowed, or the format. */
  readonly expected?: readonly string[];
}

/** Checks one value; `undefined` when the keyword has nothing against it. Given the same object each time it speaks. */
export type KeywordValidator = (value: unknown) => KeywordViolation | undefined;

/** A keyword of ours, of which the compiler of schemas makes one call. */
export interface ExactKeyword<T = never> {
  readonly keyword: string;
  /** The type of the operand. */
  readonly schemaType: 'array' | 'object' | 'boolean';
  /** Made once for each schema that has the keyword. */
  readonly createValidator: (operand: T) => KeywordValidator;
}

/** Is this what a keyword of ours said? */
export function isKeywordViolation(params: object): params is KeywordViolation {
  return 'brokenKeyword' in params;
}

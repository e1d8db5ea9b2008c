/** How a value breaks a keyword of ours: the keyword's name in OpenAPI, and what it asks for, in our words. */
export interface Broken {
  readonly brokenKeyword: string;
  readonly message: string;
}

/** Judges one value; `undefined` when the keyword has nothing against it. Given the same object each time it speaks. */
export type Judge = (value: unknown) => Broken | undefined;

/** A keyword of ours, of which the compiler of schemas makes one call. */
export interface JudgingKeyword<T = never> {
  readonly keyword: string;
  /** The type of the operand. */
  readonly schemaType: 'array' | 'object' | 'boolean';
  /** Made once for each schema that has the keyword. */
  readonly judge: (operand: T) => Judge;
}

/** Is this what a keyword of ours said? */
export function isBroken(params: object): params is Broken {
  return 'brokenKeyword' in params;
}

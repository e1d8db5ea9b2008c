import { _ } from 'ajv/dist/compile/codegen';
import type { CodeKeywordDefinition, KeywordErrorDefinition } from 'ajv/dist/types';

/** How a value breaks a keyword of ours: the keyword's name in OpenAPI, and what it asks for, in our words. */
export interface Broken {
  readonly brokenKeyword: string;
  readonly message: string;
}

/** Judges one value; `undefined` when the keyword has nothing against it. Given the same object each time it speaks. */
export type Judge = (value: unknown) => Broken | undefined;

interface JudgingKeyword<T> {
  readonly keyword: string;
  /** The type of the operand. */
  readonly schemaType: 'array' | 'object' | 'boolean';
  /** Made once for each schema that has the keyword. */
  readonly judge: (operand: T) => Judge;
}

const error: KeywordErrorDefinition = {
  message: '',
  // `data` and the rest are ajv's; the judge's own object goes through as it is.
  params: ({ params }) => _`${params['broken']}`,
};

/**
 * A keyword of ours for ajv. It becomes one call in the generated code: a keyword that ajv calls with a context, and
 * whose errors it collects, takes thirty lines at each place, which costs a large description seconds.
 */
export function judgingKeyword<T>({ keyword, schemaType, judge }: JudgingKeyword<T>): CodeKeywordDefinition {
  return {
    keyword,
    schemaType,
    error,
    code(cxt) {
      const { gen, data } = cxt;
      const ask = gen.scopeValue('keyword', { ref: judge(cxt.schema as T) });
      const broken = gen.const('broken', _`${ask}(${data})`);
      cxt.setParams({ broken });
      cxt.fail(_`${broken} !== undefined`);
    },
  };
}

/** Is this what a keyword of ours said? */
export function isBroken(params: object): params is Broken {
  return 'brokenKeyword' in params;
}

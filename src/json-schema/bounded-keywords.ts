import { _, type CodeGen, type Name } from 'ajv/dist/compile/codegen';
import names from 'ajv/dist/compile/names';
import type { KeywordCxt } from 'ajv/dist/compile/validate';
import type { CodeKeywordDefinition } from 'ajv/dist/types';
import ajvAdditionalProperties from 'ajv/dist/vocabularies/applicator/additionalProperties';
import ajvItems from 'ajv/dist/vocabularies/applicator/items2020';
import ajvPatternProperties from 'ajv/dist/vocabularies/applicator/patternProperties';
import ajvPropertyNames from 'ajv/dist/vocabularies/applicator/propertyNames';
import ajvUnevaluatedProperties from 'ajv/dist/vocabularies/unevaluated/unevaluatedProperties';
import { MOST_VIOLATIONS } from './violation';

/** What a loop does once enough was found in it. */
type AtMost = (gen: CodeGen, isEnough: ReturnType<typeof _>, start: Name) => void;

/** Nothing more is looked at: what was found is enough to refuse the value, and for anybody to read. */
const stop: AtMost = (gen, isEnough) => {
  gen.if(isEnough, () => gen.break());
};

/** The rest is looked at, and what is found there is forgotten: whether the value fits depends on all of it. */
export const forget: AtMost = (gen, isEnough, start) => {
  gen.if(isEnough, () => {
    gen.assign(names.errors, _`${start} + ${MOST_VIOLATIONS}`);
    gen.assign(_`${names.vErrors}.length`, names.errors);
  });
};

/**
 * A keyword of ajv whose loop over items or members finds a bounded number of errors. ajv collects every error of every
 * item, and joins the lists for each reference: a value of nothing but errors would take the square of its length.
 *
 * @param atMost - for the loop of the keyword itself; those of the keywords inside of it are their own
 */
export function withBoundedLoops(keyword: CodeKeywordDefinition, atMost: AtMost = stop): CodeKeywordDefinition {
  return {
    ...keyword,
    code(cxt, ruleType) {
      // The keywords inside take the generator of `cxt.it`, which goes on as it was.
      const own = Object.create(cxt, { gen: { value: boundedGenerator(cxt.gen, atMost) } }) as KeywordCxt;
      keyword.code(own, ruleType);
    },
  };
}

/** The same generator of code; each loop that is asked of it directly is bounded. */
function boundedGenerator(gen: CodeGen, atMost: AtMost): CodeGen {
  const bounded = (body: (name: Name) => void): ((name: Name) => void) => {
    const start = gen.const('start', names.errors);
    return (name) => {
      body(name);
      atMost(gen, _`${names.errors} - ${start} >= ${MOST_VIOLATIONS}`, start);
    };
  };
  const own = Object.create(gen) as CodeGen;
  own.forRange = (name, from, to, body, kind) => gen.forRange(name, from, to, bounded(body), kind);
  own.forIn = (name, value, body, kind) => gen.forIn(name, value, bounded(body), kind);
  return own;
}

/** Members are looked at to the end where it counts which of them a pattern names. */
const patternProperties: CodeKeywordDefinition = {
  ...ajvPatternProperties,
  code(cxt, ruleType) {
    const isCounted = cxt.it.opts.unevaluated === true;
    withBoundedLoops(ajvPatternProperties, isCounted ? forget : stop).code(cxt, ruleType);
  },
};

/** Keywords of ajv that go through items or members. */
export const BOUNDED_KEYWORDS: readonly CodeKeywordDefinition[] = [
  withBoundedLoops(ajvItems),
  withBoundedLoops(ajvAdditionalProperties),
  withBoundedLoops(ajvPropertyNames),
  withBoundedLoops(ajvUnevaluatedProperties),
  patternProperties,
];

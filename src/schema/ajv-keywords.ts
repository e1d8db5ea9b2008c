import { resolveRef, SchemaEnv } from 'ajv/dist/compile';
import { _, type CodeGen, Name } from 'ajv/dist/compile/codegen';
import names from 'ajv/dist/compile/names';
import type { KeywordCxt } from 'ajv/dist/compile/validate';
import type { CodeKeywordDefinition, KeywordErrorDefinition } from 'ajv/dist/types';
import ajvAdditionalProperties from 'ajv/dist/vocabularies/applicator/additionalProperties';
import ajvContains from 'ajv/dist/vocabularies/applicator/contains';
import ajvItems from 'ajv/dist/vocabularies/applicator/items2020';
import ajvPatternProperties from 'ajv/dist/vocabularies/applicator/patternProperties';
import ajvPropertyNames from 'ajv/dist/vocabularies/applicator/propertyNames';
import ajvRef from 'ajv/dist/vocabularies/core/ref';
import { callRef } from 'ajv/dist/vocabularies/core/ref';
import ajvUnevaluatedItems from 'ajv/dist/vocabularies/unevaluated/unevaluatedItems';
import ajvUnevaluatedProperties from 'ajv/dist/vocabularies/unevaluated/unevaluatedProperties';
import type { JsonValue } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import type { ExactKeyword } from './exact-keyword';
import { MAX_VIOLATIONS, recursiveValidator } from './validator';

/** What a loop does once enough was found in it. */
type AtMost = (gen: CodeGen, isEnough: ReturnType<typeof _>, start: Name) => void;

/** Nothing more is looked at: what was found is enough to reject the value, and for anybody to read. */
const stopLoop: AtMost = (gen, isEnough) => {
  gen.if(isEnough, () => gen.break());
};

/** The rest is looked at, and what is found there is forgotten: whether the value fits depends on all of it. */
const dropFurtherErrors: AtMost = (gen, isEnough, start) => {
  gen.if(isEnough, () => {
    gen.assign(names.errors, _`${start} + ${MAX_VIOLATIONS}`);
    gen.assign(_`${names.vErrors}.length`, names.errors);
  });
};

/**
 * A keyword of ajv whose loop over items or properties finds a bounded number of errors. ajv collects every error of every
 * item, and joins the lists for each reference: a value of nothing but errors would take the square of its length.
 *
 * @param atMost - for the loop of the keyword itself; those of the keywords inside of it are their own
 */
function withBoundedLoops(keyword: CodeKeywordDefinition, atMost: AtMost = stopLoop): CodeKeywordDefinition {
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
      atMost(gen, _`${names.errors} - ${start} >= ${MAX_VIOLATIONS}`, start);
    };
  };
  const own = Object.create(gen) as CodeGen;
  own.forRange = (name, from, to, body, kind) => gen.forRange(name, from, to, bounded(body), kind);
  own.forIn = (name, value, body, kind) => gen.forIn(name, value, bounded(body), kind);
  return own;
}

/** Properties are looked at to the end where it counts which of them a pattern names. */
const patternProperties: CodeKeywordDefinition = {
  ...ajvPatternProperties,
  code(cxt, ruleType) {
    const isCounted = cxt.it.opts.unevaluated === true;
    withBoundedLoops(ajvPatternProperties, isCounted ? dropFurtherErrors : stopLoop).code(cxt, ruleType);
  },
};

/** Keywords of ajv that go through items or properties. */
export const BOUNDED_KEYWORDS: readonly CodeKeywordDefinition[] = [
  withBoundedLoops(ajvItems),
  withBoundedLoops(ajvAdditionalProperties),
  withBoundedLoops(ajvPropertyNames),
  withBoundedLoops(ajvUnevaluatedProperties),
  patternProperties,
];

const boundedContains = withBoundedLoops(ajvContains, dropFurtherErrors);
const boundedUnevaluatedItems = withBoundedLoops(ajvUnevaluatedItems);

/**
 * ajv takes every item for evaluated where there is a `contains`; JSON Schema only those that match it (Core §10.3.1.3).
 * The translation says so to `unevaluatedItems`.
 */
const contains: CodeKeywordDefinition = {
  ...ajvContains,
  code(cxt) {
    const { items } = cxt.it;
    boundedContains.code(cxt);
    writeItems(cxt, items);
  },
};

/**
 * How many items were looked at may be known only while judging: then ajv compares the length with what may be `true`
 * (all of them) or nothing at all (no branch that looks at items fitted).
 */
const unevaluatedItems: CodeKeywordDefinition = {
  ...ajvUnevaluatedItems,
  code(cxt) {
    const { items } = cxt.it;
    if (items instanceof Name) {
      const length = _`${cxt.data}.length`;
      writeItems(cxt, cxt.gen.const('from', _`${items} === true ? ${length} : ${items} || 0`));
    }
    boundedUnevaluatedItems.code(cxt);
  },
};

function writeItems({ it }: KeywordCxt, items: KeywordCxt['it']['items'] | undefined): void {
  if (items === undefined) delete it.items;
  else it.items = items;
}

/** Keywords of ajv that do not do exactly what JSON Schema says, mended. */
export const CORRECTED_KEYWORDS: readonly CodeKeywordDefinition[] = [contains, unevaluatedItems];

/** A reference that closes a circle, which is one to a schema that is being compiled, is followed with care. */
export const referenceKeyword: CodeKeywordDefinition = {
  ...ajvRef,
  code(cxt, ruleType) {
    const { gen, it } = cxt;
    const target = resolveRef.call(it.self, it.schemaEnv.root, it.baseId, String(cxt.schema));
    if (!(target instanceof SchemaEnv) || target.validate !== undefined) {
      ajvRef.code(cxt, ruleType);
      return;
    }
    const around = gen.scopeValue('wrapper', { ref: target });
    const code = _`parts.recurring(() => ${around}.validate)`;
    callRef(cxt, gen.scopeValue('func', { key: target, ref: recursiveValidator(() => target.validate), code }), target);
  },
};

const error: KeywordErrorDefinition = {
  message: '',
  // `data` and the rest are ajv's; the judge's own object goes through as it is.
  params: ({ params }) => _`${params['broken']}`,
};

/**
 * A keyword of ours for ajv. It becomes one call in the generated code: a keyword that ajv calls with a context, and
 * whose errors it collects, takes thirty lines at each place, which costs a large description seconds. Where the code is
 * kept as text, the judge is made again from its operand: see `ready-validators`.
 */
export function ajvKeyword({ keyword, schemaType, createValidator }: ExactKeyword): CodeKeywordDefinition {
  return {
    keyword,
    schemaType,
    error,
    code(cxt) {
      const { gen, data } = cxt;
      const operand: JsonValue = cxt.schema as JsonValue;
      const isStored = cxt.it.opts.code.source === true;
      const ask = gen.scopeValue('keyword', {
        ref: createValidator(operand as never),
        ...(isStored ? { code: _`parts.judge(${keyword}, ${stringifyJson(operand)})` } : {}),
      });
      const broken = gen.const('broken', _`${ask}(${data})`);
      cxt.setParams({ broken });
      cxt.fail(_`${broken} !== undefined`);
    },
  };
}

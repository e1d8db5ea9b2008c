import { _, Name } from 'ajv/dist/compile/codegen';
import type { KeywordCxt } from 'ajv/dist/compile/validate';
import type { CodeKeywordDefinition } from 'ajv/dist/types';
import ajvContains from 'ajv/dist/vocabularies/applicator/contains';
import ajvUnevaluatedItems from 'ajv/dist/vocabularies/unevaluated/unevaluatedItems';
import { forget, withBoundedLoops } from './bounded-keywords';

const boundedContains = withBoundedLoops(ajvContains, forget);
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

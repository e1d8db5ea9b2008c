import { _ } from 'ajv/dist/compile/codegen';
import AjvCore, { type Options } from 'ajv/dist/core';
import type { Vocabulary } from 'ajv/dist/types';
import draft2020Vocabularies from 'ajv/dist/vocabularies/draft2020';
import { ajvKeyword } from './ajv-keyword';
import { BOUNDED_KEYWORDS } from './bounded-keywords';
import { CORRECTED_KEYWORDS } from './corrected-keywords';
import { EXACT_KEYWORDS } from './exact-judges';
import { FORMATS } from './formats';
import { compilePattern } from './pattern/compile-pattern';
import { referenceKeyword } from './reference-keyword';

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  // `required` must not be satisfied by what an object inherits: `constructor`, `toString`.
  ownProperties: true,
  // What is compiled here was translated by us; the words of a violation are ours as well.
  validateSchema: false,
  addUsedSchema: false,
  meta: false,
  messages: false,
  logger: false,
  // A schema that twenty others refer to is compiled once and called, unless it is as short as the call.
  inlineRefs: 6,
  // More required members than this are gone through in a loop.
  loopRequired: 12,
  code: {
    // Walking the generated code once more costs as much as making it, and V8 optimises it anyway.
    optimize: false,
    regExp: Object.assign(compilePattern, { code: 'compilePattern' }),
  },
};

const IN_PLACE = [...BOUNDED_KEYWORDS, referenceKeyword];

/**
 * ajv with the keywords of JSON Schema 2020-12, those for exact numbers in place of its own, and our formats. Its core
 * alone: the meta-schemas, which nothing here is judged by, take longer to load than the rest.
 *
 * @param unevaluated - whether to keep account of which members and items were looked at, which every other schema
 *   would pay for
 * @param isKept - whether the code is to be written down
 */
export function createExactAjv({ unevaluated = false, isKept = false }): AjvCore {
  const ajv = new AjvCore({
    ...OPTIONS,
    code: { ...OPTIONS.code, ...(isKept ? { source: true, formats: _`formats` } : {}) },
    unevaluated,
    next: true,
    // Its account of what was looked at is in variables of the function, which are fresh only in one of its own.
    ...(unevaluated ? { inlineRefs: false } : {}),
  });
  for (const vocabulary of draft2020Vocabularies) ajv.addVocabulary(vocabulary.map(inPlace));
  for (const keyword of EXACT_KEYWORDS) ajv.addKeyword(ajvKeyword(keyword));
  for (const keyword of CORRECTED_KEYWORDS) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  return ajv;
}

/** Takes the place of a keyword, so that the order in which errors are found stays. */
function inPlace(definition: Vocabulary[number]): Vocabulary[number] {
  const name = typeof definition === 'string' ? definition : definition.keyword;
  return IN_PLACE.find(({ keyword }) => keyword === name) ?? definition;
}

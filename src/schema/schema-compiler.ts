import { _ } from 'ajv/dist/compile/codegen';
import AjvCore, { type Options } from 'ajv/dist/core';
import standaloneCode from 'ajv/dist/standalone';
import type { AnyValidateFunction, Vocabulary } from 'ajv/dist/types';
import draft2020Vocabularies from 'ajv/dist/vocabularies/draft2020';
import { plainNumbers } from '../core/json/json-value';
import { ajvKeyword, BOUNDED_KEYWORDS, CORRECTED_KEYWORDS, referenceKeyword } from './ajv-keywords';
import { EXACT_KEYWORDS } from './exact-keywords';
import { FORMATS } from './formats';
import { compilePattern } from './pattern/compile-pattern';
import { recursiveValidator, toValidator, type Validator } from './validator';

/** Compiles translated schemas. The only place that knows ajv. */
export interface SchemaCompiler {
  /** Makes a schema known under an id that other schemas may refer to. */
  add(id: string, schema: object): void;
  has(id: string): boolean;
  /** Lets go of a schema that nothing else refers to. */
  forget(id: string): void;
  /**
   * @param needed - ids of all schemas that it leads to, itself among them
   * @throws Error when the schema, or one that it refers to, does not compile
   */
  compile(id: string, needed: readonly string[]): Validator;
  /** The code of validators, by the names that they are to have; for a compiler whose code is stored. */
  codeOf(ids: Readonly<Record<string, string>>): string;
}

/**
 * @param unevaluated - whether schemas may hold `unevaluatedProperties` and `unevaluatedItems`
 * @param isKept - whether the code is to be written down
 */
export function createSchemaCompiler({ unevaluated = false, isKept: isStored = false } = {}): SchemaCompiler {
  const ajv = createExactAjv({ unevaluated, isKept: isStored });
  const known = new Set<string>();

  return {
    add(id, schema) {
      known.add(id);
      ajv.addSchema(isStored ? withPlainText(schema) : schema, id);
    },
    has: (id) => known.has(id),
    forget(id) {
      known.delete(id);
      ajv.removeSchema(id);
    },
    compile(id, needed) {
      let validate: AnyValidateFunction | undefined;
      try {
        validate = ajv.getSchema(id);
      } catch (error) {
        // ajv compiles what a schema refers to while it compiles the schema: hundreds in a row are too deep for it.
        if (!(error instanceof RangeError)) throw error;
        compileSeparately(ajv, needed);
        validate = ajv.getSchema(id);
      }
      if (validate === undefined) throw new Error(`no schema is registered as ${id}`);
      return toValidator(validate);
    },
    codeOf: (ids) => standaloneCode(ajv, ids),
  };
}

/** ajv writes the text of each schema into code that is stored, for the names in it, and cannot write exact numbers. */
function withPlainText(schema: object): object {
  return Object.defineProperty({ ...schema }, 'toJSON', { value: () => plainNumbers({ ...schema }) });
}

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
  // More required properties than this are gone through in a loop.
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
 * alone: the meta-schemas, which nothing here is checked by, take longer to load than the rest.
 *
 * @param unevaluated - whether to keep account of which properties and items were looked at, which every other schema
 *   would pay for
 * @param isKept - whether the code is to be written down
 */
function createExactAjv({ unevaluated = false, isKept: isStored = false }): AjvCore {
  const ajv = new AjvCore({
    ...OPTIONS,
    code: { ...OPTIONS.code, ...(isStored ? { source: true, formats: _`formats` } : {}) },
    unevaluated,
    next: true,
    // Its account of what was looked at is in variables of the function, which are fresh only in one of its own.
    ...(unevaluated ? { inlineRefs: false } : {}),
  });
  // Compilers do not change their keywords. To make them takes longer than to compile a small schema.
  if (keywords === undefined) {
    addKeywords(ajv);
    keywords = { RULES: ajv.RULES, formats: ajv.formats };
  }
  return Object.assign(ajv, keywords);
}

/** The keywords and formats of all compilers. */
let keywords: Pick<AjvCore, 'RULES' | 'formats'> | undefined;

function addKeywords(ajv: AjvCore): void {
  for (const vocabulary of draft2020Vocabularies) ajv.addVocabulary(vocabulary.map(inPlace));
  for (const keyword of EXACT_KEYWORDS) ajv.addKeyword(ajvKeyword(keyword));
  for (const keyword of CORRECTED_KEYWORDS) {
    ajv.removeKeyword(String(keyword.keyword));
    ajv.addKeyword(keyword);
  }
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
}

/** Takes the place of a keyword, so that the order in which errors are found stays. */
function inPlace(definition: Vocabulary[number]): Vocabulary[number] {
  const name = typeof definition === 'string' ? definition : definition.keyword;
  return IN_PLACE.find(({ keyword }) => keyword === name) ?? definition;
}

/**
 * Compiles schemas one after another, however long the chain of references between them: each of them calls the others
 * through a function that is there before they are. Such a call costs a little more than one that ajv makes itself.
 *
 * @param ids - schemas that ajv knows, and that refer to no others
 */
function compileSeparately(ajv: AjvCore, ids: readonly string[]): void {
  const open = ids.flatMap((id) => {
    const environment = ajv.schemas[id];
    if (environment === undefined || environment.validate !== undefined) return [];
    const call = openCall();
    environment.validate = call.through;
    return [{ id, environment, call }];
  });
  try {
    for (const { id, environment, call } of open) {
      delete environment.validate;
      const validate = ajv.getSchema(id);
      if (validate === undefined) throw new Error(`no schema is registered as ${id}`);
      call.validate = validate;
    }
  } catch (error) {
    // What was not compiled is not to look as if it were.
    for (const { environment, call } of open) if (call.validate === undefined) delete environment.validate;
    throw error;
  }
}

interface OpenCall {
  validate: AnyValidateFunction | undefined;
  /** Calls the schema, and tells what it tells: its errors, and what it looked at. */
  readonly through: AnyValidateFunction;
}

function openCall(): OpenCall {
  const call: OpenCall = { validate: undefined, through: recursiveValidator(() => call.validate) };
  return call;
}

import standaloneCode from 'ajv/dist/standalone';
import type { AnyValidateFunction } from 'ajv/dist/types';
import { compileApart } from './compile-apart';
import { createExactAjv } from './exact-ajv';
import { plainNumbers } from '../json/plain-numbers';
import { toValidator } from './to-validator';
import type { Validator } from './violation';

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
  /** The code of validators, by the names that they are to have; for a compiler whose code is kept. */
  codeOf(ids: Readonly<Record<string, string>>): string;
}

/**
 * @param unevaluated - whether schemas may hold `unevaluatedProperties` and `unevaluatedItems`
 * @param isKept - whether the code is to be written down
 */
export function createSchemaCompiler({ unevaluated = false, isKept = false } = {}): SchemaCompiler {
  const ajv = createExactAjv({ unevaluated, isKept });
  const known = new Set<string>();

  return {
    add(id, schema) {
      known.add(id);
      ajv.addSchema(isKept ? withPlainText(schema) : schema, id);
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
        compileApart(ajv, needed);
        validate = ajv.getSchema(id);
      }
      if (validate === undefined) throw new Error(`no schema is registered as ${id}`);
      return toValidator(validate);
    },
    codeOf: (ids) => standaloneCode(ajv, ids),
  };
}

/** ajv writes the text of each schema into code that is kept, for the names in it, and cannot write exact numbers. */
function withPlainText(schema: object): object {
  return Object.defineProperty({ ...schema }, 'toJSON', { value: () => plainNumbers({ ...schema }) });
}

import type { AnyValidateFunction, ErrorObject } from 'ajv/dist/types';
import { compileApart } from './compile-apart';
import { createExactAjv } from './exact-ajv';
import { NUMBER_FORMATS } from './formats';
import { NO_VIOLATIONS, type Validator } from './violation';
import { violationFromAjv } from './violation-message';

/** Compiles translated schemas. The only place that knows ajv. */
export interface SchemaCompiler {
  /** Makes a schema known under an id that other schemas may refer to. */
  add(id: string, schema: object): void;
  has(id: string): boolean;
  /**
   * @param needed - ids of all schemas that it leads to, itself among them
   * @throws Error when the schema, or one that it refers to, does not compile
   */
  compile(id: string, needed: readonly string[]): Validator;
  knowsFormat(format: string): boolean;
}

/** @param unevaluated - whether schemas may hold `unevaluatedProperties` and `unevaluatedItems` */
export function createSchemaCompiler({ unevaluated = false } = {}): SchemaCompiler {
  const ajv = createExactAjv({ unevaluated });
  const known = new Set<string>();

  return {
    add(id, schema) {
      known.add(id);
      ajv.addSchema(schema, id);
    },
    has: (id) => known.has(id),
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
    knowsFormat: (format) => NUMBER_FORMATS.has(format) || ajv.formats[format] !== undefined,
  };
}

function toValidator(validate: AnyValidateFunction): Validator {
  return (value) => {
    if (validate(value) === true) return NO_VIOLATIONS;
    return (validate.errors ?? []).flatMap((error: ErrorObject) => violationFromAjv(error) ?? []);
  };
}

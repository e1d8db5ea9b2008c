import Ajv from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { exactEnumKeyword, exactTypeKeyword, exactUniqueItemsKeyword } from './exact-keywords';
import { addStringFormats, NUMBER_FORMATS } from './formats';
import { exactNumberKeyword } from './number-keyword';
import { NO_VIOLATIONS, type Validator } from './violation';
import { violationFromAjv } from './violation-message';

/** Compiles translated schemas. The only place that knows ajv. */
export interface SchemaCompiler {
  /** Makes a schema known under an id that other schemas may refer to. */
  add(id: string, schema: object): void;
  has(id: string): boolean;
  /** @throws Error when the schema, or one that it refers to, does not compile */
  compile(id: string): Validator;
  knowsFormat(format: string): boolean;
}

export function createSchemaCompiler(): SchemaCompiler {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    // `required` must not be satisfied by what an object inherits: `constructor`, `toString`.
    ownProperties: true,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
    code: { regExp: Object.assign(lenientRegExp, { code: 'lenientRegExp' }) },
  });
  addStringFormats(ajv);
  for (const keyword of [exactTypeKeyword, exactNumberKeyword, exactEnumKeyword, exactUniqueItemsKeyword]) {
    ajv.addKeyword(keyword);
  }
  const known = new Set<string>();

  return {
    add(id, schema) {
      known.add(id);
      ajv.addSchema(schema, id);
    },
    has: (id) => known.has(id),
    compile(id) {
      const validate = ajv.getSchema(id);
      if (validate === undefined) throw new Error(`no schema is registered as ${id}`);
      return toValidator(validate);
    },
    knowsFormat: (format) => NUMBER_FORMATS.has(format) || ajv.formats[format] !== undefined,
  };
}

function toValidator(validate: ValidateFunction): Validator {
  return (value) => {
    if (validate(value)) return NO_VIOLATIONS;
    return (validate.errors ?? []).flatMap((error: ErrorObject) => violationFromAjv(error) ?? []);
  };
}

/** OpenAPI patterns are ECMA-262; many were written without the `u` flag in mind, so that one is tried first only. */
function lenientRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

import Ajv from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { isRfc3339Date, isRfc3339DateTime } from '../time/date-time';
import { exactEnumKeyword, exactTypeKeyword, exactUniqueItemsKeyword } from './exact-keywords';
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

/** Formats that only describe and are never checked (OAS 3.0.3 "Data Types"). */
const DESCRIPTIVE_FORMATS = ['password', 'binary'];
const NUMBER_FORMATS = new Set(['int32', 'int64', 'float', 'double']);
const UNCHECKED_FORMATS = ['regex', 'url', 'json-pointer-uri-fragment', 'iso-time', 'iso-date-time'] as const;

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
  addFormats(ajv);
  for (const name of UNCHECKED_FORMATS) ajv.addFormat(name, true);
  ajv.addFormat('date-time', { type: 'string', validate: isRfc3339DateTime });
  ajv.addFormat('date', { type: 'string', validate: isRfc3339Date });
  for (const name of DESCRIPTIVE_FORMATS) ajv.addFormat(name, true);
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

import { messageOf } from '../errors/error-facts';
import { SpecError } from '../errors/harness-error';
import { getAtPointer } from '../json/json-pointer';
import { translateOpenApi30 } from '../json-schema/openapi-30-dialect';
import { isSchemaObject, type Direction, type SchemaObject } from '../json-schema/schema';
import { createSchemaCompiler, type SchemaCompiler } from '../json-schema/schema-compiler';
import type { Validator } from '../json-schema/violation';
import { localPointer, resolveObject } from './references';
import type { SourceDocument } from './source-document';

/** Validators for the schemas of one description, compiled on first use and kept. */
export class SchemaRegistry {
  private readonly document: SourceDocument;
  private readonly validators = new Map<string, Validator>();
  // Loading ajv and its formats takes longer than reading a small description, so that it waits for the first use.
  private loadedCompiler: SchemaCompiler | undefined;

  constructor(document: SourceDocument) {
    this.document = document;
  }

  /**
   * The validator of the schema at a pointer.
   *
   * @throws SpecError `SPEC_SCHEMA_DOES_NOT_COMPILE`: being unable to judge is never "valid"
   */
  validator(pointer: string, direction: Direction): Validator {
    const id = schemaId(pointer, direction);
    let validator = this.validators.get(id);
    if (validator === undefined) {
      this.register(pointer, direction);
      validator = this.compile(id, pointer);
      this.validators.set(id, validator);
    }
    return validator;
  }

  knowsFormat(format: string): boolean {
    return this.compiler.knowsFormat(format);
  }

  private get compiler(): SchemaCompiler {
    return (this.loadedCompiler ??= createSchemaCompiler());
  }

  /** Registers a schema and, through its references, every schema that it needs; circles end where they began. */
  private register(pointer: string, direction: Direction): void {
    const id = schemaId(pointer, direction);
    if (this.compiler.has(id)) return;
    const pending: string[] = [];
    const schema = getAtPointer(this.document.root, pointer);
    const translated = isSchemaObject(schema)
      ? translateOpenApi30(schema, {
          direction,
          resolve: (member) => this.resolve(member, pointer),
          refer: (reference) => {
            const target = localPointer(reference);
            if (target === undefined) return reference;
            pending.push(target);
            return schemaId(target, direction);
          },
        })
      : {};
    this.compiler.add(id, translated);
    for (const target of pending) this.register(target, direction);
  }

  private resolve(schema: SchemaObject, pointer: string): SchemaObject {
    return resolveObject(this.document, { value: schema, pointer })?.value ?? schema;
  }

  private compile(id: string, pointer: string): Validator {
    try {
      return this.compiler.compile(id);
    } catch (cause) {
      const message = messageOf(cause);
      const { file } = this.document;
      throw new SpecError(
        'SPEC_SCHEMA_DOES_NOT_COMPILE',
        `The schema at ${pointer} in ${file} does not compile: ${message}`,
        {
          cause,
          findings: [
            { rule: 'schema-compiles', severity: 'error', file, pointer, message, ...this.document.placeOf(pointer) },
          ],
        },
      );
    }
  }
}

/** Ids are absolute URIs, so that ajv never joins two of them. */
function schemaId(pointer: string, direction: Direction): string {
  return `standin:///${direction}${encodeURI(pointer).replaceAll('#', '%23')}`;
}

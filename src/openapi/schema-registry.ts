import { messageOf } from '../errors/error-facts';
import { SpecError } from '../errors/harness-error';
import { translateOpenApi30 } from '../json-schema/openapi-30-dialect';
import { isSchemaObject, type Direction } from '../json-schema/schema';
import { createSchemaCompiler, type SchemaCompiler } from '../json-schema/schema-compiler';
import type { Validator } from '../json-schema/violation';
import { endlessSchema } from './endless-reference';
import { localPointer, resolveObject } from './references';
import { findingAt, valueAt, type SourceDocument } from './source-document';

/** A schema that cannot judge, and why. It may stand behind a reference of the one that was asked for. */
class SchemaFault extends Error {
  readonly pointer: string;

  constructor(pointer: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.pointer = pointer;
  }
}

/** Stands for a schema behind a reference where only the schema around it is tried. */
const ANYTHING = 'standin:///anything';

/** Validators for the schemas of one description, compiled on first use and kept. */
export class SchemaRegistry {
  private readonly document: SourceDocument;
  private readonly validators = new Map<string, Validator>();
  /** Of each registered schema, the pointers that it refers to. */
  private readonly targets = new Map<string, ReadonlySet<string>>();
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
      validator = this.compile(pointer, direction);
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

  private compile(pointer: string, direction: Direction): Validator {
    try {
      const needed = this.register(pointer, direction);
      try {
        return this.compiler.compile(schemaId(pointer, direction));
      } catch (cause) {
        throw this.culprit(pointer, needed, direction, cause);
      }
    } catch (fault) {
      if (!(fault instanceof SchemaFault)) throw fault;
      const { message } = fault;
      const text = `The schema at ${pointer} in ${this.document.file} does not compile: ${message}`;
      const finding = findingAt(this.document, fault.pointer, { rule: 'schema-compiles', message });
      throw new SpecError('SPEC_SCHEMA_DOES_NOT_COMPILE', text, { cause: fault.cause, findings: [finding] });
    }
  }

  /**
   * Registers a schema and, through its references, every schema that it needs: all of them, or none when one is at
   * fault, so that a later question meets the same fault.
   *
   * @returns the pointers of all of them
   */
  private register(pointer: string, direction: Direction): string[] {
    const added = new Map<string, { readonly schema: object; readonly targets: ReadonlySet<string> }>();
    // What is added while the set is walked is walked too, once: circles end where they began.
    const needed = new Set([pointer]);
    for (const next of needed) {
      const id = schemaId(next, direction);
      let targets = this.targets.get(id);
      if (targets === undefined) {
        const found = new Set<string>();
        added.set(id, { schema: this.translate(next, direction, found), targets: found });
        targets = found;
      }
      for (const target of targets) needed.add(target);
    }
    for (const [id, { schema, targets }] of added) {
      this.targets.set(id, targets);
      this.compiler.add(id, schema);
    }
    return [...needed];
  }

  /** @param targets - gets the pointers that the schema refers to */
  private translate(pointer: string, direction: Direction, targets: Set<string>): object {
    const schema = valueAt(this.document, pointer);
    if (!isSchemaObject(schema)) throw new SchemaFault(pointer, 'no schema stands there');
    const endless = endlessSchema(this.document, pointer);
    if (endless !== undefined) {
      throw new SchemaFault(endless, 'a value would be judged by this schema again and again, without end');
    }
    return translateOpenApi30(schema, {
      direction,
      resolve: (member) => resolveObject(this.document, { value: member, pointer })?.value ?? member,
      refer: (reference) => {
        const target = localPointer(reference);
        if (target === undefined || !isSchemaObject(valueAt(this.document, target))) {
          throw new SchemaFault(pointer, `its reference ${reference} leads to no schema of this file`);
        }
        targets.add(target);
        return schemaId(target, direction);
      },
    });
  }

  /** The schema that does not even compile alone; the one that was asked for when each of them does. */
  private culprit(pointer: string, needed: readonly string[], direction: Direction, cause: unknown): SchemaFault {
    const compiler = createSchemaCompiler();
    compiler.add(ANYTHING, {});
    for (const candidate of needed) {
      const schema = valueAt(this.document, candidate);
      if (!isSchemaObject(schema)) continue;
      const id = schemaId(candidate, direction);
      compiler.add(id, translateOpenApi30(schema, { direction, resolve: (member) => member, refer: () => ANYTHING }));
      try {
        compiler.compile(id);
      } catch (reason) {
        return new SchemaFault(candidate, messageOf(reason), reason);
      }
    }
    return new SchemaFault(pointer, messageOf(cause), cause);
  }
}

/** Ids are absolute URIs, so that ajv never joins two of them. */
function schemaId(pointer: string, direction: Direction): string {
  return `standin:///${direction}${encodeURI(pointer).replaceAll('#', '%23')}`;
}

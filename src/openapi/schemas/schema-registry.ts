import { type SourceFinding, SpecError } from '../../core/errors/standin-error';
import { upgradeDialect } from '../../schema/dialects/schema-context';
import { operandErrors, patternErrors } from '../../schema/dialects/keyword-operands';
import { translateJsonSchema } from '../../schema/dialects/json-schema-2020';
import { type TranslatedSchema, withOneOfAsAnyOf } from '../../schema/dialects/translated-keywords';
import { type Direction, InvalidSchemaError, isSchemaObject } from '../../schema/schema-object';
import type { Validator } from '../../schema/validator';
import {
  CompiledSchemas,
  contextOf,
  type DynamicScope,
  NO_SCOPE,
  type SchemaUse,
  type TranslateUse,
} from './compiled-schemas';
import { CircularSchemas, SchemaClosure } from './schema-graph';
import { findingAt, oasVersionOf, type SourceDocument, valueAt } from '../read/source-document';
import { type Located, type LocatedObject, referenceOf } from '../read/references';
import { SchemaResources } from './schema-resources';

interface RegistryOptions {
  readonly precompiled?: (() => ReadonlyMap<string, Validator>) | undefined;
  readonly writesCode?: boolean | undefined;
  readonly strict?: SchemaRegistry;
}

/** The name of a validator. */
function validatorName(pointer: string, direction: Direction): string {
  return `${direction} ${pointer}`;
}

/** Validators for the schemas of one description, compiled on first use and kept. */
export class SchemaRegistry {
  private readonly document: SourceDocument;
  private readonly ready: RegistryOptions['precompiled'];
  private readonly validators = new Map<string, Validator>();
  private readonly plain: CompiledSchemas;
  private readonly withUnevaluated: CompiledSchemas;
  private readonly strict: SchemaRegistry | undefined;
  private madeLoose: SchemaRegistry | undefined;
  private foundResources: SchemaResources | undefined;
  private foundClosure: SchemaClosure | undefined;
  private foundEndless: CircularSchemas | undefined;

  /**
   * @param ready - gives validators that were made before, by {@link validatorName}
   * @param isKept - whether the code of validators is to be written down
   * @param strict - of the same document, for one whose values may fit several branches of a `oneOf`
   */
  constructor(document: SourceDocument, { precompiled, writesCode = false, strict }: RegistryOptions = {}) {
    this.document = document;
    this.ready = precompiled;
    this.strict = strict;
    const translate: TranslateUse =
      strict === undefined ? this.translate : (use, register) => withOneOfAsAnyOf(this.translate(use, register));
    this.plain = new CompiledSchemas(false, writesCode, translate);
    this.withUnevaluated = new CompiledSchemas(true, writesCode, translate);
  }

  /** The same schemas where a value may fit several branches of a `oneOf`: few requests ask for them. */
  get loose(): SchemaRegistry {
    return (this.madeLoose ??= new SchemaRegistry(this.document, { strict: this }));
  }

  /**
   * The validator of the schema at a pointer; the same one for both directions where nothing depends on them.
   *
   * @throws SpecError `SPEC_SCHEMA_DOES_NOT_COMPILE`: being unable to check is never "valid"
   */
  validator(pointer: string, direction: Direction): Validator {
    const asked = validatorName(pointer, direction);
    let validator = this.validators.get(asked);
    if (validator === undefined) {
      validator = this.ready?.().get(asked) ?? this.compile(pointer, direction);
      this.validators.set(asked, validator);
    }
    return validator;
  }

  /**
   * Throws what {@link validator} throws, in less time where many schemas are asked for and none of them is needed.
   *
   * @throws SpecError `SPEC_SCHEMA_DOES_NOT_COMPILE`
   */
  requireCompiles(pointer: string, direction: Direction): void {
    if (this.validators.has(validatorName(pointer, direction))) return;
    this.naming(pointer, () => {
      const { schemas, use } = this.prepare(pointer, direction);
      schemas.requireCompiles(use);
    });
  }

  /**
   * What is wrong with the keywords of one schema object alone: operands that they cannot have, by the meta-schema of its
   * dialect, and patterns. In OpenAPI 3.0 the official JSON Schema checks all of it but the patterns.
   */
  keywordFindings({ value: schema, pointer }: Located): SourceFinding[] {
    const isOpenApi30 = oasVersionOf(this.document) === '3.0';
    if (!isSchemaObject(schema) || (isOpenApi30 && referenceOf(schema) !== undefined)) return [];
    const faults = isOpenApi30 ? patternErrors(schema, pointer) : operandErrors(schema, pointer);
    if (isOpenApi30 || faults.length === 0) return faults.map((fault) => this.findingOf(fault));
    try {
      const { dialect } = this.resources.around(pointer);
      const told = dialect === '2020-12' ? faults : operandErrors(upgradeDialect(schema, dialect), pointer);
      return told.map((fault) => this.findingOf(fault));
    } catch (fault) {
      return [this.findingOf(fault)];
    }
  }

  /**
   * The code of the validators of schemas, by what they are asked for with. Those that look at what other keywords left
   * are not among them: they are compiled when they are used.
   */
  codeOf(places: readonly ValidatedSchema[]): string {
    const uses = new Map<string, SchemaUse>();
    for (const { schema, directions } of places) {
      for (const direction of directions) {
        const { schemas, use } = this.prepare(schema.pointer, direction);
        if (schemas === this.plain) uses.set(validatorName(schema.pointer, direction), use);
      }
    }
    return this.plain.codeOf(uses);
  }

  private compile(pointer: string, direction: Direction): Validator {
    return this.naming(pointer, () => {
      const { schemas, use } = this.prepare(pointer, direction);
      // The other direction may have had it compiled.
      const other = direction === 'request' ? 'response' : 'request';
      const known = use.dependsOnDirection ? undefined : this.validators.get(validatorName(pointer, other));
      return known ?? schemas.compile(use);
    });
  }

  /** A fault is one of the description, and named. */
  private naming<Made>(pointer: string, make: () => Made): Made {
    try {
      return make();
    } catch (fault) {
      const finding = this.findingOf(fault);
      const text = `The schema at ${pointer} in ${this.document.file} does not compile: ${finding.message}`;
      const cause = fault instanceof InvalidSchemaError ? fault.cause : fault;
      throw new SpecError('SPEC_SCHEMA_DOES_NOT_COMPILE', text, { cause, findings: [finding] });
    }
  }

  private findingOf(fault: unknown): SourceFinding {
    if (!(fault instanceof InvalidSchemaError)) throw fault;
    const { pointer, message, expected, hint } = fault;
    return findingAt(this.document, pointer, { rule: 'schema-compiles', message, expected, hint });
  }

  private prepare(pointer: string, direction: Direction): { schemas: CompiledSchemas; use: SchemaUse } {
    const { hasUnevaluated } = this.closure.factsOf(pointer);
    return {
      schemas: hasUnevaluated ? this.withUnevaluated : this.plain,
      use: this.useOf(pointer, direction, NO_SCOPE),
    };
  }

  /** What does not matter to the schema is left out, so that uses that differ in nothing else are one. */
  private useOf(pointer: string, direction: Direction, scope: DynamicScope): SchemaUse {
    const { dependsOnDirection, hasDynamic } = this.closure.factsOf(pointer);
    return { pointer, direction, dependsOnDirection, scope: hasDynamic ? scope : NO_SCOPE };
  }

  private get resources(): SchemaResources {
    return (this.foundResources ??= this.strict?.resources ?? new SchemaResources(this.document));
  }

  private get endless(): CircularSchemas {
    return (this.foundEndless ??= this.strict?.endless ?? new CircularSchemas(this.document, this.resources));
  }

  private get closure(): SchemaClosure {
    return (this.foundClosure ??= this.strict?.closure ?? new SchemaClosure(this.document, this.resources));
  }

  private readonly translate = (use: SchemaUse, register: (other: SchemaUse) => string): TranslatedSchema => {
    const { pointer, direction } = use;
    const schema = valueAt(this.document, pointer);
    const { resources } = this;
    if (!isSchemaObject(schema) && (resources.isOpenApi30 || typeof schema !== 'boolean')) {
      throw new InvalidSchemaError(pointer, 'no schema stands there');
    }
    const endless = this.endless.find(pointer);
    if (endless !== undefined) {
      throw new InvalidSchemaError(endless, 'a value would be judged by this schema again and again, without end');
    }
    const context = contextOf({
      document: this.document,
      resources,
      use,
      hasDynamic: this.closure.factsOf(pointer).hasDynamic,
      register: (target, scope) => register(this.useOf(target, direction, scope)),
    });
    return translateJsonSchema({ schema, pointer, context });
  };
}

/** A schema that values are checked by. */
export interface ValidatedSchema {
  /** Where the schema stands after references. */
  readonly schema: LocatedObject;
  readonly directions: readonly Direction[];
}

import { messageOf } from '../../core/errors/standin-error';
import type { SchemaContext, SchemaInContext } from '../../schema/dialects/schema-context';
import type * as Compiler from '../../schema/schema-compiler';
import { type Direction, InvalidSchemaError } from '../../schema/schema-object';
import type { Validator } from '../../schema/validator';
import { type SourceDocument, valueAt } from '../read/source-document';
import type { SchemaResource, SchemaResources } from './schema-resources';

/** The dynamic anchors that were met first on the way from where the judging began, by name. */
export type DynamicScope = ReadonlyMap<string, string>;

export const NO_SCOPE: DynamicScope = new Map();

/**
 * A schema as it is compiled. One schema is compiled twice where the direction matters to it, or where dynamic
 * references lead somewhere else depending on where the judging began; those are followed once, here, and not again for
 * every value.
 */
export interface SchemaUse {
  readonly pointer: string;
  readonly direction: Direction;
  /** Does the direction matter? Then the schema is compiled for each. */
  readonly dependsOnDirection: boolean;
  readonly scope: DynamicScope;
}

/** Two uses are the same exactly when they have the same key. */
function keyOf({ pointer, direction, dependsOnDirection, scope }: SchemaUse): string {
  const anchors = [...scope].map(([name, target]) => ` ${name}=${target}`).sort();
  return `${dependsOnDirection ? direction : 'both'} ${pointer}${anchors.join('')}`;
}

/** What the contexts of one use share. */
interface Around {
  readonly document: SourceDocument;
  readonly resources: SchemaResources;
  readonly use: SchemaUse;
  /** Gives the id of another schema in the same direction, and sees to its registration. */
  readonly register: (pointer: string, scope: DynamicScope) => string;
  /** Does the scope matter? */
  readonly hasDynamic: boolean;
}

/** The context in which the schema of a use is translated. */
export function contextOf(around: Around): SchemaContext {
  const resource = around.resources.around(around.use.pointer);
  return contextIn(around, resource, scopeOn(around, around.use.scope, resource));
}

function contextIn(around: Around, resource: SchemaResource, scope: DynamicScope): SchemaContext {
  const { document, resources, use } = around;
  const find = (reference: string, pointer: string): string => {
    const target = resources.find(reference, resource);
    if (target === undefined || target === '') throw noSchema(pointer, reference);
    const schema = valueAt(document, target);
    if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema))) {
      throw noSchema(pointer, reference);
    }
    return target;
  };
  const idOf = (target: string): string => {
    return around.register(target, scopeOn(around, scope, resources.around(target)));
  };
  return {
    direction: use.direction,
    dependsOnDirection: use.dependsOnDirection,
    dialect: resource.dialect,
    register: idOf,
    refer: (reference, pointer) => idOf(find(reference, pointer)),
    referDynamically(reference, pointer) {
      const target = find(reference, pointer);
      return idOf(resources.findDynamic(reference, resource, scope) ?? target);
    },
    target(reference): SchemaInContext | undefined {
      const pointer = resources.find(reference, resource);
      const schema = pointer === undefined ? undefined : valueAt(document, pointer);
      if (pointer === undefined || schema === undefined) return undefined;
      const there = resources.around(pointer);
      return { schema, pointer, context: contextIn(around, there, scopeOn(around, scope, there)) };
    },
    within(schema, pointer) {
      const inner = resources.within(resource, schema, pointer);
      return inner === resource ? this : contextIn(around, inner, scopeOn(around, scope, inner));
    },
  };
}

/** The scope after a resource is entered: what was met before stays (JSON Schema Core §8.2.3.2). */
function scopeOn({ hasDynamic, resources }: Around, scope: DynamicScope, resource: SchemaResource): DynamicScope {
  if (!hasDynamic) return NO_SCOPE;
  const fresh = [...resources.dynamicAnchors(resource)].filter(([name]) => !scope.has(name));
  return fresh.length === 0 ? scope : new Map([...scope, ...fresh]);
}

/** @param pointer - the schema that refers */
export function noSchema(pointer: string, reference: string): InvalidSchemaError {
  return new InvalidSchemaError(pointer, `its reference ${reference} leads to no schema of this file`);
}

/** Translates the schema of a use; `register` gives the id of one that it refers to. */
export type TranslateUse = (use: SchemaUse, register: (other: SchemaUse) => string) => object;

/** Stands for a schema behind a reference where only the schema around it is tried. */
const ANYTHING = 'standin:///anything';
/** The schema that is tried. */
const ALONE = 'standin:///alone';

interface Registered {
  readonly id: string;
  readonly schema: object;
  /** Keys of what it refers to. */
  readonly targets: ReadonlyMap<string, SchemaUse>;
}

/** Schemas of one document that are registered with one compiler, each once. */
export class CompiledSchemas {
  private readonly unevaluated: boolean;
  private readonly translate: TranslateUse;
  private readonly registered = new Map<string, Registered>();
  private readonly isKept: boolean;
  /** What was tried, by key: see {@link requireCompiles}. */
  private readonly tried = new Set<string>();
  private madeTrial: Compiler.SchemaCompiler | undefined;
  private madeCompiler: Compiler.SchemaCompiler | undefined;
  private count = 0;

  /**
   * @param unevaluated - whether schemas may hold `unevaluatedProperties` and `unevaluatedItems`
   * @param isStored - whether the code of validators is to be written down
   */
  constructor(unevaluated: boolean, isStored: boolean, translate: TranslateUse) {
    this.unevaluated = unevaluated;
    this.isKept = isStored;
    this.translate = translate;
  }

  /** @throws SchemaFault when the schema, or one that it refers to, cannot be used to check */
  compile(use: SchemaUse): Validator {
    const needed = this.register(use);
    try {
      const ids = needed.map((each) => this.idInCompiler(each));
      const validator = this.compiler.compile(this.registered.get(keyOf(use))?.id ?? '', ids);
      for (const each of needed) this.tried.add(keyOf(each));
      return validator;
    } catch (cause) {
      throw this.culprit(use.pointer, needed, cause);
    }
  }

  /**
   * Registers a schema and, through its references, every schema that it needs: all of them, or none when one is at
   * fault, so that a later question meets the same fault.
   *
   * @returns all of them
   * @throws SchemaFault for one that cannot be translated
   */
  register(use: SchemaUse): SchemaUse[] {
    const added = new Map<string, Registered>();
    // What is added while the map is walked is walked too, once: circles end where they began.
    const needed = new Map([[keyOf(use), use]]);
    const ids = new Map<string, string>();
    const idOf = (key: string): string => {
      const id = this.registered.get(key)?.id ?? ids.get(key) ?? `standin:///${String(++this.count)}`;
      ids.set(key, id);
      return id;
    };
    for (const [key, next] of needed) {
      let known = this.registered.get(key);
      if (known === undefined) {
        const targets = new Map<string, SchemaUse>();
        const schema = this.translate(next, (other) => {
          const otherKey = keyOf(other);
          targets.set(otherKey, other);
          return idOf(otherKey);
        });
        known = { id: idOf(key), schema, targets };
        added.set(key, known);
      }
      for (const [target, other] of known.targets) needed.set(target, other);
    }
    for (const [key, known] of added) this.registered.set(key, known);
    return [...needed.values()];
  }

  /**
   * The same as {@link compile} for who wants to know only whether it does: every schema that is needed compiles by
   * itself, with anything behind its references. Of schemas that are alike one is tried; descriptions repeat themselves.
   *
   * @throws SchemaFault as {@link compile}
   */
  requireCompiles(use: SchemaUse): void {
    if (this.tried.has(keyOf(use))) return;
    for (const needed of this.register(use)) {
      const key = keyOf(needed);
      if (this.tried.has(key)) continue;
      const shape = shapeOf(this.registered.get(key)?.schema);
      if (!this.shapes.has(shape)) {
        const reason = this.faultAlone(needed);
        if (reason !== undefined) throw new InvalidSchemaError(needed.pointer, messageOf(reason), { cause: reason });
        keepShape(this.shapes, shape);
      }
      this.tried.add(key);
    }
  }

  /** The compiler knows the schemas that are compiled, and no others: to get to know one takes a while. */
  private idInCompiler(use: SchemaUse): string {
    const known = this.registered.get(keyOf(use));
    if (known === undefined) return '';
    if (!this.compiler.has(known.id)) this.compiler.add(known.id, known.schema);
    return known.id;
  }

  private get shapes(): Set<string> {
    return this.unevaluated ? SHAPES.withUnevaluated : SHAPES.plain;
  }

  /** The code of validators by name, for those that compile. */
  codeOf(uses: ReadonlyMap<string, SchemaUse>): string {
    const ids: Record<string, string> = {};
    for (const [name, use] of uses) {
      this.compile(use);
      ids[name] = this.registered.get(keyOf(use))?.id ?? '';
    }
    return this.compiler.codeOf(ids);
  }

  private get compiler(): Compiler.SchemaCompiler {
    return (this.madeCompiler ??= createCompiler({ unevaluated: this.unevaluated, isKept: this.isKept }));
  }

  /** The schema that does not even compile alone; the one that was asked for when each of them does. */
  private culprit(pointer: string, needed: readonly SchemaUse[], cause: unknown): InvalidSchemaError {
    for (const candidate of needed) {
      const reason = this.faultAlone(candidate);
      if (reason !== undefined) return new InvalidSchemaError(candidate.pointer, messageOf(reason), { cause: reason });
    }
    return new InvalidSchemaError(pointer, messageOf(cause), { cause });
  }

  /** Why a schema does not compile whatever it refers to. */
  private faultAlone(use: SchemaUse): unknown {
    const compiler = (this.madeTrial ??= createCompiler({ unevaluated: this.unevaluated }));
    if (!compiler.has(ANYTHING)) compiler.add(ANYTHING, {});
    compiler.add(
      ALONE,
      this.translate(use, () => ANYTHING),
    );
    try {
      compiler.compile(ALONE, [ALONE, ANYTHING]);
      return undefined;
    } catch (reason) {
      return reason;
    } finally {
      compiler.forget(ALONE);
    }
  }
}

/**
 * Every shape that compiled in this process, the oldest first: a description that is read again, or another one that says
 * the same, is not tried again. The other shapes are tried each time, and say why they do not compile.
 */
const SHAPES = { plain: new Set<string>(), withUnevaluated: new Set<string>() };
const MOST_SHAPES = 2000;
/** Longer ones are rare, and would make what is kept large. */
const LONGEST_SHAPE = 4000;

function keepShape(shapes: Set<string>, shape: string): void {
  if (shape.length > LONGEST_SHAPE) return;
  shapes.add(shape);
  if (shapes.size > MOST_SHAPES) for (const oldest of shapes) return void shapes.delete(oldest);
}

/** What decides whether a translated schema compiles: all of it but which schemas it refers to. */
function shapeOf(schema: unknown): string {
  const text = JSON.stringify(schema, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return text.replace(/"standin:\/\/\/\d+"/g, '""');
}

/** Loading ajv takes longer than reading a small description, so that it waits for the first use. */
function createCompiler(options: Parameters<typeof Compiler.createSchemaCompiler>[0]): Compiler.SchemaCompiler {
  // oxlint-disable-next-line typescript/no-require-imports -- jest cannot run `import()` in CommonJS
  const { createSchemaCompiler } = require('../../schema/schema-compiler') as typeof Compiler;
  return createSchemaCompiler(options);
}

import { messageOf } from '../errors/error-facts';
import type * as Compiler from '../json-schema/schema-compiler';
import { SchemaFault } from '../json-schema/schema-fault';
import type { Validator } from '../json-schema/violation';
import { keyOf, type SchemaUse } from './schema-use';

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
  /** What was tried, by key, and every shape that compiled: see {@link requireCompiles}. */
  private readonly tried = new Set<string>();
  private readonly shapes = new Set<string>();
  private madeTrial: Compiler.SchemaCompiler | undefined;
  private madeCompiler: Compiler.SchemaCompiler | undefined;
  private count = 0;

  /**
   * @param unevaluated - whether schemas may hold `unevaluatedProperties` and `unevaluatedItems`
   * @param isKept - whether the code of validators is to be written down
   */
  constructor(unevaluated: boolean, isKept: boolean, translate: TranslateUse) {
    this.unevaluated = unevaluated;
    this.isKept = isKept;
    this.translate = translate;
  }

  /** @throws SchemaFault when the schema, or one that it refers to, cannot be used to judge */
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
        if (reason !== undefined) throw new SchemaFault(needed.pointer, messageOf(reason), { cause: reason });
        this.shapes.add(shape);
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
  private culprit(pointer: string, needed: readonly SchemaUse[], cause: unknown): SchemaFault {
    for (const candidate of needed) {
      const reason = this.faultAlone(candidate);
      if (reason !== undefined) return new SchemaFault(candidate.pointer, messageOf(reason), { cause: reason });
    }
    return new SchemaFault(pointer, messageOf(cause), { cause });
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

/** What decides whether a translated schema compiles: all of it but which schemas it refers to. */
function shapeOf(schema: unknown): string {
  const text = JSON.stringify(schema, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return text.replace(/"standin:\/\/\/\d+"/g, '""');
}

/** Loading ajv takes longer than reading a small description, so that it waits for the first use. */
function createCompiler(options: Parameters<typeof Compiler.createSchemaCompiler>[0]): Compiler.SchemaCompiler {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
  const { createSchemaCompiler } = require('../json-schema/schema-compiler') as typeof Compiler;
  return createSchemaCompiler(options);
}

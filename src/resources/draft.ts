import type { ApiModel, Operation, Schema } from '../openapi/model';
import type { PathIndex } from './path-index';
import type { PathTemplate } from './path-template';
import type { Elsewhere } from './reading';
import type {
  Action,
  Behaviour,
  BodyShape,
  Choice,
  Confidence,
  Evidence,
  HeldThings,
  ManyShapes,
  Part,
} from './resource-model';
import type { SchemaReader } from './schema-reader';
import type { Statements } from './statements';

/** What every step of the inference looks at. */
export interface Inference {
  readonly api: ApiModel;
  readonly reader: SchemaReader;
  readonly index: PathIndex;
  /** What the description's hints and the overrides file say outright. */
  readonly statements: Statements;
}

/** What one operation is taken to do with a resource, before keys and scopes are known. */
export interface Use {
  readonly operation: Operation;
  readonly behaviour: Behaviour;
  readonly template: PathTemplate;
  /** Variables of the template that stand elsewhere than in the path. */
  readonly elsewhere: ReadonlyMap<string, Elsewhere>;
  /** Segments of the template up to and with the collection; what stands behind them names an item, verb or view. */
  readonly depth: number;
  /** Is the variable behind the collection the key? */
  readonly isOnItem: boolean;
  readonly request: BodyShape | undefined;
  readonly response: BodyShape | undefined;
  readonly action?: Action;
  readonly choice?: Choice;
  readonly many?: ManyShapes | undefined;
  readonly part?: Part;
  readonly held?: HeldThings;
  readonly countBy?: string;
  readonly countedNames?: readonly string[] | undefined;
  /** How the scope of the resource is said, where the variables of the template do not say it one by one. */
  readonly scope?: { readonly names: readonly string[]; readonly isAcross: boolean };
  readonly confidence: Confidence;
  readonly evidence: readonly Evidence[];
}

/** A resource that is being put together. */
export interface ResourceDraft {
  readonly kind: 'collection' | 'singleton';
  readonly template: PathTemplate;
  readonly itemTemplate: PathTemplate | undefined;
  schema: Schema;
  readonly uses: Use[];
  readonly evidence: Evidence[];
  confidence: Confidence;
  /** Is all that is told of it whether it is there? */
  readonly isMembership?: true;
}

/** The lowest of several confidences; `stated` yields to none that was guessed. */
export function leastConfidence(...all: readonly Confidence[]): Confidence {
  const order: readonly Confidence[] = ['low', 'medium', 'high', 'stated'];
  return order.find((confidence) => all.includes(confidence)) ?? 'high';
}

/** `GET /things`, for people. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** The last name of a schema's pointer, for people: `Thing`; `an object` for one without a name. */
export function schemaName({ pointer }: Schema): string {
  const match = /^\/(?:components\/schemas|definitions)\/([^/]+)$/.exec(pointer);
  return match?.[1]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? 'an object';
}

import type { Operation, Schema } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import type { PathIndex } from '../paths/operation-readings';
import { type PathTemplate, shapeOf } from '../../openapi/view/path-template';
import type {
  Action,
  ArrayProperty,
  Behaviour,
  BulkShapes,
  Choice,
  EachItem,
  LinkedItems,
  RelationshipUse,
  VariableSource,
} from '../model/binding';
import type { Confidence, Evidence } from '../model/resource';
import type { BodyShape } from '../../lists/body-shape';
import type { SchemaView } from '../../openapi/view/schema-view';
import type { Statements } from '../overrides/statements';

/** What every step of the inference looks at. */
export interface Inference {
  readonly api: ApiModel;
  readonly view: SchemaView;
  readonly index: PathIndex;
  /** What the description's hints and the overrides file say outright. */
  readonly statements: Statements;
}

/** What one operation is taken to do with a resource, before keys and scopes are known. */
export interface OperationUse {
  readonly operation: Operation;
  readonly behaviour: Behaviour;
  readonly template: PathTemplate;
  /** Variables of the template that stand elsewhere than in the path. */
  readonly outsidePath: ReadonlyMap<string, VariableSource>;
  /** Segments of the template up to and with the collection; what stands behind them names an item, verb or view. */
  readonly depth: number;
  /** Is the variable behind the collection the key? */
  readonly isOnItem: boolean;
  readonly request: BodyShape | undefined;
  readonly response: BodyShape | undefined;
  readonly each?: EachItem;
  readonly action?: Action;
  readonly itemChoice?: Choice;
  readonly bulk?: BulkShapes | undefined;
  readonly arrayProperty?: ArrayProperty;
  readonly linkedItems?: LinkedItems;
  readonly relationship?: RelationshipUse;
  readonly countBy?: string;
  readonly countNames?: readonly string[] | undefined;
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
  readonly uses: OperationUse[];
  readonly evidence: Evidence[];
  confidence: Confidence;
  /** Is all that is reported of it whether it is there? */
  readonly isMembership?: true;
}

/** The lowest of several confidences; `stated` yields to none that was guessed. */
export function leastConfidence(...all: readonly Confidence[]): Confidence {
  const order: readonly Confidence[] = ['low', 'medium', 'high', 'stated'];
  return order.find((confidence) => all.includes(confidence)) ?? 'high';
}

/** `GET /things`, for people. */
export function operationLabel({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** The last name of a schema's pointer, for people: `Thing`; `an object` for one without a name. */
export function schemaName({ pointer }: Schema): string {
  const match = /^\/(?:components\/schemas|definitions)\/([^/]+)$/.exec(pointer);
  return match?.[1]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? 'an object';
}
export function toOperationUse(
  { index }: Inference,
  operation: Operation,
  behaviour: Behaviour,
  { text, ...parts }: UseParts,
): OperationUse {
  const reading = index.readingOf(operation);
  if (reading === undefined) throw new Error(`${operationLabel(operation)} has no template`);
  const { template, outsidePath, reason } = reading;
  const { pointer } = operation;
  const evidence = [
    ...(reason === undefined ? [] : [{ text: `${operationLabel(operation)} ${reason}`, pointer }]),
    { text: `${operationLabel(operation)} ${text}`, pointer },
  ];
  return {
    operation,
    behaviour,
    template,
    outsidePath,
    isOnItem: false,
    request: undefined,
    response: undefined,
    confidence: 'high',
    ...parts,
    evidence,
  };
}

/** What is known of a use beside its operation and behaviour; it is of the collection and has no bodies where nothing else is said. */
type UseParts = Pick<OperationUse, 'depth'> &
  Partial<Omit<OperationUse, 'operation' | 'behaviour' | 'template' | 'outsidePath' | 'evidence'>> & {
    readonly text: string;
  };

/** Finds the resource that a place hangs below. */
export type FindDraft = (shape: string) => ResourceDraft | undefined;

/** The nearest collection above a place. */
export function parentCollection(
  template: PathTemplate,
  find: FindDraft,
): { draft: ResourceDraft; depth: number } | undefined {
  for (let depth = template.segments.length - 1; depth > 0; depth--) {
    const draft = find(shapeOf(template.segments.slice(0, depth)));
    if (draft?.kind === 'collection') return { draft, depth };
  }
  return undefined;
}

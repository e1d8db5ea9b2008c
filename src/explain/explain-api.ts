import type { ExplainedMock, PackExplanation } from './explained-mock';
import { type EventPlan, planEvents, triggerText } from '../events/event-triggers';
import type { OperationPlan } from '../mock/plans/operation-plan';
import type { ItemKey, ResourceDescription } from '../resources/model/resource';
import {
  explainOtherResponses,
  explainRequirements,
  type OtherResponse,
  type RequirementsExplanation,
} from './other-responses';
import { explainSignIn, type SignInExplanation } from './sign-in';
import { explainParameters, type ParameterExplanation } from './parameter-effects';
import {
  evidenceOf,
  explainInitialItems,
  explainSource,
  firstCollection,
  type InitialItemsExplanation,
  locationText,
  type Reason,
  type SourceExplanation,
} from './data-origins';

/** One resource, for people and programs. */
export interface ResourceExplanation {
  readonly path: string;
  readonly kind: string;
  readonly itemPath: string | undefined;
  readonly schema: string;
  readonly key: string;
  readonly isKeyClientChosen: boolean;
  readonly scope: readonly string[];
  readonly references: readonly string[];
  readonly counts: readonly string[];
  readonly confidence: string;
  /** What it holds at the start; `undefined` where that depends on requests. */
  readonly beginning: InitialItemsExplanation | undefined;
  readonly reasons: readonly Reason[];
}

/** One operation, for people and programs. */
export interface OperationExplanation {
  /** Its operationId, else `GET /things`. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly place: string | undefined;
  /** Statuses that a good request may get: the usual one first. */
  readonly statuses: readonly number[];
  readonly source: SourceExplanation;
  readonly needs: RequirementsExplanation;
  /** Those outside the path. */
  readonly parameters: readonly ParameterExplanation[];
  readonly otherAnswers: readonly OtherResponse[];
}

/** A callback or webhook, for people and programs. */
export interface EventExplanation {
  readonly name: string;
  /** Which of several events it is, where its body says that. */
  readonly type: string;
  readonly kind: 'callback' | 'webhook';
  readonly place: string | undefined;
  /** Where a callback is sent, as the description says it. */
  readonly address: string | undefined;
  /** When the mock takes it to happen; `undefined` where it does not know. */
  readonly when: string | undefined;
  readonly reasons: readonly Reason[];
}

export interface Explanation {
  readonly standin: 'explanation/1';
  readonly title: string;
  readonly version: string;
  readonly summary: Readonly<
    Record<'operations' | 'stateful' | 'examples' | 'madeUp' | 'withoutBody' | 'impossible' | 'resources', number>
  >;
  readonly basePaths: readonly string[];
  readonly packs: readonly PackExplanation[];
  readonly resources: readonly ResourceExplanation[];
  readonly operations: readonly OperationExplanation[];
  readonly events: readonly EventExplanation[];
  /** `undefined` where no operation asks for a token. */
  readonly signIn: SignInExplanation | undefined;
}

/** Everything that was inferred from a description, each conclusion with what speaks for it. */
export async function explanationOf(parts: ExplainedMock): Promise<Explanation> {
  const { api, mock } = parts;
  const operations: OperationExplanation[] = [];
  for (const plan of mock.context.plans.all()) operations.push(await explainOperation(parts, plan));
  const from = (kind: SourceExplanation['from']): number =>
    operations.filter(({ source }) => source.from === kind).length;
  return {
    standin: 'explanation/1',
    title: api.title,
    version: api.version,
    summary: {
      operations: operations.length,
      stateful: from('state'),
      examples: from('example'),
      madeUp: from('generated'),
      withoutBody: from('no-body'),
      impossible: from('impossible'),
      resources: mock.model.resources.length,
    },
    basePaths: mock.context.mounts.map(({ basePath }) => basePath),
    packs: explainPacks(parts),
    resources: mock.model.resources.map((resource) => explainResource(parts, resource)),
    operations,
    events: planEvents(api, mock.model, mock.overrides).map((plan) => explainEvent(parts, plan)),
    signIn: explainSignIn(parts),
  };
}

function explainEvent({ api }: ExplainedMock, { event, type, trigger, evidence }: EventPlan): EventExplanation {
  const { name, kind, address, pointer } = event;
  return {
    name,
    type,
    kind,
    place: locationText(api.document, pointer),
    address,
    when: trigger && triggerText(trigger),
    reasons: evidence.map((each) => evidenceOf(api, each)),
  };
}

/** Which packs are used, and why. */
export function explainPacks({ packs }: ExplainedMock): PackExplanation[] {
  return packs.map(({ name, about, folder, chosen }) => ({ name, about, folder, chosen }));
}

function explainResource(parts: ExplainedMock, resource: ResourceDescription): ResourceExplanation {
  const { api } = parts;
  const { path, kind, itemPath, schema, key, scope, references, counts, confidence, evidence } = resource;
  const first = firstCollection(parts, resource);
  return {
    path,
    kind,
    itemPath,
    schema: schema.pointer.replace(/^\/components\/schemas\//, ''),
    key: kind === 'singleton' ? '' : textOfKey(key),
    isKeyClientChosen: key.isClientChosen,
    scope: scope.map(({ name, parent }) => (parent === undefined ? `{${name}}` : `{${name}} of ${parent}`)),
    references: references.map(({ property, to, form }) => `${property} → ${to}${form === 'key' ? '' : ` (${form})`}`),
    counts: counts.map(({ path, child, by, inState }) => {
      const which = inState === undefined ? '' : ` with ${inState.member} ${inState.word}`;
      return `${path.join('.')} of ${child}${by === undefined ? '' : ` by ${by}`}${which}`;
    }),
    confidence,
    beginning: first === undefined ? undefined : explainInitialItems(parts, first.name),
    reasons: [...evidence, ...[...references, ...counts].map((each) => each.evidence)].map((each) =>
      evidenceOf(api, each),
    ),
  };
}

function textOfKey({ name, isHidden, propertyPath }: ItemKey): string {
  if (propertyPath.length > 0) return propertyPath.join('.');
  return isHidden ? 'kept beside the item' : name;
}

export async function explainOperation(parts: ExplainedMock, plan: OperationPlan): Promise<OperationExplanation> {
  const { api, mock } = parts;
  const { operation } = plan;
  const needs = explainRequirements(mock.context, operation);
  const statuses = statusesOf(plan);
  return {
    operation: operation.id,
    method: operation.method,
    path: operation.written,
    place: locationText(api.document, operation.pointer),
    statuses,
    source: await explainSource(parts, plan),
    needs,
    parameters: explainParameters(api, plan, mock.context.rules),
    otherAnswers: explainOtherResponses(api, plan, needs, statuses),
  };
}

function statusesOf({ behaviour, successStatus, createdStatus, foundStatus }: OperationPlan): number[] {
  const isFound = behaviour?.binding.onExisting === 'update';
  if (behaviour?.kind === 'create') return isFound ? [...new Set([createdStatus, foundStatus])] : [createdStatus];
  return behaviour?.kind === 'upsert' ? [...new Set([successStatus, createdStatus])] : [successStatus];
}

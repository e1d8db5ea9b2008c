import type { ApiModel, Operation } from '../openapi/model';
import { dropRefused } from './acceptance';
import { successSchema } from './bodies';
import { childCountsOf } from './child-counts';
import { bindCallers } from './callers';
import { draftCollections } from './collections';
import { bindCount } from './counts';
import type { Inference, ResourceDraft } from './draft';
import { finishBinding, finishResource, orderOf, type ParentAt } from './finish';
import { parentElsewhere } from './parent-elsewhere';
import { shapeOf } from './path-template';
import { bindHeldThings } from './held-things';
import { gatherStatements } from './hints';
import { draftMemberships } from './memberships';
import { mergeNested } from './nested';
import { bindParts, withKept } from './parts';
import { indexPaths } from './path-index';
import { ReferenceTargets, referencesOf } from './references';
import type { ChildCount } from './child-count';
import type { Binding, MemberReference, ResourceDescription, ResourceModel } from './resource-model';
import { withHolders } from './scope-holder';
import { SchemaReader } from './schema-reader';
import { draftSingleton } from './singletons';
import { bindStated, dropStateless } from './stated-uses';
import { shownThere } from './shown-there';
import { NO_OVERRIDES, type Overrides } from './statements';
import { bindBelow, bindWayToItem } from './views';

const MODELS = new WeakMap<ApiModel, WeakMap<Overrides, ResourceModel>>();

/**
 * Finds what a description keeps, and what each of its operations does with it. Reads words only: no schema is
 * compiled. The same description gives the same model, which is worked out once.
 *
 * @param overrides - what is said outright beside the description; it comes before hints in it, and those before guesses
 */
export function inferResourceModel(api: ApiModel, overrides: Overrides = NO_OVERRIDES): ResourceModel {
  let models = MODELS.get(api);
  if (models === undefined) MODELS.set(api, (models = new WeakMap()));
  let model = models.get(overrides);
  if (model === undefined) models.set(overrides, (model = infer(api, overrides)));
  return model;
}

function infer(api: ApiModel, overrides: Overrides): ResourceModel {
  const reader = new SchemaReader(api);
  const index = indexPaths(api, reader);
  const inference: Inference = {
    api,
    reader,
    index,
    statements: gatherStatements(api, index, overrides),
  };
  const reasons = new Map<Operation, string>();
  const drafts = draftCollections(inference);
  bindParts(inference, drafts);
  bindHeldThings(inference, drafts);
  const merged = mergeNested(inference, drafts, reasons);
  dropStateless(inference, drafts, reasons);
  bindStated(inference, drafts, (shape) => drafts.get(shape) ?? merged.get(shape));
  dropRefused(inference, drafts, reasons);

  const draftAt = (shape: string): ResourceDraft | undefined => {
    const root = merged.get(shape);
    return drafts.get(shape) ?? (root !== undefined && drafts.get(root.template.shape) === root ? root : undefined);
  };
  const isStateless = (operation: Operation): boolean =>
    inference.statements.operation(operation)?.isStateless === true;
  const taken = new Set([...drafts.values()].flatMap(({ uses }) => uses.map(({ operation }) => operation)));
  const isFree = (operation: Operation): boolean => !taken.has(operation) && !isStateless(operation);
  for (const operation of api.operations.filter(isFree))
    if (bindWayToItem(inference, operation, draftAt)) taken.add(operation);
  for (const operation of bindCallers(inference, drafts, isFree)) taken.add(operation);
  const others: ResourceDraft[] = [];
  for (const draft of [draftSingletons, draftMemberships]) {
    const drafted = draft(inference, (operation) => !isFree(operation));
    others.push(...drafted);
    for (const { uses } of drafted) for (const { operation } of uses) taken.add(operation);
  }
  for (const operation of api.operations) {
    if (!isFree(operation)) continue;
    const reason = reasonAgainst(inference, operation) ?? bindRest(inference, operation, drafts, draftAt);
    if (reason !== undefined) reasons.set(operation, reasons.get(operation) ?? reason);
  }
  return finish(inference, [...drafts.values(), ...others], draftAt, reasons);
}

function draftSingletons(inference: Inference, isTaken: (operation: Operation) => boolean): ResourceDraft[] {
  return [...inference.index.nodes.values()].flatMap((node) => {
    const isStateless = inference.statements.resource(node.template.shape)?.isStateless === true;
    return isStateless ? [] : (draftSingleton(inference, node, isTaken) ?? []);
  });
}

function bindRest(
  inference: Inference,
  operation: Operation,
  drafts: ReadonlyMap<string, ResourceDraft>,
  draftAt: (shape: string) => ResourceDraft | undefined,
): string | undefined {
  return bindCount(inference, operation, drafts.values()) ? undefined : bindBelow(inference, operation, draftAt);
}

/** What cannot be bound, whatever resources there are. */
function reasonAgainst({ index }: Inference, operation: Operation): string | undefined {
  if (['HEAD', 'OPTIONS', 'TRACE'].includes(operation.method))
    return `${operation.method} reads and changes nothing of its own`;
  if (index.templateOf(operation) === undefined) return 'one segment of its path holds several variables';
  if (operation.method === 'GET' && successSchema(operation) === undefined)
    return 'it documents no JSON that it answers';
  return undefined;
}

function finish(
  inference: Inference,
  drafts: readonly ResourceDraft[],
  draftAt: (shape: string) => ResourceDraft | undefined,
  reasons: Map<Operation, string>,
): ResourceModel {
  const position = orderOf(inference.api.operations);
  const { nodes } = inference.index;
  const pathAt = (shape: string): string | undefined => {
    // `/teams/{team}/things/{owner}/{thing}`: what stands behind the list is no key of what it lists.
    const isOwner = nodes.has(`${shape}/{}/{}`) && !nodes.has(`${shape}/{}`);
    const { template } = draftAt(shape) ?? {};
    return isOwner && template?.segments.at(-1)?.kind === 'variable' ? undefined : template?.path;
  };
  const parentAt: ParentAt = (segments, index) =>
    pathAt(shapeOf(segments.slice(0, index))) ?? parentElsewhere(drafts, segments, index);
  const sorted = [...drafts].sort((left, right) => position(left) - position(right));
  const finished = sorted.map((draft) => ({ draft, known: finishResource(inference, draft, parentAt) }));
  const byPath = new Map(finished.map(({ known }) => [known.path, known]));
  const pairs = finished.map(({ draft, known }) => {
    const references: MemberReference[] = [];
    const counts: ChildCount[] = [];
    const scope = withHolders(known, draft, byPath, inference.reader);
    const shows = shownThere(inference, draft, finished);
    const resource: ResourceDescription = { ...known, scope, references, counts, shows };
    return { draft, resource, references, counts };
  });
  const resources = pairs.map(({ resource }) => resource);
  const targets = new ReferenceTargets(resources);
  const bindings = new Map<Operation, Binding>();
  for (const { draft, resource, references } of pairs) {
    references.push(
      ...referencesOf(resource, targets, inference.reader, inference.statements.resource(draft.template.shape)),
    );
    for (const use of draft.uses)
      bindings.set(
        use.operation,
        finishBinding(inference, withKept(inference, use, resource, resources), resource, parentAt),
      );
  }
  const counted = { resources, bindings: [...bindings.values()], reader: inference.reader };
  for (const { draft, resource, counts } of pairs)
    counts.push(...childCountsOf(resource, counted, inference.statements.resource(draft.template.shape)));
  const unbound = new Map<Operation, string>();
  for (const operation of inference.api.operations) {
    if (!bindings.has(operation)) unbound.set(operation, reasons.get(operation) ?? 'no rule fits what it does');
  }
  return { resources, bindings, templateOf: inference.index.templateOf, unbound };
}

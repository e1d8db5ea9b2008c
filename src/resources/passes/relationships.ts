import { type BodyShape, itemShape, listShape } from '../../lists/body-shape';
import type { Operation } from '../../openapi/model/operation';
import { successSchema } from '../../openapi/view/operation-bodies';
import { lastLiteral } from '../../openapi/view/path-template';
import { type Inference, type ResourceDraft, toOperationUse } from '../drafts/draft';
import type { InferencePass } from '../drafts/draft-model';
import type { RelationshipUse } from '../model/binding';
import type { PathNode } from '../paths/operation-readings';
import { type RelationshipDraft, relationshipsOf } from '../relations/relationships';

export const relationships: InferencePass = {
  id: 'relationships',
  reason: 'right after collections: what items are related to is kept elsewhere, and is no collection of its own',
  run(inference, { drafts }) {
    const all = [...drafts.values()];
    for (const draft of all) {
      for (const relationship of relationshipsOf(inference, draft, all)) {
        bindAddress(inference, draft, relationship, drafts);
        const related = inference.index.nodes.get(`${draft.itemTemplate?.shape ?? ''}/${relationship.name}`);
        if (related !== undefined) bindReads(inference, related, relationship, drafts);
      }
    }
  },
};

const EFFECT_BY_METHOD: Readonly<Partial<Record<string, RelationshipUse['effect']>>> = {
  POST: 'add',
  PATCH: 'replace',
  DELETE: 'remove',
};

/** `/things/{id}/relationships/parts`: what is written there belongs to the thing (JSON:API 1.1 §9.3). */
function bindAddress(
  inference: Inference,
  draft: ResourceDraft,
  relationship: RelationshipDraft,
  drafts: Map<string, ResourceDraft>,
): void {
  const { node, name } = relationship;
  if (node === undefined) return;
  drafts.delete(node.template.shape);
  bindReads(inference, node, relationship, drafts);
  for (const operation of node.operations) {
    const effect = EFFECT_BY_METHOD[inference.index.methodOf(operation)];
    if (effect === undefined) continue;
    const parts = { depth: draft.template.segments.length, isOnItem: true, relationship: { name, effect } } as const;
    const response = shapeOfLinked(inference, operation, relationship);
    const text = `changes the relationship "${name}" of an item of ${draft.template.path}`;
    draft.uses.push(toOperationUse(inference, operation, 'relate', { ...parts, response, text }));
  }
}

function shapeOfLinked(
  { view }: Inference,
  operation: Operation,
  { name, isToMany }: RelationshipDraft,
): BodyShape | undefined {
  return (isToMany ? listShape : itemShape)(view, successSchema(operation), name);
}

/** A place that shows what an item is related to, whole or by its linkage, and makes and keeps nothing. */
function bindReads(
  inference: Inference,
  node: PathNode,
  relationship: RelationshipDraft,
  drafts: Map<string, ResourceDraft>,
): void {
  const { shape, segments } = node.template;
  const isGet = (operation: Operation): boolean => inference.index.methodOf(operation) === 'GET';
  if (drafts.get(shape)?.uses.some(({ operation }) => !isGet(operation)) === true) return;
  const { name, target, isToMany } = relationship;
  for (const operation of node.operations.filter(isGet)) {
    const response = shapeOfLinked(inference, operation, relationship);
    if (response?.form !== (isToMany ? 'list' : 'item')) continue;
    drafts.delete(shape);
    const text = `shows the relationship "${name}" of what ${lastLiteral(segments.slice(0, -1))} names`;
    const parts = { depth: segments.length, response, relationship: { name, effect: 'show' }, text } as const;
    target.uses.push(
      isToMany
        ? toOperationUse(inference, operation, 'list', parts)
        : toOperationUse(inference, operation, 'read', { ...parts, itemChoice: { by: 'latest', member: undefined } }),
    );
  }
}

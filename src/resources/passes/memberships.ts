import { type Operation, permissiveSchema, type Schema } from '../../openapi/model/operation';
import { returnsFile, successSchema, takesFile } from '../../openapi/view/operation-bodies';
import { type BodyShape, listShape } from '../../lists/body-shape';
import {
  type Inference,
  operationLabel,
  type OperationUse,
  type ResourceDraft,
  schemaName,
  toOperationUse,
} from '../drafts/draft';
import { joinPointer } from '../../core/json/json-pointer';
import { lastLiteral, shapeOf, templateFrom, variablesOf, type PathTemplate } from '../../openapi/view/path-template';
import type { PathNode } from '../paths/operation-readings';
import { isExistenceCheck } from '../drafts/write-semantics';
import type { Behaviour } from '../model/binding';
import type { InferencePass } from '../drafts/draft-model';
import { behaviourByMethod } from './singletons';

export const memberships: InferencePass = {
  id: 'memberships',
  reason: 'after singletons, which have a body: a membership is known by its statuses alone',
  run(inference, { records, isFree }) {
    // Found before any is added: two of them may have one list.
    const found = [...inference.index.nodes.values()].flatMap((node) => membershipAt(inference, node, isFree) ?? []);
    records.push(...found);
  },
};

/**
 * Places that tell by 204 and 404 alone whether something is there, or answer a file, and where a PUT puts it there: `/things/{id}/star`, and
 * `/starred/{owner}/{thing}`, whose names are a key of several steps. A list before those names, `/starred`, shows what
 * is there.
 */
function membershipAt(
  inference: Inference,
  { template, operations }: PathNode,
  isFree: (operation: Operation) => boolean,
): ResourceDraft | undefined {
  const free = operations.filter(isFree);
  const isItem = template.segments.at(-1)?.kind === 'variable';
  const pair = checkAndPut(inference, template, free);
  if (pair === undefined) return undefined;
  const { check, put } = pair;
  const depth = isItem ? template.segments.length - 1 : template.segments.length;
  const list = isItem ? listBefore(inference, template, isFree) : undefined;
  const schema = list?.shape.item ?? emptySchema(check);
  const uses = free.flatMap((operation): OperationUse[] => {
    const behaviour = behaviourByMethod(inference.index.methodOf(operation), () => 'upsert');
    const text = behaviour && TEXTS[behaviour];
    if (behaviour === undefined || text === undefined) return [];
    return [toOperationUse(inference, operation, behaviour, { depth, isOnItem: isItem, text })];
  });
  if (list !== undefined) uses.push(useOfList(inference, list));
  const tells = returnsFile(check) ? 'returns the file that is there' : 'says whether it exists';
  const text = `${operationLabel(check)} ${tells}, and ${operationLabel(put)} puts it there`;
  return {
    kind: isItem ? 'collection' : 'singleton',
    template: isItem ? templateFrom(template.segments.slice(0, -1)) : template,
    itemTemplate: isItem ? template : undefined,
    schema,
    uses,
    evidence: [{ text, pointer: check.pointer }],
    confidence: 'medium',
    isMembership: true,
  };
}

/** The operations that tell of a place whether something is there, and that put it there. */
function checkAndPut(
  inference: Inference,
  { segments }: PathTemplate,
  operations: readonly Operation[],
): { readonly check: Operation; readonly put: Operation } | undefined {
  const put = operations.find((operation) => inference.index.methodOf(operation) === 'PUT');
  // What lies below an item is a file of that one.
  const isOfItself = segments.at(-1)?.kind === 'variable' || variablesOf(segments).length === 0;
  const isFile = put !== undefined && isOfItself && takesFile(put);
  const check = operations.find(
    (operation) =>
      isExistenceCheck(inference, operation) || (isFile && returnsFile(operation) && documentsAbsence(operation)),
  );
  return check === undefined || put === undefined ? undefined : { check, put };
}

/** Does it say what is answered where nothing is? */
function documentsAbsence({ responses }: Operation): boolean {
  return ['404', '4XX', 'default'].some((status) => responses.has(status));
}

const TEXTS: Partial<Record<Behaviour, string>> = {
  read: 'says whether it exists',
  upsert: 'puts it there',
  remove: 'takes it away',
};

interface List {
  readonly operation: Operation;
  readonly template: PathTemplate;
  readonly shape: BodyShape;
}

/** What lists before the variables at the end of a path. */
function listBefore(
  { index, view }: Inference,
  { segments }: PathTemplate,
  isFree: (operation: Operation) => boolean,
): List | undefined {
  const last = segments.findLastIndex((segment) => segment.kind === 'literal');
  const node = index.nodes.get(shapeOf(segments.slice(0, last + 1)));
  const operation = node?.operations.find((each) => index.methodOf(each) === 'GET' && isFree(each));
  const shape = operation && listShape(view, successSchema(operation), lastLiteral(segments));
  return operation === undefined || node === undefined || shape?.item === undefined || shape.form !== 'list'
    ? undefined
    : { operation, template: node.template, shape };
}

function useOfList(inference: Inference, { operation, template, shape }: List): OperationUse {
  const use = toOperationUse(inference, operation, 'list', {
    depth: template.segments.length,
    response: shape,
    text: `lists every ${shape.item === undefined ? 'thing' : schemaName(shape.item)} that is there`,
  });
  return { ...use, scope: { names: variablesOf(template.segments), isAcross: true } };
}

/** Of what nothing is declared but that it is there. */
function emptySchema({ pointer }: Operation): Schema {
  return permissiveSchema(joinPointer(joinPointer(pointer, 'responses'), '204'), {});
}

import type { Operation } from '../../openapi/model/operation';
import { requestSchema, successes, successSchema } from '../../openapi/view/operation-bodies';
import { itemShape, listShape, pathInBody, shapeContaining } from '../../lists/body-shape';
import {
  type Inference,
  operationLabel,
  type OperationUse,
  type ResourceDraft,
  schemaName,
  toOperationUse,
} from '../drafts/draft';
import type { PathNode } from '../paths/operation-readings';
import { lastLiteral } from '../../openapi/view/path-template';
import { switchOf } from '../actions/action-effects';
import type { Action, Behaviour, PropertyAssignment } from '../model/binding';
import type { InferencePass } from '../drafts/draft-model';

export const singletons: InferencePass = {
  id: 'singletons',
  reason: 'after collections and their items: a single record is what is left at a path without variables at its end',
  run(inference, { records, isFree }) {
    for (const node of inference.index.nodes.values()) {
      if (inference.statements.resource(node.template.shape)?.isStateless === true) continue;
      const draft = draftSingleton(inference, node, isFree);
      if (draft !== undefined) records.push(draft);
    }
  },
};

/** A single record, such as `/me`, `/settings` or `/things/{id}/profile`: it is read, and changed as a whole. */
function draftSingleton(
  inference: Inference,
  node: PathNode,
  isFree: (operation: Operation) => boolean,
): ResourceDraft | undefined {
  const { view, index } = inference;
  const { template } = node;
  if (template.segments.at(-1)?.kind !== 'literal') return undefined;
  const operations = node.operations.filter(isFree);
  const read = operations.find((operation) => index.methodOf(operation) === 'GET');
  const isSwitch = (operation: Operation): boolean =>
    index.methodOf(operation) !== 'GET' && switchAt(inference, operation, read, name) !== undefined;
  const name = lastLiteral(template.segments);
  const write = operations.find(
    (operation) => ['PUT', 'PATCH'].includes(index.methodOf(operation)) || isSwitch(operation),
  );
  if (read === undefined || (write === undefined && !isStatedRead(inference, read))) return undefined;
  const shape = itemShape(view, successSchema(read), name);
  const list = listShape(view, successSchema(read), name);
  if (shape?.item === undefined || (list !== undefined && list.pageProperties.length > 0)) return undefined;
  const { item } = shape;
  const uses = operations.flatMap((operation): OperationUse[] => {
    const flag = operation === read ? undefined : switchAt(inference, operation, read, name);
    const behaviour = flag === undefined ? behaviourOf(inference, operation) : 'act';
    if (behaviour === undefined) return [];
    const takes = behaviour === 'read' || behaviour === 'remove' ? undefined : requestSchema(operation);
    return [
      toOperationUse(inference, operation, behaviour, {
        depth: template.segments.length,
        request: itemShape(view, takes, name),
        response: shapeContaining(view, successSchema(operation), item, name),
        ...(flag === undefined ? {} : { action: toSwitch(flag, requestSchema(operation) !== undefined) }),
        text: TEXTS[behaviour] ?? `switches "${flag?.property ?? ''}"`,
      }),
    ];
  });
  const change = write === undefined ? 'is said to read it' : `${operationLabel(write)} changes it`;
  const text = `${operationLabel(read)} returns one ${schemaName(item)}${pathInBody(shape)} and ${change}: a single record`;
  return {
    kind: 'singleton',
    template,
    itemTemplate: undefined,
    schema: item,
    uses,
    evidence: [{ text, pointer: read.pointer }],
    confidence: 'high',
  };
}

/** What an operation at the place of a record that shows a flag makes of it: "Enable it" and "Disable it". */
function switchAt(
  { view, index }: Inference,
  operation: Operation,
  read: Operation | undefined,
  name: string,
): PropertyAssignment | undefined {
  const { item } = (read && itemShape(view, successSchema(read), name)) ?? {};
  if (item === undefined || index.methodOf(operation) === 'PATCH') return undefined;
  return switchOf(operation, name, view.properties(item), view);
}

function toSwitch(assignment: PropertyAssignment, mergesBody: boolean): Action {
  return { verb: '', assignments: [assignment], timestamps: [], mergesBody };
}

/** Nothing but a word for it tells a record that is only read from a response that is computed. */
function isStatedRead({ statements }: Inference, operation: Operation): boolean {
  const said = statements.operation(operation);
  return said?.behaviour === 'read' && said.resource === undefined;
}

const TEXTS: Partial<Record<Behaviour, string>> = {
  read: 'returns the record',
  replace: 'replaces the record',
  upsert: 'documents 201: it creates the record too',
  update: 'changes the record',
  remove: 'removes the record',
};

function behaviourOf({ index }: Inference, operation: Operation): Behaviour | undefined {
  return behaviourByMethod(index.methodOf(operation), () =>
    successes(operation).some(({ status }) => status === '201') ? 'upsert' : 'replace',
  );
}

/** What a method does with the one thing that a path is about (RFC 9110 §9.3). @param ofPut - what PUT does there */
export function behaviourByMethod(method: string, ofPut: () => Behaviour): Behaviour | undefined {
  switch (method) {
    case 'GET':
      return 'read';
    case 'PUT':
      return ofPut();
    case 'PATCH':
      return 'update';
    case 'DELETE':
      return 'remove';
    default:
      return undefined;
  }
}

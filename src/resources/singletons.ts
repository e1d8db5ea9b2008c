import type { Operation } from '../openapi/model';
import { requestSchema, successes, successSchema } from './bodies';
import { itemShape, listShape, placeText, shapeHolding } from './body-shape';
import { toUse } from './collections';
import { nameOf, schemaName, type Inference, type ResourceDraft, type Use } from './draft';
import type { PathNode } from './path-index';
import { lastLiteral } from './path-template';
import type { Behaviour } from './resource-model';

/** A single record, such as `/me`, `/settings` or `/things/{id}/profile`: it is read, and changed as a whole. */
export function draftSingleton(
  inference: Inference,
  node: PathNode,
  isTaken: (operation: Operation) => boolean,
): ResourceDraft | undefined {
  const { reader, index } = inference;
  const { template } = node;
  if (template.segments.at(-1)?.kind !== 'literal') return undefined;
  const operations = node.operations.filter((operation) => !isTaken(operation));
  const read = operations.find((operation) => index.methodOf(operation) === 'GET');
  const write = operations.find((operation) => ['PUT', 'PATCH'].includes(index.methodOf(operation)));
  if (read === undefined || (write === undefined && !isSaidToBeRead(inference, read))) return undefined;
  const name = lastLiteral(template.segments);
  const shape = itemShape(reader, successSchema(read), name);
  const list = listShape(reader, successSchema(read), name);
  if (shape?.item === undefined || (list !== undefined && list.siblings.length > 0)) return undefined;
  const { item } = shape;
  const uses = operations.flatMap((operation): Use[] => {
    const behaviour = behaviourOf(inference, operation);
    if (behaviour === undefined) return [];
    const takes = behaviour === 'read' || behaviour === 'remove' ? undefined : requestSchema(operation);
    return [
      toUse(inference, operation, behaviour, {
        depth: template.segments.length,
        isOnItem: false,
        request: itemShape(reader, takes, name),
        response: shapeHolding(reader, successSchema(operation), item, name),
        text: TEXTS[behaviour] ?? '',
      }),
    ];
  });
  const change = write === undefined ? 'is said to read it' : `${nameOf(write)} changes it`;
  const text = `${nameOf(read)} answers one ${schemaName(item)}${placeText(shape)} and ${change}: a single record`;
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

/** Nothing but a word for it tells a record that is only read from an answer that is computed. */
function isSaidToBeRead({ statements }: Inference, operation: Operation): boolean {
  const said = statements.operation(operation);
  return said?.behaviour === 'read' && said.resource === undefined;
}

const TEXTS: Partial<Record<Behaviour, string>> = {
  read: 'answers the record',
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

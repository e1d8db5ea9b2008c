import type { Operation, Schema } from '../openapi/model';
import { requestSchema, successSchema } from './bodies';
import { listShape, placeText } from './body-shape';
import { nameOf, schemaName, type Inference, type ResourceDraft } from './draft';
import { shapeOfOne } from './free-items';
import { isScalar, meansKey } from './key-elsewhere';
import type { RowsOf } from './one-row';
import { lastLiteral, type PathTemplate } from './path-template';
import type { BodyShape, Evidence } from './resource-model';
import type { SchemaReader } from './schema-reader';

/** A schema that an operation speaks of, and what that says. */
interface Vote {
  readonly schema: Schema;
  readonly isAnswer: boolean;
  readonly evidence: Evidence;
}

/** The shape of an item: as it is stated, else as most speaks for it. */
export function itemSchemaOf(
  inference: Inference,
  onCollection: readonly Operation[],
  onItem: readonly Operation[],
  place: PathTemplate,
  rows: RowsOf,
): Pick<ResourceDraft, 'schema' | 'evidence' | 'confidence'> | undefined {
  const stated = inference.statements.resource(place.shape);
  const schema = stated?.schema === undefined ? undefined : inference.api.schemaAt(stated.schema);
  if (stated !== undefined && schema !== undefined)
    return { schema, evidence: [stated.evidence], confidence: 'stated' };
  const votes = voteOnSchema(inference, onCollection, onItem, lastLiteral(place.segments), rows);
  const [winner] = votes;
  if (winner === undefined) return undefined;
  return {
    schema: meantBranch(inference, votes) ?? keyedRow(inference, votes, lastLiteral(place.segments)) ?? winner.schema,
    evidence: votes.map(({ evidence }) => evidence),
    confidence: agreement(inference, votes),
  };
}

/**
 * What is read may be an item, or what is told of one that is gone: then all other answers are one branch of it, and
 * that one is the item.
 */
function meantBranch({ reader }: Inference, [winner, ...others]: readonly Vote[]): Schema | undefined {
  const [meant, ...rest] = others.filter(({ isAnswer }) => isAnswer).map(({ schema }) => schema);
  if (winner === undefined || meant === undefined) return undefined;
  const isOne = rest.every(({ pointer }) => pointer === meant.pointer);
  return isOne && reader.choices(winner.schema).some(({ pointer }) => pointer === meant.pointer) ? meant : undefined;
}

/**
 * What is read under the path of an item may be no more than a profile of it, `{ basic: { name } }`: then the rows of the
 * list are the items, where those have a key, and another answer is like them.
 */
function keyedRow({ reader }: Inference, [winner, ...others]: readonly Vote[], name: string): Schema | undefined {
  const [row, ...rest] = others.filter(({ isAnswer }) => isAnswer).map(({ schema }) => schema);
  if (winner?.isAnswer !== true || row === undefined || isLike(reader, winner.schema, others)) return undefined;
  const hasKey = (schema: Schema): boolean =>
    [...reader.members(schema).values()].some((member) => isScalar(member) && meansKey(member.name, name));
  const isAgreed = rest.some((other) => hasKey(other) && reader.areSame(row, other));
  return isAgreed && hasKey(row) && !hasKey(winner.schema) ? row : undefined;
}

function isLike(reader: SchemaReader, schema: Schema, votes: readonly Vote[]): boolean {
  return votes.some((vote) => reader.areAlike(schema, vote.schema));
}

/** What is read decides the shape of an item, before what is written; what answers, before what is sent. */
function voteOnSchema(
  { reader, index }: Inference,
  onCollection: readonly Operation[],
  onItem: readonly Operation[],
  name: string,
  rows: RowsOf,
): Vote[] {
  const by = (operations: readonly Operation[], ...methods: string[]): Operation[] =>
    operations.filter((operation) => methods.includes(index.methodOf(operation)));
  const vote = (
    operations: readonly Operation[],
    verb: string,
    shapeOf: (operation: Operation) => BodyShape | undefined,
  ): Vote[] =>
    operations.flatMap((operation) => {
      const shape = shapeOf(operation);
      if (shape?.item === undefined) return [];
      const text = `${nameOf(operation)} ${verb} ${shape.form === 'item' ? '' : shape.form === 'map' ? 'a map of ' : 'a list of '}${schemaName(shape.item)}${placeText(shape)}`;
      return [{ schema: shape.item, isAnswer: verb === 'answers', evidence: { text, pointer: operation.pointer } }];
    });
  const shapeOf = (schema: Schema | undefined): BodyShape | undefined => shapeOfOne(reader, schema, rows, name);
  const answered = (operation: Operation): BodyShape | undefined => shapeOf(successSchema(operation));
  const taken = (operation: Operation): BodyShape | undefined => shapeOf(requestSchema(operation));
  return [
    ...vote(by(onItem, 'GET'), 'answers', answered),
    ...vote(by(onCollection, 'GET'), 'answers', (operation) => listShape(reader, successSchema(operation), name)),
    ...vote(by(onCollection, 'POST'), 'answers', answered),
    ...vote(by(onItem, 'PUT', 'PATCH'), 'answers', answered),
    ...vote(by(onItem, 'PUT'), 'takes', taken),
    ...vote(by(onCollection, 'POST'), 'takes', taken),
  ];
}

/** How far the votes speak of one thing. */
function agreement({ reader }: Inference, [winner, ...others]: readonly Vote[]): ResourceDraft['confidence'] {
  if (winner === undefined || others.length === 0) return 'medium';
  const answered = others.filter(({ isAnswer }) => isAnswer);
  const areAlike = others.every(({ schema }) => reader.areAlike(schema, winner.schema));
  if (!areAlike) return 'low';
  return answered.every(({ schema }) => schema.pointer === winner.schema.pointer) ? 'high' : 'medium';
}

import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonValue } from '../json/json-value';

/**
 * The shape of a JSON document: what its published JSON Schema is made from and what a document is read by, so that
 * the two cannot differ.
 */
export type Shape =
  | { readonly kind: 'text' | 'boolean'; readonly about?: string }
  | { readonly kind: 'number'; readonly about?: string; readonly isWhole: boolean; readonly minimum: number }
  | { readonly kind: 'words'; readonly about?: string; readonly words: readonly string[] }
  | { readonly kind: 'list'; readonly about?: string; readonly items: Shape }
  | ObjectShape
  /** Objects told apart by their member `kind`. */
  | { readonly kind: 'choice'; readonly about?: string; readonly of: readonly ObjectShape[] };

export interface ObjectShape {
  readonly kind: 'object';
  readonly about?: string;
  readonly required: Readonly<Record<string, Shape>>;
  readonly optional: Readonly<Record<string, Shape>>;
}

/** Notes that a value is not as the shape wants it. */
export type RefuseValue = (pointer: string, message: string, expected: string) => void;

/** Compares a value with a shape. Members that the shape does not know are let through: a later version may add some. */
export function judgeShape(shape: Shape, value: JsonValue, pointer: string, refuse: RefuseValue): void {
  switch (shape.kind) {
    case 'list':
      if (!Array.isArray(value)) refuse(pointer, 'This is no list', 'a list');
      else
        for (const [index, item] of value.entries()) judgeShape(shape.items, item, joinPointer(pointer, index), refuse);
      return;
    case 'object':
      judgeObject(shape, value, pointer, refuse);
      return;
    case 'choice':
      judgeChoice(shape.of, value, pointer, refuse);
      return;
    default: {
      const [fits, expected] = judgeScalar(shape, value);
      if (!fits) refuse(pointer, 'This value does not fit', expected);
    }
  }
}

type ScalarShape = Exclude<Shape, { readonly kind: 'list' | 'object' | 'choice' }>;

/** Whether the value fits, and what would. */
function judgeScalar(shape: ScalarShape, value: JsonValue): [boolean, string] {
  switch (shape.kind) {
    case 'text':
      return [typeof value === 'string', 'text'];
    case 'boolean':
      return [typeof value === 'boolean', 'true or false'];
    case 'words':
      return [typeof value === 'string' && shape.words.includes(value), `one of ${shape.words.join(', ')}`];
    case 'number': {
      const { minimum, isWhole } = shape;
      const fits = typeof value === 'number' && value >= minimum && (!isWhole || Number.isInteger(value));
      return [fits, `a ${isWhole ? 'whole ' : ''}number from ${minimum}`];
    }
  }
}

function judgeObject(
  { required, optional }: ObjectShape,
  value: JsonValue,
  pointer: string,
  refuse: RefuseValue,
): void {
  if (!isJsonObject(value)) {
    refuse(pointer, 'This is no object', 'an object');
    return;
  }
  for (const [name, shape] of Object.entries({ ...required, ...optional })) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined) judgeShape(shape, member, joinPointer(pointer, name), refuse);
    else if (Object.hasOwn(required, name)) refuse(pointer, `The member "${name}" is missing`, name);
  }
}

function judgeChoice(of: readonly ObjectShape[], value: JsonValue, pointer: string, refuse: RefuseValue): void {
  const kind = isJsonObject(value) ? value['kind'] : undefined;
  const chosen = of.find((shape) => kindOf(shape) === kind);
  if (chosen === undefined) refuse(pointer, 'The member "kind" is not known', `one of ${of.map(kindOf).join(', ')}`);
  else judgeObject(chosen, value, pointer, refuse);
}

function kindOf({ required }: ObjectShape): string | undefined {
  const kind = required['kind'];
  return kind?.kind === 'words' ? kind.words[0] : undefined;
}

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A shape as JSON Schema of draft-07.
 *
 * @param isClosed - unknown members are refused
 */
export function schemaOfShape(shape: Shape, isClosed: boolean): JsonSchema {
  const about = shape.about === undefined ? {} : { description: shape.about };
  switch (shape.kind) {
    case 'text':
      return { ...about, type: 'string' };
    case 'boolean':
      return { ...about, type: 'boolean' };
    case 'number':
      return { ...about, type: shape.isWhole ? 'integer' : 'number', minimum: shape.minimum };
    case 'words':
      return { ...about, ...(shape.words.length === 1 ? { const: shape.words[0] } : { enum: shape.words }) };
    case 'list':
      return { ...about, type: 'array', items: schemaOfShape(shape.items, isClosed) };
    case 'choice':
      return { ...about, oneOf: shape.of.map((each) => schemaOfShape(each, isClosed)) };
    case 'object': {
      const members = Object.entries({ ...shape.required, ...shape.optional });
      return {
        ...about,
        type: 'object',
        required: Object.keys(shape.required),
        ...(isClosed ? { additionalProperties: false } : {}),
        properties: Object.fromEntries(members.map(([name, member]) => [name, schemaOfShape(member, isClosed)])),
      };
    }
  }
}

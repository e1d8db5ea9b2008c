import { getAtPointer, joinPointer, parsePointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { getOrCreate } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { MediaTypeEntry, Operation, Schema } from '../../openapi/model/operation';
import type { LocatedObject } from '../../openapi/read/references';
import { partsOf, shapeOf } from '../../openapi/view/schema-shape';
import type { Direction } from '../../schema/schema-object';
import type { Validator, Violation } from '../../schema/validator';
import { secretMark } from '../exchange/recorded-exchange';

const MARK = secretMark('').slice(0, -1);

/** Does a text hold the mark of a secret? */
export function hasMark(text: string): boolean {
  return text.includes(MARK);
}

/** Keywords that compare a whole value, or choose by it what else is asked. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(['const', 'enum', 'contains', 'uniqueItems']);
const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'] as const;

const OPERATIONS = new WeakMap<Operation, Operation>();
const SCHEMAS = new WeakMap<Schema, Schema>();

/**
 * The operation with schemas that say nothing of marks: a mark stands for a value that nobody wrote down, and has neither
 * its pattern, nor its length, nor its type.
 */
export function unmarkedOperation(api: ApiModel, operation: Operation): Operation {
  return getOrCreate(OPERATIONS, operation, () => ({
    ...operation,
    parameters: operation.parameters.map((each) => ({
      ...each,
      schema: each.schema && unmarkedSchema(api, each.schema),
    })),
    requestBody: operation.requestBody && {
      ...operation.requestBody,
      content: operation.requestBody.content.map((entry) => unmarkedEntry(api, entry)),
    },
    responses: new Map(
      [...operation.responses].map(([status, response]) => {
        const headers = [...response.headers].map(
          ([name, header]) =>
            [name, { ...header, schema: header.schema && unmarkedSchema(api, header.schema) }] as const,
        );
        return [
          status,
          {
            ...response,
            content: response.content.map((entry) => unmarkedEntry(api, entry)),
            headers: new Map(headers),
          },
        ];
      }),
    ),
  }));
}

/** One content of a message, see {@link unmarkedOperation}. */
export function unmarkedEntry(api: ApiModel, entry: MediaTypeEntry): MediaTypeEntry {
  const { schema, itemSchema } = entry;
  return {
    ...entry,
    schema: schema && unmarkedSchema(api, schema),
    itemSchema: itemSchema && unmarkedSchema(api, itemSchema),
  };
}

function unmarkedSchema(api: ApiModel, schema: Schema): Schema {
  return getOrCreate(SCHEMAS, schema, () => {
    const validate =
      (direction: Direction): Validator =>
      (value) =>
        withoutMarked(api, schema, schema.validate(direction)(value), value as JsonValue);
    return {
      ...schema,
      validate,
      accepts: (sent, direction) => validate(direction)(sent).length === 0,
      validateLoosely: (sent) => withoutMarked(api, schema, schema.validateLoosely(sent), sent as JsonValue),
    };
  });
}

function withoutMarked(
  api: ApiModel,
  schema: Schema,
  violations: readonly Violation[],
  value: JsonValue,
): readonly Violation[] {
  if (violations.length === 0 || !holdsMark(value)) return violations;
  return violations.filter(({ pointer, keyword }) => {
    const at = getAtPointer(value, pointer);
    if (typeof at === 'string' && hasMark(at)) return false;
    return !(OF_THE_WHOLE.has(keyword) && holdsMark(at)) && !isChosenByMark(api, schema, value, pointer);
  });
}

/** Does a place stand in a value with a mark of which the schema has several kinds? Which of them it is nobody knows. */
function isChosenByMark(api: ApiModel, schema: LocatedObject, value: JsonValue, pointer: string): boolean {
  let schemas: readonly LocatedObject[] = [schema];
  let at: JsonValue | undefined = value;
  for (const segment of [...parsePointer(pointer), undefined]) {
    if (holdsMark(at) && partsOf(api, schemas, COMPOSITIONS).some(hasChoice)) return true;
    if (segment === undefined) break;
    const { items, properties, others } = shapeOf(api, schemas);
    schemas = Array.isArray(at) ? items : (properties.get(segment) ?? others);
    at = at === undefined ? undefined : getAtPointer(at, joinPointer('', segment));
  }
  return false;
}

/** A branch for `null` beside one other is no choice. */
function hasChoice({ value }: LocatedObject): boolean {
  if (value['not'] !== undefined || value['if'] !== undefined) return true;
  return [value['oneOf'], value['anyOf']].some((branches) => {
    if (!Array.isArray(branches)) return false;
    return branches.filter((each: JsonValue) => !(isJsonObject(each) && each['type'] === 'null')).length > 1;
  });
}

function holdsMark(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return hasMark(value);
  if (Array.isArray(value)) return value.some(holdsMark);
  return isJsonObject(value) && Object.values(value).some(holdsMark);
}

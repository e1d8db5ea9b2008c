import { isJsonObject, type JsonValue } from '../../json/json-value';
import { jsonContent } from '../../openapi/error-schema';
import { findResponse } from '../../openapi/find-response';
import type { ApiModel, Property } from '../../openapi/model';
import type { LocatedObject } from '../../openapi/references';
import { shapeOf } from '../response/schema-shape';
import type { ObservedExchange } from './observed-exchange';

/** A member of a request body that answers hold as well. */
export interface SentMember {
  readonly property: Property;
  readonly value: JsonValue;
}

/**
 * The members that a request sent and that the answer to another one documents as the very same: both schemas take them
 * from one place. Of a member that is described twice nobody says that it comes back as it was sent.
 *
 * @param answer - the exchange itself, or a read of what it wrote
 */
export function sentMembers(
  api: ApiModel,
  { operation: id, requestBody }: ObservedExchange,
  answer: ObservedExchange,
): SentMember[] {
  const content = id === undefined ? undefined : api.operationById(id)?.requestBody?.content;
  const sent = content?.find(({ schema, mediaType }) => schema !== undefined && /json/.test(mediaType))?.schema;
  const came = answerProperties(api, answer);
  if (sent === undefined || came === undefined || !isJsonObject(requestBody)) return [];
  return [...api.propertiesOf(sent).values()].flatMap((property): SentMember[] => {
    const value = Object.hasOwn(requestBody, property.name) ? requestBody[property.name] : undefined;
    const isShared = came.get(property.name)?.pointer === property.pointer;
    if (value === undefined || !isShared || isOneWay(property)) return [];
    return [{ property, value: withoutOneWay(api, [{ value: property.schema, pointer: property.pointer }], value) }];
  });
}

function isOneWay({ readOnly, writeOnly }: Property): boolean {
  return readOnly || writeOnly;
}

/** A value without what in it is never shown, or not for the client to choose (OAS 3.0.3 §4.7.24). */
function withoutOneWay(api: ApiModel, schemas: readonly LocatedObject[], value: JsonValue): JsonValue {
  if (schemas.length === 0 || value === null || typeof value !== 'object') return value;
  const { properties, items, others } = shapeOf(api, schemas);
  if (Array.isArray(value)) return value.map((item) => withoutOneWay(api, items, item));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
    const own = properties.get(name) ?? others;
    const isHidden = own.some(({ value: schema }) => schema['readOnly'] === true || schema['writeOnly'] === true);
    return isHidden ? [] : [[name, withoutOneWay(api, own, member)]];
  });
  return Object.fromEntries(members);
}

/** What the answer to an exchange documents; `undefined` when that is no object. */
export function answerProperties(api: ApiModel, answer: ObservedExchange): ReadonlyMap<string, Property> | undefined {
  const operation = answer.operation === undefined ? undefined : api.operationById(answer.operation);
  if (operation === undefined || answer.status === undefined) return undefined;
  const schema = jsonContent(findResponse(operation, answer.status))?.schema;
  return schema === undefined ? undefined : api.propertiesOf(schema);
}

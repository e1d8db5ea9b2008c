import { headerValue } from '../../core/http/headers';
import { isJsonMediaType } from '../../core/http/media-type';
import type { HttpResponse } from '../../core/http/message';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  pickProperties,
  setProperty,
} from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import { foldedName } from '../../core/text/inflection';
import { roleOf } from '../../lists/parameter-roles';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation, Property, ResponseSpec, Schema } from '../../openapi/model/operation';
import { isKeyName } from '../../openapi/naming/property-names';
import { lastLiteral, parseTemplate, type PathTemplate } from '../../openapi/view/path-template';
import { viewOf } from '../../openapi/view/schema-view';
import { examplesOf } from '../../payload/content-choice';
import { isSensitiveProperty } from '../../security/credential-locations';
import type { Call } from '../calls/call';
import { itemPropertyNames } from '../fitting/property-mapping';
import { coerceToSchema } from '../fitting/schema-fitting';
import { jsonEntry } from '../../openapi/view/operation-bodies';

/**
 * Puts what was sent into the response of a write that no state stands behind, where the response has properties of that name
 * and kind: an example tells of somebody else's request.
 *
 * @returns the response itself where it shows nothing of what was sent, or would break its schema
 */
export type RequestEcho = (response: HttpResponse, call: Call) => HttpResponse;

const WRITES = new Set(['POST', 'PUT', 'PATCH']);

/**
 * @param success - what the operation answers with; `undefined` where nothing is documented
 * @returns `undefined` where nothing is sent, or nothing is shown
 */
export function planBodyEcho(
  api: ApiModel,
  operation: Operation,
  success: ResponseSpec | undefined,
): RequestEcho | undefined {
  const schema = jsonEntry(success?.content ?? [])?.schema;
  if (schema === undefined || !WRITES.has(operation.method)) return undefined;
  const template = parseTemplate(operation.path);
  const name = template === undefined ? '' : lastLiteral(template.segments);
  const named = namedInPath(name, template);
  return (response, call) => {
    const { body } = response;
    if (typeof body !== 'string' || !isJsonMediaType(headerValue(response.headers, 'Content-Type') ?? ''))
      return response;
    const before = parseJson(body);
    const overlay = new EchoWriter(api, call, name);
    const after = overlay.list(before, schema) ?? overlay.object(before, schema, named(call)) ?? before;
    const isShown = after !== before && schema.accepts(after, 'response');
    return isShown ? { ...response, body: stringifyJson(after) } : response;
  };
}

/** The variables of the path whose names say what they are: `{path}`, and `{id}` at its end. */
function namedInPath(thing: string, template: PathTemplate | undefined): (call: Call) => JsonObject {
  const last = template?.segments.at(-1);
  const own = last?.kind === 'variable' ? last.name : undefined;
  return ({ parameters: { path } }) =>
    Object.fromEntries([...path].filter(([name]) => name === own || !isKeyName(name, thing)));
}

/** What the query says of the thing: what asks for a page or an order is reported by others. */
function inQuery({ operation, parameters }: Call): JsonObject {
  return Object.fromEntries(
    operation.parameters.flatMap((parameter): [string, JsonValue][] => {
      const isOfThing = parameter.in === 'query' && roleOf(parameter, true) === undefined;
      const value = isOfThing ? parameters.query.get(parameter.name) : undefined;
      return value === undefined ? [] : [[parameter.name, value]];
    }),
  );
}

/** Lays what one request sent over what would be answered. */
class EchoWriter {
  private readonly api: ApiModel;
  private readonly call: Call;
  /** What the path calls what it is about. */
  private readonly name: string;

  constructor(api: ApiModel, call: Call, name: string) {
    this.api = api;
    this.call = call;
    this.name = foldedName(name);
  }

  /** An entry for each that was sent, where both are lists. */
  list(value: JsonValue, schema: Schema): JsonValue | undefined {
    const items = viewOf(this.api).items(viewOf(this.api).unwrap(schema) ?? schema);
    const rows = items === undefined ? undefined : sentItems(this.call.body, this.name);
    if (items === undefined || rows === undefined || !Array.isArray(value)) return undefined;
    const patterns: readonly JsonValue[] = value;
    return rows.map((item, index) => this.entry(patterns[index % patterns.length], item, items));
  }

  private entry(pattern: JsonValue | undefined, row: JsonValue, items: Schema): JsonValue {
    const named = isJsonObject(row) ? row : coerceToSchema(this.api, items, row);
    if (!isJsonObject(named) || !isJsonObject(pattern)) return named;
    return this.over(pattern, named, viewOf(this.api).properties(items));
  }

  /** What was sent, in the response; in its envelope, where every property of it is an object, or one alone. */
  object(value: JsonValue, schema: Schema, inPath: JsonObject): JsonValue | undefined {
    const body = viewOf(this.api).unwrap(schema);
    if (body === undefined || !isJsonObject(value)) return undefined;
    const own = isJsonObject(this.call.body) ? this.call.body : {};
    const sent: JsonObject = { ...inPath, ...inQuery(this.call), ...own };
    const properties = viewOf(this.api).properties(body);
    const shown = this.over(value, sent, properties);
    const parts = [...properties.values()].filter((property) => this.isObject(property));
    // Beside scalars, one object is what they tell of: `{ ok, ts, message: { text } }`.
    const isEnvelope = parts.length === properties.size || parts.length === 1;
    if (!isEnvelope) return shown;
    // What the body around the parts has a place for is said there.
    const inParts = pickProperties(sent, (name) => !properties.has(name));
    return this.inEnvelope(shown, parts, inParts);
  }

  private inEnvelope(value: JsonObject, parts: readonly Property[], sent: JsonObject): JsonObject {
    const shown: Record<string, JsonValue> = { ...value };
    const inner = parts.flatMap((property) => {
      const place = viewOf(this.api).schemaOf(property);
      return place === undefined ? [] : [{ name: property.name, members: viewOf(this.api).properties(place) }];
    });
    for (const { name, members: own } of inner) {
      // What several parts have says nothing of which is meant.
      const meant = Object.entries(sent).filter(
        ([written]) => own.has(written) && inner.every((other) => other.name === name || !other.members.has(written)),
      );
      const part = ownProperty(shown, name);
      if (meant.length > 0 && (part === undefined || isJsonObject(part)))
        setProperty(shown, name, this.over(part ?? {}, Object.fromEntries(meant), own));
    }
    return shown;
  }

  private isObject(property: Property): boolean {
    const place = viewOf(this.api).schemaOf(property);
    return place !== undefined && viewOf(this.api).isObject(place);
  }

  private over(value: JsonObject, sent: JsonObject, members: ReadonlyMap<string, Property>): JsonObject {
    const written = new Map(
      Object.keys(sent).flatMap((name): [string, Property][] => {
        const property = this.call.bodyProperties.get(name);
        return property === undefined ? [] : [[name, property]];
      }),
    );
    const names = itemPropertyNames(this.api, written, members);
    const shown: Record<string, JsonValue> = { ...value };
    for (const [name, part] of Object.entries(sent)) {
      const property = members.get(names.get(name) ?? name);
      const place = property === undefined ? undefined : this.api.schemaAt(property.pointer);
      if (property === undefined || place === undefined || property.writeOnly || isSensitiveProperty(name)) continue;
      const fit = this.fitting(ownProperty(value, property.name), place, part);
      if (fit !== undefined) setProperty(shown, property.name, fit);
    }
    return shown;
  }

  /** What was sent in the form that the place takes; `undefined` where it has none. */
  private fitting(old: JsonValue | undefined, place: Schema, sent: JsonValue): JsonValue | undefined {
    if (isJsonObject(sent) && isJsonObject(old)) {
      const target = viewOf(this.api).unwrap(place) ?? place;
      const members = viewOf(this.api).properties(target);
      return members.size === 0 ? valid(place, sent) : valid(place, this.over(old, sent, members));
    }
    return valid(place, sent) ?? valid(place, coerceToSchema(this.api, place, sent));
  }
}

function valid(schema: Schema, value: JsonValue): JsonValue | undefined {
  return schema.accepts(value, 'response') ? value : undefined;
}

/** The list that a body is, or the property of it that is called as the path is. */
function sentItems(body: JsonValue | undefined, name: string): readonly JsonValue[] | undefined {
  if (Array.isArray(body)) return body;
  const named = isJsonObject(body) ? Object.entries(body).find(([each]) => foldedName(each) === name) : undefined;
  const items = named?.[1];
  return Array.isArray(items) ? items : undefined;
}

/**
 * Puts the key that a path names into a thing that is generated for it, `GET /users/{user_id}` without a state behind: the
 * property of that name, else the `id`. An example is answered as it is.
 *
 * @returns `undefined` where the path ends in no key, or nothing is generated that has one
 */
export function planKeyEcho(
  api: ApiModel,
  operation: Operation,
  success: ResponseSpec | undefined,
): RequestEcho | undefined {
  const entry = jsonEntry(success?.content ?? []);
  const isMade = operation.method === 'GET' && entry !== undefined && examplesOf(entry).length === 0;
  const named = isMade ? keyNamed(api, operation, entry.schema) : undefined;
  if (named === undefined || entry === undefined) return undefined;
  const { variable, member: property } = named;
  return (response, { parameters: { path } }) => {
    const { body, headers } = response;
    const key = path.get(variable);
    if (key === undefined || typeof body !== 'string' || !isJsonMediaType(headerValue(headers, 'Content-Type') ?? ''))
      return response;
    const before = parseJson(body);
    const after = isJsonObject(before) ? { ...before, [property]: key } : before;
    const isShown = after !== before && entry.schema?.accepts(after, 'response') === true;
    return isShown ? { ...response, body: stringifyJson(after) } : response;
  };
}

/** The variable at the end of a path, and the property that has its value. */
function keyNamed(
  api: ApiModel,
  { path }: Operation,
  schema: Schema | undefined,
): { readonly variable: string; readonly member: string } | undefined {
  const body = viewOf(api).unwrap(schema);
  const segments = parseTemplate(path)?.segments ?? [];
  const last = segments.at(-1);
  if (body === undefined || last?.kind !== 'variable' || !isKeyName(last.name, lastLiteral(segments))) return undefined;
  const properties = viewOf(api).properties(body);
  const property = [last.name, 'id'].find((name) => properties.has(name));
  return property === undefined ? undefined : { variable: last.name, member: property };
}

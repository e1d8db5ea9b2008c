import { headerValue } from '../http/headers';
import { isJsonMediaType } from '../http/media-type';
import type { HttpResponse } from '../http/message';
import { isSecretMember } from '../http/secret-name';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { memberOf, setMember } from '../json/member';
import { parseJson } from '../json/parse-json';
import { stringifyJson } from '../json/stringify-json';
import type { ApiModel, Operation, Property, ResponseSpec, Schema } from '../openapi/model';
import { foldedName } from '../resources/inflection';
import { lastLiteral, parseTemplate, type PathTemplate } from '../resources/path-template';
import { roleOf } from '../resources/parameter-words';
import { meansKey } from '../resources/key-elsewhere';
import { readerOf } from '../resources/schema-reader';
import type { Call } from './call';
import { heldForm } from './held-form';
import { namesInItems } from './names-in-items';

/**
 * Puts what was sent into the answer of a write that no state stands behind, where the answer has members of that name
 * and kind: an example tells of somebody else's request.
 *
 * @returns the answer itself where it shows nothing of what was sent, or would break its schema
 */
export type OverlaySent = (answer: HttpResponse, call: Call) => HttpResponse;

const WRITES = new Set(['POST', 'PUT', 'PATCH']);

/**
 * @param success - what the operation answers with; `undefined` where nothing is documented
 * @returns `undefined` where nothing is sent, or nothing is shown
 */
export function planOverlay(
  api: ApiModel,
  operation: Operation,
  success: ResponseSpec | undefined,
): OverlaySent | undefined {
  const schema = success?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
  if (schema === undefined || !WRITES.has(operation.method)) return undefined;
  const template = parseTemplate(operation.path);
  const name = template === undefined ? '' : lastLiteral(template.segments);
  const named = namedInPath(name, template);
  return (answer, call) => {
    const { body } = answer;
    if (typeof body !== 'string' || !isJsonMediaType(headerValue(answer.headers, 'Content-Type') ?? '')) return answer;
    const before = parseJson(body);
    const overlay = new Overlay(api, call, name);
    const after = overlay.list(before, schema) ?? overlay.object(before, schema, named(call)) ?? before;
    const isShown = after !== before && schema.validate('response')(after).length === 0;
    return isShown ? { ...answer, body: stringifyJson(after) } : answer;
  };
}

/** The variables of the path whose names say what they are: `{path}`, and `{id}` at its end. */
function namedInPath(thing: string, template: PathTemplate | undefined): (call: Call) => JsonObject {
  const last = template?.segments.at(-1);
  const own = last?.kind === 'variable' ? last.name : undefined;
  return ({ parameters: { path } }) =>
    Object.fromEntries([...path].filter(([name]) => name === own || !meansKey(name, thing)));
}

/** What the query says of the thing: what asks for a page or an order is told by others. */
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
class Overlay {
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
    const items = readerOf(this.api).items(readerOf(this.api).unwrap(schema) ?? schema);
    const rows = items === undefined ? undefined : sentRows(this.call.body, this.name);
    if (items === undefined || rows === undefined || !Array.isArray(value)) return undefined;
    const patterns: readonly JsonValue[] = value;
    return rows.map((row, index) => this.entry(patterns[index % patterns.length], row, items));
  }

  private entry(pattern: JsonValue | undefined, row: JsonValue, items: Schema): JsonValue {
    const named = isJsonObject(row) ? row : heldForm(this.api, items, row);
    if (!isJsonObject(named) || !isJsonObject(pattern)) return named;
    return this.over(pattern, named, readerOf(this.api).members(items));
  }

  /** What was sent, in the answer; in its envelope, where every member of it is an object, or one alone. */
  object(value: JsonValue, schema: Schema, inPath: JsonObject): JsonValue | undefined {
    const body = readerOf(this.api).unwrap(schema);
    if (body === undefined || !isJsonObject(value)) return undefined;
    const own = isJsonObject(this.call.body) ? this.call.body : {};
    const sent: JsonObject = { ...inPath, ...inQuery(this.call), ...own };
    const members = readerOf(this.api).members(body);
    const shown = this.over(value, sent, members);
    const parts = [...members.values()].filter((member) => this.isObject(member));
    // Beside scalars, one object is what they tell of: `{ ok, ts, message: { text } }`.
    const isEnvelope = parts.length === members.size || parts.length === 1;
    return isEnvelope ? this.inEnvelope(shown, parts, without(sent, members)) : shown;
  }

  private inEnvelope(value: JsonObject, parts: readonly Property[], sent: JsonObject): JsonObject {
    const shown: Record<string, JsonValue> = { ...value };
    const inner = parts.flatMap((property) => {
      const place = readerOf(this.api).member(property);
      return place === undefined ? [] : [{ name: property.name, members: readerOf(this.api).members(place) }];
    });
    for (const { name, members: own } of inner) {
      // What several parts have says nothing of which is meant.
      const meant = Object.entries(sent).filter(
        ([written]) => own.has(written) && inner.every((other) => other.name === name || !other.members.has(written)),
      );
      const part = memberOf(shown, name);
      if (meant.length > 0 && (part === undefined || isJsonObject(part)))
        setMember(shown, name, this.over(part ?? {}, Object.fromEntries(meant), own));
    }
    return shown;
  }

  private isObject(property: Property): boolean {
    const place = readerOf(this.api).member(property);
    return place !== undefined && readerOf(this.api).isObject(place);
  }

  private over(value: JsonObject, sent: JsonObject, members: ReadonlyMap<string, Property>): JsonObject {
    const written = new Map(
      Object.keys(sent).flatMap((name): [string, Property][] => {
        const property = this.call.bodyProperties.get(name);
        return property === undefined ? [] : [[name, property]];
      }),
    );
    const names = namesInItems(this.api, written, members);
    const shown: Record<string, JsonValue> = { ...value };
    for (const [name, part] of Object.entries(sent)) {
      const property = members.get(names.get(name) ?? name);
      const place = property === undefined ? undefined : this.api.schemaAt(property.pointer);
      if (property === undefined || place === undefined || property.writeOnly || isSecretMember(name)) continue;
      const fit = this.fitting(memberOf(value, property.name), place, part);
      if (fit !== undefined) setMember(shown, property.name, fit);
    }
    return shown;
  }

  /** What was sent in the form that the place takes; `undefined` where it has none. */
  private fitting(old: JsonValue | undefined, place: Schema, sent: JsonValue): JsonValue | undefined {
    if (isJsonObject(sent) && isJsonObject(old)) {
      const target = readerOf(this.api).unwrap(place) ?? place;
      const members = readerOf(this.api).members(target);
      return members.size === 0 ? valid(place, sent) : valid(place, this.over(old, sent, members));
    }
    return valid(place, sent) ?? valid(place, heldForm(this.api, place, sent));
  }
}

/** What the body around the parts has a place for is said there. */
function without(sent: JsonObject, members: ReadonlyMap<string, Property>): JsonObject {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !members.has(name)));
}

function valid(schema: Schema, value: JsonValue): JsonValue | undefined {
  return schema.validate('response')(value).length === 0 ? value : undefined;
}

/** The list that a body is, or the member of it that is called as the path is. */
function sentRows(body: JsonValue | undefined, name: string): readonly JsonValue[] | undefined {
  if (Array.isArray(body)) return body;
  const named = isJsonObject(body) ? Object.entries(body).find(([each]) => foldedName(each) === name) : undefined;
  const rows = named?.[1];
  return Array.isArray(rows) ? rows : undefined;
}

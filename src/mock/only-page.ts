import { headerValue } from '../http/headers';
import { once } from '../http/memo';
import { isJsonMediaType } from '../http/media-type';
import type { HttpResponse } from '../http/message';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { memberOf, setMember } from '../json/member';
import { parseJson } from '../json/parse-json';
import { stringifyJson } from '../json/stringify-json';
import type { ApiModel, Operation, Property, ResponseSpec, Schema } from '../openapi/model';
import { listShape } from '../resources/body-shape';
import { listParameters } from '../resources/list-parameters';
import { lastLiteral, parseTemplate } from '../resources/path-template';
import type { BodyShape, SiblingRole } from '../resources/resource-model';
import { schemaAlong, SchemaReader } from '../resources/schema-reader';
import { isNextHolder, siblingsOf } from '../resources/siblings';
import type { Fill } from './body-frame';
import type { Call } from './call';
import { fitOf, type Fit } from './fit-member';
import { planPaging } from './list-plan';
import { planFill } from './page-facts';
import type { SampleSchema } from './sample-schema';

/**
 * Puts right what an answer that no state stands behind says of its pages: an example tells of a next page, and a
 * made-up body of a total, that nobody will ever see. The rows that it has are all there are.
 *
 * @returns the answer itself where its body is no list, or would break its schema
 */
export type TellOnlyPage = (answer: HttpResponse, call: Call) => HttpResponse;

/** A member that tells of pages. */
interface Told {
  readonly path: readonly string[];
  readonly role: SiblingRole;
  readonly fit: Fit;
}

/** @param success - what the operation answers with; `undefined` where nothing is documented */
export function planOnlyPage(
  api: ApiModel,
  operation: Operation,
  success: ResponseSpec | undefined,
  sample: SampleSchema,
): TellOnlyPage {
  const schema = success?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
  const plan = once(() => (schema === undefined ? undefined : planRows(api, operation, schema, sample)));
  return (answer, call) => {
    const mediaType = headerValue(answer.headers, 'Content-Type') ?? '';
    if (schema === undefined || answer.body === undefined || !isJsonMediaType(mediaType)) return answer;
    const planned = plan();
    if (planned === undefined) return answer;
    const before = parsed(answer.body);
    const rows = planned.path === undefined ? [] : valueAt(before, planned.path);
    if (!Array.isArray(rows)) return answer;
    const fill = planned.fillFor(rows.length, call);
    let after = before;
    for (const told of planned.members) after = retold(after, told.path, told, fill) ?? after;
    for (const path of planned.nextHolders) after = withoutNext(after, path, schema);
    const isBroken = schema.validate('response')(after).length > 0;
    return isBroken ? answer : { ...answer, body: stringifyJson(after) };
  };
}

interface Rows {
  /** What leads to the rows; `undefined` where none are known, and only the end of the pages is. */
  readonly path: readonly string[] | undefined;
  readonly members: readonly Told[];
  /** Places of objects that tell of the next page alone. */
  readonly nextHolders: readonly (readonly string[])[];
  fillFor(count: number, call: Call): Fill;
}

function planRows(api: ApiModel, operation: Operation, schema: Schema, sample: SampleSchema): Rows | undefined {
  const reader = new SchemaReader(api);
  const template = parseTemplate(operation.path);
  const shape =
    listShape(reader, schema, template === undefined ? '' : lastLiteral(template.segments)) ?? endOf(reader, schema);
  if (shape?.form !== 'list' || shape.siblings.length === 0) return undefined;
  const parameters = listParameters(operation, NO_ITEM, reader, '', { shape, anchors: new Map() });
  const paging = planPaging(parameters);
  return {
    path: shape.item === undefined ? undefined : shape.path,
    members: toldIn(api, reader, shape, sample),
    nextHolders: shape.siblings.flatMap(({ path }) => (isNextHolder(path.at(-2) ?? '') ? [path.slice(0, -1)] : [])),
    fillFor(count, call) {
      // A page that has more rows than were asked for is as large as it is.
      const asked = paging.limit(call);
      const limit = Math.max(parameters.limit === undefined ? 0 : asked, count);
      const query = {
        filters: [],
        sortBy: '',
        descending: false,
        after: undefined,
        limit,
        skip: paging.skip(call, limit),
      };
      const page = { items: { length: count }, total: count, next: undefined };
      return planFill({ query, page, isSorted: false }, call, parameters);
    },
  };
}

/** What tells that no page follows, in a body that is no list of objects. */
function endOf(reader: SchemaReader, schema: Schema): BodyShape | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined) return undefined;
  const siblings = siblingsOf(reader, body, []).filter(({ role }) => ENDS.has(role));
  return { form: 'list', path: [], item: undefined, body, siblings, layout: 'plain' };
}

const ENDS: ReadonlySet<SiblingRole> = new Set(['next-cursor', 'next-link', 'next-page', 'has-more']);

/** Its members are not known: every parameter is what its own name says. */
const NO_ITEM = { path: '', properties: new Map<string, Property>(), attributes: new Map<string, Property>() };

function toldIn(api: ApiModel, reader: SchemaReader, { body, siblings }: BodyShape, sample: SampleSchema): Told[] {
  return siblings.flatMap(({ path, role }) => {
    const holder = schemaAlong(reader, body, path.slice(0, -1));
    const property = holder === undefined ? undefined : reader.members(holder).get(path.at(-1) ?? '');
    // Where an example says the last page is, nothing is known that is better.
    return property === undefined || role === 'last-link' ? [] : [{ path, role, fit: fitOf(api, property, sample) }];
  });
}

/** @returns the value with another member; `undefined` where it has no such member */
function retold(value: JsonValue, path: readonly string[], told: Told, fill: Fill): JsonValue | undefined {
  const [name, ...rest] = path;
  const old = name === undefined || !isJsonObject(value) ? undefined : memberOf(value, name);
  if (name === undefined || old === undefined) return undefined;
  const inner = rest.length === 0 ? told.fit(fill(told.role)) : retold(old, rest, told, fill);
  if (inner === undefined && rest.length > 0) return undefined;
  const changed: Record<string, JsonValue> = {};
  for (const [member, kept] of Object.entries(value as JsonObject)) {
    const now = member === name ? inner : kept;
    if (now !== undefined) setMember(changed, member, now);
  }
  return changed;
}

/** Without what tells of a next page: null where its schema takes that, else left out where it may be. */
function withoutNext(value: JsonValue, path: readonly string[], schema: Schema): JsonValue {
  const choices = [null, undefined].map((inner) => replaced(value, path, inner));
  return choices.find((choice) => schema.validate('response')(choice).length === 0) ?? value;
}

function replaced(value: JsonValue, [name, ...rest]: readonly string[], inner: null | undefined): JsonValue {
  if (name === undefined || !isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, kept]): [string, JsonValue][] => {
      if (member !== name) return [[member, kept]];
      if (rest.length > 0) return [[member, replaced(kept, rest, inner)]];
      return inner === null ? [[member, null]] : [];
    }),
  );
}

function parsed(body: string | Uint8Array): JsonValue {
  try {
    return parseJson(typeof body === 'string' ? body : Buffer.from(body).toString());
  } catch {
    // An example that was written as it is to be sent need be no JSON.
    return null;
  }
}

function valueAt(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const name of path) at = isJsonObject(at) ? memberOf(at, name) : undefined;
  return at;
}

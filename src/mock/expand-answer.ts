import { isJsonMediaType } from '../http/media-type';
import type { HttpResponse } from '../http/message';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { memberOf } from '../json/member';
import { parseJson } from '../json/parse-json';
import { stringifyJson } from '../json/stringify-json';
import type { Operation, Schema } from '../openapi/model';
import { readerOf, type SchemaReader } from '../resources/schema-reader';
import type { Call } from './call';
import type { MockContext } from './context';
import type { Draft } from './draft';
import type { OperationPlan } from './operation-plan';
import { visible } from './representation';
import { isRooted, type Resource } from './resource';

/** Names of parameters, and of members of bodies, that say what to show whole. */
const EXPANDS = /^(?:expands?|includes?|embed|with|populate|relations)$/i;
/** Steps that one name leads: `data.invoice.customer`. */
const MOST_STEPS = 8;
/** Names that one request expands. */
const MOST_NAMES = 20;
const NO_NAMES: readonly string[] = [];

/**
 * Shows whole what a request asks for by name, `expand=customer`, where a member is documented as either the key of an item
 * or the item itself. What is not kept stays as it is.
 */
export function expandAnswer(
  context: MockContext,
  plan: OperationPlan,
  call: Call,
  answer: HttpResponse,
  draft: Draft,
): HttpResponse {
  const names = namesAsked(call, plan.expandedBy);
  if (names.length === 0) return answer;
  const { body, status, headers } = answer;
  const content = plan.response(status)?.content.find(({ mediaType }) => isJsonMediaType(mediaType));
  if (typeof body !== 'string' || content?.schema === undefined) return answer;
  const { schema } = content;
  const expander = new Expander(readerOf(context.api), [...context.resources.values()], draft);
  const before = parseJson(body);
  const after = names.reduce((value, name) => expander.at(value, schema, name.split('.').slice(0, MOST_STEPS)), before);
  const text = stringifyJson(after);
  if (text === stringifyJson(before) || schema.validate('response')(after).length > 0) return answer;
  const isKept = (index: number): boolean => !/^(?:content-length|etag)$/i.test(headers[index - (index % 2)] ?? '');
  return { ...answer, headers: headers.filter((_, index) => isKept(index)), body: text };
}

/** Query parameters of an operation that say what to show whole. */
export function expandParameters({ parameters }: Operation): string[] {
  return parameters.flatMap(({ in: place, name }) => (place === 'query' && EXPANDS.test(name) ? [name] : []));
}

function namesAsked({ parameters, body }: Call, inQuery: readonly string[]): readonly string[] {
  const inBody = isJsonObject(body) ? Object.keys(body).filter((name) => EXPANDS.test(name)) : NO_NAMES;
  if (inQuery.length === 0 && inBody.length === 0) return NO_NAMES;
  const asked = [
    ...inQuery.map((name) => parameters.query.get(name)),
    ...inBody.map((name) => (isJsonObject(body) ? memberOf(body, name) : undefined)),
  ];
  return asked.flatMap(textsIn).slice(0, MOST_NAMES);
}

function textsIn(value: JsonValue | undefined): string[] {
  const values: readonly JsonValue[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return values.flatMap((each) => (typeof each === 'string' ? each.split(',') : [])).filter((text) => text !== '');
}

class Expander {
  private readonly reader: SchemaReader;
  private readonly resources: readonly Resource[];
  private readonly draft: Draft;

  constructor(reader: SchemaReader, resources: readonly Resource[], draft: Draft) {
    this.reader = reader;
    this.resources = resources;
    this.draft = draft;
  }

  /** @param path - members that lead on to what is to be whole; those of lists are meant of each entry */
  at(value: JsonValue, schema: Schema, path: readonly string[]): JsonValue {
    const place = this.reader.unwrap(schema) ?? schema;
    if (Array.isArray(value)) {
      const items = this.reader.items(place);
      return items === undefined ? value : value.map((entry: JsonValue) => this.at(entry, items, path));
    }
    const whole = isJsonObject(value) ? value : this.whole(value, place);
    return whole === undefined ? value : this.inside(whole, place, path);
  }

  private inside(value: JsonObject, place: Schema, [name, ...rest]: readonly string[]): JsonObject {
    const property = name === undefined ? undefined : this.reader.members(place).get(name);
    const inner = property === undefined ? undefined : memberOf(value, property.name);
    const next = property === undefined ? undefined : this.reader.member(property);
    if (property === undefined || inner === undefined || next === undefined) return value;
    const expanded = this.at(inner, next, rest);
    return expanded === inner ? value : { ...value, [property.name]: expanded };
  }

  /** The item that a key means, where a place takes either. */
  private whole(key: JsonValue, place: Schema): JsonObject | undefined {
    for (const branch of this.reader.choices(place)) {
      if (!this.reader.isObject(branch)) continue;
      const resource = this.resources.find((each) => isRooted(each) && each.schema.pointer === branch.pointer);
      const known = resource?.toKey(key);
      const item = resource === undefined || known === undefined ? undefined : this.draft.get(resource.path, known);
      if (resource !== undefined && item !== undefined) return visible(item, resource);
    }
    return undefined;
  }
}

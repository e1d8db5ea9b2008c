import { headerValue } from '../../core/http/headers';
import { once } from '../../core/text/memoize';
import { isJsonMediaType } from '../../core/http/media-type';
import type { HttpResponse } from '../../core/http/message';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setProperty,
  valueAlong,
} from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Operation, Property, ResponseSpec, Schema } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { type BodyShape, listShape } from '../../lists/body-shape';
import { listParameters } from '../../lists/list-parameters';
import { lastLiteral, parseTemplate } from '../../openapi/view/path-template';
import type { PagePropertyRole } from '../../lists/conventions/list-convention';
import { isOtherPageObject, pagePropertiesOf } from '../../lists/page-properties';
import { SchemaView } from '../../openapi/view/schema-view';
import type { Fill } from '../fitting/body-frame';
import type { Call } from '../calls/call';
import { type Fit, fitOf, type SampleSchema } from '../fitting/schema-fitting';
import { planPaging } from './list-plan';
import { fillFrom, PageMetadata } from './page-metadata';
import { jsonEntry } from '../../openapi/view/operation-bodies';

/**
 * Puts right what a response that no state stands behind says of its pages: an example tells of a next page, and a
 * made-up body of a total, that nobody will ever see. The items that it has are all there are.
 *
 * @returns the response itself where its body is not a list, or would break its schema
 */
export type CorrectPageMetadata = (response: HttpResponse, call: Call) => HttpResponse;

interface PageMetadataProperty {
  readonly path: readonly string[];
  readonly role: PagePropertyRole;
  readonly fit: Fit;
}

/** @param success - what the operation answers with; `undefined` where nothing is documented */
export function planSinglePage(
  api: ApiModel,
  operation: Operation,
  success: ResponseSpec | undefined,
  sample: SampleSchema,
): CorrectPageMetadata {
  const schema = jsonEntry(success?.content ?? [])?.schema;
  const plan = once(() => (schema === undefined ? undefined : planExamplePage(api, operation, schema, sample)));
  return (response, call) => {
    const mediaType = headerValue(response.headers, 'Content-Type') ?? '';
    if (schema === undefined || response.body === undefined || !isJsonMediaType(mediaType)) return response;
    const planned = plan();
    if (planned === undefined) return response;
    const before = parsed(response.body);
    const items = planned.path === undefined ? [] : valueAlong(before, planned.path);
    if (!Array.isArray(items)) return response;
    const fill = planned.fillFor(items.length, call);
    let after = before;
    for (const told of planned.pageProperties) after = withPageProperty(after, told.path, told, fill) ?? after;
    for (const path of planned.pageHolders) after = withoutEmptied(after, path, schema);
    const isBroken = !schema.accepts(after, 'response');
    return isBroken ? response : { ...response, body: stringifyJson(after) };
  };
}

interface ExamplePage {
  /** What leads to the items; `undefined` where none are known, and only the end of the pages is. */
  readonly path: readonly string[] | undefined;
  readonly pageProperties: readonly PageMetadataProperty[];
  /** Places of objects that tell of the next or the previous page alone. */
  readonly pageHolders: readonly (readonly string[])[];
  fillFor(count: number, call: Call): Fill;
}

function planExamplePage(
  api: ApiModel,
  operation: Operation,
  schema: Schema,
  sample: SampleSchema,
): ExamplePage | undefined {
  const view = new SchemaView(api);
  const template = parseTemplate(operation.path);
  const shape =
    listShape(view, schema, template === undefined ? '' : lastLiteral(template.segments)) ??
    lastPageShape(view, schema);
  if (shape?.form !== 'list' || shape.pageProperties.length === 0) return undefined;
  const parameters = listParameters(operation, NO_ITEM, view, '', { shape, anchors: new Map() });
  const paging = planPaging(parameters);
  return {
    path: shape.item === undefined ? undefined : shape.path,
    pageProperties: pagePropertiesIn(api, view, shape, sample),
    pageHolders: shape.pageProperties.flatMap(({ path }) =>
      isOtherPageObject(path.at(-2) ?? '') ? [path.slice(0, -1)] : [],
    ),
    fillFor(count, call) {
      // A page that has more items than were asked for is as large as it is.
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
      return fillFrom(new PageMetadata({ query, page, isSorted: false }, call, parameters));
    },
  };
}

/** What tells that no page follows, in a body that is not a list of objects. */
function lastPageShape(view: SchemaView, schema: Schema): BodyShape | undefined {
  const body = view.unwrap(schema);
  if (body === undefined) return undefined;
  const pageProperties = pagePropertiesOf(view, body, []).filter(({ role }) => ENDS.has(role));
  return { form: 'list', path: [], item: undefined, body, pageProperties, layout: 'plain' };
}

const ENDS: ReadonlySet<PagePropertyRole> = new Set(['next-cursor', 'next-link', 'next-page', 'has-more']);

/** Its properties are not known: every parameter is what its own name says. */
const NO_ITEM = { path: '', properties: new Map<string, Property>(), attributes: new Map<string, Property>() };

function pagePropertiesIn(
  api: ApiModel,
  view: SchemaView,
  { body, pageProperties }: BodyShape,
  sample: SampleSchema,
): PageMetadataProperty[] {
  return pageProperties.flatMap(({ path, role }) => {
    const holder = view.along(body, path.slice(0, -1));
    const property = holder === undefined ? undefined : view.properties(holder).get(path.at(-1) ?? '');
    // Where an example says the last page is, nothing is known that is better.
    return property === undefined || role === 'last-link' ? [] : [{ path, role, fit: fitOf(api, property, sample) }];
  });
}

/** @returns the value with another property; `undefined` where it has no such property */
function withPageProperty(
  value: JsonValue,
  path: readonly string[],
  told: PageMetadataProperty,
  fill: Fill,
): JsonValue | undefined {
  const [name, ...rest] = path;
  const old = name === undefined || !isJsonObject(value) ? undefined : ownProperty(value, name);
  if (name === undefined || old === undefined) return undefined;
  const inner = rest.length === 0 ? told.fit(fill(told.role)) : withPageProperty(old, rest, told, fill);
  if (inner === undefined && rest.length > 0) return undefined;
  const changed: Record<string, JsonValue> = {};
  for (const [property, stored] of Object.entries(value as JsonObject)) {
    const now = property === name ? inner : stored;
    if (now !== undefined) setProperty(changed, property, now);
  }
  return changed;
}

/** Without what tells of another page that is not there: null where its schema takes that, else left out where it may be. */
function withoutEmptied(value: JsonValue, path: readonly string[], schema: Schema): JsonValue {
  const choices = [null, undefined].map((inner) => replaced(value, path, inner));
  return choices.find((choice) => schema.accepts(choice, 'response')) ?? value;
}

function replaced(value: JsonValue, [name, ...rest]: readonly string[], inner: null | undefined): JsonValue {
  if (name === undefined || !isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([property, stored]): [string, JsonValue][] => {
      if (property !== name) return [[property, stored]];
      if (rest.length > 0) return [[property, replaced(stored, rest, inner)]];
      return inner === null ? [[property, null]] : [];
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

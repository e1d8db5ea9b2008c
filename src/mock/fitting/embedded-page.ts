import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Schema } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { listShape } from '../../lists/body-shape';
import type { PagePropertyRole } from '../../lists/conventions/list-convention';
import { viewOf } from '../../openapi/view/schema-view';
import { planFrame } from './body-frame';
import type { SampleSchema } from './schema-fitting';

/**
 * A list in the form in which items hold it where that is a page of it: `items: [{…}]` for
 * `items: { data: [{…}], has_more: false }`. The page is the only one.
 *
 * @param held - an entry in the form in which the page has it
 * @returns `undefined` where the schema is of no page
 */
export function embeddedPage(
  api: ApiModel,
  schema: Schema,
  name: string,
  value: readonly JsonValue[],
  sample: SampleSchema,
  held: (place: Schema, entry: JsonValue) => JsonValue,
): JsonValue | undefined {
  const view = viewOf(api);
  const place = view.unwrap(schema);
  if (place === undefined || view.items(place) !== undefined) return undefined;
  const shape = listShape(view, place, name);
  const { item } = shape ?? {};
  if (shape?.form !== 'list' || shape.path.length === 0 || item === undefined) return undefined;
  const entries = value.map((entry) => held(item, entry));
  const page = parseJson(
    planFrame(api, shape, sample).write(stringifyJson(entries), (role) => SINGLE_PAGE[role]?.(value.length)),
  );
  return isJsonObject(page) ? page : undefined;
}

const SINGLE_PAGE: Readonly<Partial<Record<PagePropertyRole, (count: number) => JsonValue>>> = {
  total: (count) => count,
  count: (count) => count,
  page: () => 1,
  'page-index': () => 0,
  'page-size': (count) => count,
  'page-count': () => 1,
  offset: () => 0,
  'has-more': () => false,
  'has-previous': () => false,
  'is-first': () => true,
  'is-last': () => true,
  'is-empty': (count) => count === 0,
};

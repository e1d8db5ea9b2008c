import type { HttpResponse } from '../core/http/message';
import { isListHeader } from '../mock/lists/page-metadata';
import type { OperationPlan } from '../mock/plans/operation-plan';
import type { ApiModel } from '../openapi/model/api-model';
import type { ResponseSpec } from '../openapi/model/operation';
import { type DeclaredHeader, declaredHeaders } from '../payload/response-headers';
import { locationText } from './data-origins';

/** A header of a response, and who gave it its value. */
export interface HeaderExplanation {
  readonly name: string;
  readonly value: string;
  readonly from: 'description' | 'standin' | 'request';
  readonly text: string;
  /** Where the description speaks of it. */
  readonly place: string | undefined;
}

/** A header that the response documents and does not have. */
export interface MissingHeader {
  readonly name: string;
  readonly place: string | undefined;
}

const GENERATED_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'keeps clients from showing what has changed meanwhile',
  'content-length': 'length of the body',
  etag: 'tag of the item as it is',
  location: 'where the new item can be read',
  link: 'URLs of this mock',
  allow: 'what the path returns',
  'www-authenticate': 'what the credentials have to be',
  'retry-after': 'when the limit is over',
};

const REQUESTED_HEADERS: Readonly<Record<string, string>> = {
  'preference-applied': 'what the request preferred',
  vary: 'what of the request the response depends on',
};

const ENDS: ReadonlySet<string> = new Set(['deprecation', 'sunset']);

const DECLARED_VALUES: Readonly<Record<DeclaredHeader['from'], string>> = {
  example: 'example of the description',
  schema: 'made up from its schema',
  usual: 'a usual value: the description gives none',
};

/** @param isState - the response was given from state */
export function explainHeaders(
  api: ApiModel,
  plan: OperationPlan,
  { headers, status }: HttpResponse,
  isState: boolean,
): { readonly sent: readonly HeaderExplanation[]; readonly missing: readonly MissingHeader[] } {
  const response = plan.response(status);
  const names = headers.filter((_, index) => index % 2 === 0);
  const sent = names.map((name, index) => {
    const value = headers[index * 2 + 1] ?? '';
    return { name, value, ...originOf(api, plan, response, { key: name.toLowerCase(), value, isState }) };
  });
  const keys = new Set(names.map((name) => name.toLowerCase()));
  const missing = [...(response?.headers ?? [])].flatMap(([key, { name, pointer }]) =>
    keys.has(key) ? [] : [{ name, place: locationText(api.document, pointer) }],
  );
  return { sent, missing };
}

interface SentHeader {
  readonly key: string;
  readonly value: string;
  readonly isState: boolean;
}

function originOf(
  api: ApiModel,
  plan: OperationPlan,
  response: ResponseSpec | undefined,
  sent: SentHeader,
): Pick<HeaderExplanation, 'from' | 'text' | 'place'> {
  const { document } = api;
  const { key, value } = sent;
  const content = key === 'content-type' ? response?.content.find(({ mediaType }) => mediaType === value) : undefined;
  if (content !== undefined)
    return { from: 'description', text: 'media type of the response', place: locationText(document, content.pointer) };
  const given = givenHeader(api, plan, response, sent);
  if (given !== undefined)
    return { from: 'description', text: DECLARED_VALUES[given.from], place: locationText(document, given.pointer) };
  if (ENDS.has(key))
    return {
      from: 'description',
      text: 'date of the operation',
      place: locationText(document, plan.operation.pointer),
    };
  const declared = response?.headers.get(key);
  const place = declared === undefined ? undefined : locationText(document, declared.pointer);
  const asked = REQUESTED_HEADERS[key];
  if (asked !== undefined) return { from: 'request', text: asked, place };
  return { from: 'standin', text: GENERATED_HEADERS[key] ?? 'computed for this response', place };
}

/** The declaration that a value was taken from. */
function givenHeader(
  api: ApiModel,
  { behaviour }: OperationPlan,
  response: ResponseSpec | undefined,
  { key, value, isState }: SentHeader,
): DeclaredHeader | undefined {
  // What is counted may happen to be what the example shows.
  const isCounted = isState && behaviour?.kind === 'list' && isListHeader(key);
  if (response === undefined || isCounted) return undefined;
  return declaredHeaders(api, response).find((each) => each.key === key && each.value === value);
}

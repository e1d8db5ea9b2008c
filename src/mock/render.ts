import type { HttpResponse } from '../http/message';
import { formatLink } from '../http/link-header';
import type { ResponseSpec } from '../openapi/model';
import type { Call, ItemOutcome, Outcome } from './call';
import { writeCursor } from './cursor';
import type { Page, ListQuery } from './list-query';
import type { OperationPlan } from './operation-plan';
import { represent, representOnce } from './representation';
import { toKey } from './rules';
import { listParameters } from './behaviours/list-parameters';
import type { Resource } from './resource';

type Rendered = Exclude<Outcome, { kind: 'refused' }>;

/** Writes what a behaviour did as the response that the description documents for it. */
export function renderOutcome(outcome: Rendered, call: Call, plan: OperationPlan): HttpResponse {
  switch (outcome.kind) {
    case 'listed':
      return renderPage(outcome, call, plan);
    case 'removed':
      return { status: plan.successStatus, headers: baseHeaders(call, false), body: undefined };
    case 'not-modified': {
      const headers = [...baseHeaders(call, false), 'ETag', represent(outcome.item).etag];
      return { status: 304, headers, body: undefined };
    }
    case 'created':
    case 'changed':
    case 'found':
      return renderItem(outcome, call, plan);
  }
}

function renderItem({ kind, resource, item }: ItemOutcome, call: Call, plan: OperationPlan): HttpResponse {
  const minimalStatus = call.isMinimal ? plan.minimalStatus : undefined;
  const isMinimal = minimalStatus !== undefined;
  const status = minimalStatus ?? plan.successStatus;
  const spec = plan.response(status);
  const { text, length, etag } = kind === 'found' ? represent(item) : representOnce(item);
  const headers = baseHeaders(call, isMinimal);
  if (declares(spec, 'etag')) headers.push('ETag', etag);
  if (kind === 'created' && resource.itemPath !== undefined && declares(spec, 'location')) {
    const key = encodeURIComponent(String(toKey(item[resource.keyMember])));
    headers.push('Location', `${call.baseUrl}${resource.path}/${key}`);
  }
  if (isMinimal || spec === undefined || spec.content.length === 0) return { status, headers, body: undefined };
  headers.push('Content-Type', 'application/json', 'Content-Length', length);
  return { status, headers, body: text };
}

function renderPage(
  { resource, query, page }: { resource: Resource; query: ListQuery; page: Page },
  call: Call,
  plan: OperationPlan,
): HttpResponse {
  const headers = baseHeaders(call, false);
  if (declares(plan.success, 'x-total-count')) headers.push('X-Total-Count', String(page.total));
  if (declares(plan.success, 'link')) headers.push('Link', pageLinks(resource, query, page, call));
  headers.push('Content-Type', 'application/json');
  return { status: plan.successStatus, headers, body: `[${page.items.map((item) => represent(item).text).join(',')}]` };
}

/** `first` always, `next` while something follows: its absence is the end of the list (RFC 8288). */
function pageLinks(resource: Resource, { sortBy, descending, filters }: ListQuery, page: Page, call: Call): string {
  const name = listParameters(call.operation, resource).cursor?.name;
  const others = call.query
    .split('&')
    .filter((pair) => pair !== '' && name !== undefined && !pair.startsWith(`${name}=`));
  const link = (rel: string, cursor: string | undefined): string => {
    const pairs = cursor === undefined || name === undefined ? others : [...others, `${name}=${cursor}`];
    const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
    return formatLink(`${call.baseUrl}${resource.path}${query}`, { rel });
  };
  const first = link('first', undefined);
  if (page.next === undefined || name === undefined) return first;
  const cursor = writeCursor(page.next, { collection: resource.path, sortBy, descending, filters });
  return `${first}, ${link('next', cursor)}`;
}

/** `no-cache` lets a client keep what it has and ask with If-None-Match; other answers are not to be kept. */
function baseHeaders(call: Call, isMinimal: boolean): string[] {
  const headers = ['Cache-Control', call.operation.method === 'GET' ? 'no-cache' : 'no-store'];
  if (!isMinimal && !call.isStrict) return headers;
  const applied = [isMinimal ? 'return=minimal' : '', call.isStrict ? 'handling=strict' : ''].filter(
    (text) => text !== '',
  );
  headers.push('Preference-Applied', applied.join(', '), 'Vary', 'Prefer');
  return headers;
}

function declares(response: ResponseSpec | undefined, header: string): boolean {
  return response?.headers.has(header) === true;
}

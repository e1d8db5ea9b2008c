import { createHash } from 'node:crypto';
import type { SourceFinding } from '../../core/errors/standin-error';
import { formatLink } from '../../core/http/header-fields';
import { formatHttpDate, formatStructuredDate } from '../../core/http/http-date';
import { memoize } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation, ResponseSpec } from '../../openapi/model/operation';
import { findingAt, valueAt } from '../../openapi/read/source-document';
import { findResponse } from '../../openapi/view/responses';
import { BEHAVIOURS, type Behaviour, type Binding, type ResourceModel } from '../../resources/model/binding';

/**
 * The status of a success: the usual one where it is documented, else the lowest 2xx, else the usual one as `2XX` or
 * `default` documents it. An operation that documents none of these answers with its lowest redirection, else with a
 * success that has no body: it must not seem to fail. One that documents failures of the service alone, such as 501,
 * answers with the first of them.
 */
export function successStatusOf(operation: Operation, kind: Behaviour | undefined): number {
  const { responses } = operation;
  const usual = kind === undefined ? 200 : BEHAVIOURS[kind].usualStatus;
  if (responses.has(String(usual)) && !isOfNothing(operation, kind, usual)) return usual;
  const lowest = lowestSuccess(operation, kind);
  if (lowest !== undefined) return lowest;
  if (responses.has('2XX') || responses.has('default')) return usual;
  return statusWithoutSuccess(operation);
}

/** Is the usual success of a removal said to be that of what was not there, beside another one? */
function isOfNothing({ responses }: Operation, kind: Behaviour | undefined, usual: number): boolean {
  const said = kind === 'remove' ? (responses.get(String(usual))?.description ?? '') : '';
  return (
    responses.has('200') && /\b(?:does ?n[o']t exist|does not exist|not found|already (?:been )?deleted)\b/i.test(said)
  );
}

function statusWithoutSuccess(operation: Operation): number {
  const { method, responses } = operation;
  const [first, ...others] = responses.keys();
  if (first !== undefined && [first, ...others].every((status) => status.startsWith('5')))
    return Number(first.replace('XX', '00'));
  // A 304 answers a condition, which a request need not have (RFC 9110 §15.4.5).
  const redirection = lowestOf(operation, /^3(?!04)\d\d$/) ?? (responses.has('3XX') ? 302 : undefined);
  return redirection ?? (method === 'GET' || method === 'HEAD' ? 200 : 204);
}

/** Does an operation say how it answers when it does what it is asked (OAS 3.0.3 §4.7.16)? */
export function documentsSuccess({ responses }: Operation): boolean {
  return [...responses.keys()].some((status) => /^(?:[23]..|default)$/i.test(status) && status !== '304');
}

/** Operations of which only failures are documented: each gets a success that the description lacks. */
export function undocumentedSuccesses(api: ApiModel): SourceFinding[] {
  return api.operations
    .filter((operation) => operation.responses.size > 0 && !documentsSuccess(operation))
    .map((operation) =>
      findingAt(api.document, `${operation.pointer}/responses`, {
        rule: 'success-not-documented',
        severity: 'warning',
        message: `${operation.id} documents no success: it gets ${responseText(successStatusOf(operation, undefined))}`,
        expected: 'a response 2xx, 3xx or default',
        hint: 'Document the response of a successful call.',
      }),
    );
}

function responseText(status: number): string {
  return status < 500 ? `${status} and no body` : `${status}, the first documented response`;
}

/** 201 is for what was made; a PUT to what was there already answers another success (RFC 9110 §9.3.4). */
function lowestSuccess(operation: Operation, kind: Behaviour | undefined): number | undefined {
  const replaced = kind === 'upsert' ? lowestOf(operation, /^2(?!01)\d\d$/) : undefined;
  return replaced ?? lowestOf(operation, /^2\d\d$/);
}

function lowestOf({ responses }: Operation, pattern: RegExp): number | undefined {
  const [lowest] = [...responses.keys()].filter((status) => pattern.test(status)).sort();
  return lowest === undefined ? undefined : Number(lowest);
}

export function minimalStatus(operation: Operation, kind: Behaviour | undefined): number | undefined {
  const minimal = kind === undefined ? undefined : BEHAVIOURS[kind].minimalStatus;
  if (minimal === 'success') return successStatusOf(operation, kind);
  return minimal !== undefined && operation.responses.has(String(minimal)) ? minimal : undefined;
}

const CHANGES: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Does If-Match act on an operation? Where it documents the header, and on every change of an item whose read sends
 * the ETag to put there: who was given one may send it back (RFC 9110 §13.1.1), and few descriptions list it.
 *
 * @param bindings - of the whole description
 */
export function takesIfMatch({ operation, resource, behaviour }: Binding, bindings: Iterable<Binding>): boolean {
  if (documentsHeader(operation, 'if-match')) return true;
  // A DELETE of a whole collection changes no item of which the caller could know the tag.
  if (!CHANGES.has(operation.method) || behaviour === 'clear') return false;
  for (const other of bindings) {
    if (other.resource === resource && other.behaviour === 'read' && sendsTag(other.operation)) return true;
  }
  return false;
}

/** @param header - lower case */
export function documentsHeader({ parameters }: Operation, header: string): boolean {
  return parameters.some(({ in: place, key }) => place === 'header' && key === header);
}

/** For a mock that is asked to require If-Match where nothing takes it: it would wait for a rejection that never comes. */
export function unconditionalWrites(api: ApiModel, { bindings }: ResourceModel): SourceFinding[] {
  const all = [...bindings.values()];
  if (all.some((binding) => takesIfMatch(binding, all))) return [];
  return [
    findingAt(api.document, '/paths', {
      rule: 'if-match-nowhere',
      severity: 'warning',
      message: 'If-Match is required, but no operation takes it: nothing will be rejected for the lack of it',
      expected: 'a header ETag in the response of a read, or a header parameter If-Match',
      hint: 'Declare the header ETag where an item is read: it acts on PUT, PATCH and DELETE of that item.',
    }),
  ];
}

function sendsTag(operation: Operation): boolean {
  return findResponse(operation, successStatusOf(operation, 'read'))?.headers.has('etag') === true;
}

/** Headers that announce the end of an operation, those of them that the description has dates or targets for. */
export interface LifecycleHeaders {
  /** `@1767225600` (RFC 9745 §2.1); never invented when the description gives no date. */
  readonly deprecation: string | undefined;
  /** IMF-fixdate (RFC 8594 §3). */
  readonly sunset: string | undefined;
  /** Links to the successor and to the documentation (RFC 5829 §3.2, RFC 9745 §3, RFC 8594 §6). */
  link(serverUrl: string, basePath: string, pathParameters: Readonly<Record<string, string>>): string | undefined;
}

/** @param docsPath - where the mock shows the description to people, below the server's root */
export function lifecycleHeaders(operation: Operation, docsPath: string | undefined): LifecycleHeaders | undefined {
  const { deprecated, deprecatedSince, sunset, replacedBy } = operation.lifecycle;
  if (!deprecated) return undefined;
  // Literals at even places, names of variables at odd ones.
  const template = (replacedBy ?? '').split(/\{([^{}]*)\}/);
  const docsLinks = memoize((serverUrl) => linksToDocs(operation, docsPath, serverUrl));
  return {
    deprecation: deprecatedSince === undefined ? undefined : formatStructuredDate(deprecatedSince),
    sunset: sunset === undefined ? undefined : formatHttpDate(sunset),
    link(serverUrl, basePath, pathParameters) {
      const docs = docsLinks(serverUrl);
      if (replacedBy === undefined) return docs === '' ? undefined : docs;
      const successor = `<${serverUrl}${basePath}${expand(template, pathParameters)}>; rel="successor-version"`;
      return docs === '' ? successor : `${successor}, ${docs}`;
    },
  };
}

function expand(template: readonly string[], values: Readonly<Record<string, string>>): string {
  let text = template[0] ?? '';
  for (let index = 1; index < template.length; index += 2) {
    text += encodeURIComponent(values[template[index] ?? ''] ?? '') + (template[index + 1] ?? '');
  }
  return text;
}

function linksToDocs({ id, lifecycle }: Operation, docsPath: string | undefined, serverUrl: string): string {
  if (docsPath === undefined) return '';
  const target = `${serverUrl}${docsPath}#${encodeURIComponent(id)}`;
  const relations = lifecycle.sunset === undefined ? ['deprecation'] : ['deprecation', 'sunset'];
  return relations.map((rel) => formatLink(target, { rel, type: 'text/html' })).join(', ');
}

/** The example of the header where that is a cookie, else one of the name that the description looks for (RFC 6265 §4.1). */
export function planCookie(api: ApiModel, { id }: Operation, success: ResponseSpec | undefined): string | undefined {
  const header = success?.headers.get('set-cookie');
  if (header === undefined) return undefined;
  const shown = [valueAt(api.document, `${header.pointer}/example`), header.schema?.value['example']];
  const cookie = shown.find((value) => typeof value === 'string' && /^[^=;\s]+=[\x20-\x7e]*$/.test(value));
  if (typeof cookie === 'string') return cookie;
  const scheme = [...api.securitySchemes.values()].find(
    ({ type, in: place }) => type === 'apiKey' && place === 'cookie',
  );
  const token = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `${scheme?.parameterName ?? 'session'}=${token}; Path=/; HttpOnly`;
}

import { formatHttpDate } from '../http/http-date';
import { formatLink } from '../http/link-header';
import { memoize } from '../http/memo';
import { formatStructuredDate } from '../http/structured-date';
import type { Operation } from '../openapi/model';

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

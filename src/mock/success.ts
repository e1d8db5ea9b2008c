import type { SourceFinding } from '../errors/source-finding';
import type { ApiModel, Operation } from '../openapi/model';
import { findingAt } from '../openapi/source-document';
import type { Behaviour } from '../resources/resource-model';

/** What each behaviour answers with when the description leaves the choice. */
const USUAL_STATUS: Readonly<Record<Behaviour, number>> = {
  list: 200,
  create: 201,
  'create-many': 201,
  read: 200,
  replace: 200,
  update: 200,
  upsert: 200,
  remove: 204,
  clear: 204,
  act: 200,
  part: 200,
  hold: 200,
  count: 200,
};

/**
 * The status of a success: the usual one where it is documented, else the lowest 2xx, else the usual one as `2XX` or
 * `default` documents it. An operation that documents none of these answers with its lowest redirection, else with a
 * success that has no body: it must not seem to fail.
 */
export function successStatusOf(operation: Operation, kind: Behaviour | undefined): number {
  const { method, responses } = operation;
  const usual = kind === undefined ? 200 : USUAL_STATUS[kind];
  if (responses.has(String(usual))) return usual;
  const lowest = lowestSuccess(operation, kind);
  if (lowest !== undefined) return lowest;
  if (responses.has('2XX') || responses.has('default')) return usual;
  // A 304 answers a condition, which a request need not have (RFC 9110 §15.4.5).
  const redirection = lowestOf(operation, /^3(?!04)\d\d$/) ?? (responses.has('3XX') ? 302 : undefined);
  return redirection ?? (method === 'GET' || method === 'HEAD' ? 200 : 204);
}

/** Does an operation say how it answers when it does what it is asked (OAS 3.0.3 §4.7.16)? */
export function documentsSuccess({ responses }: Operation): boolean {
  return [...responses.keys()].some((status) => /^(?:[23]..|default)$/i.test(status) && status !== '304');
}

/** Operations of which only failures are documented: each is answered with a success that the description lacks. */
export function undocumentedSuccesses(api: ApiModel): SourceFinding[] {
  return api.operations
    .filter((operation) => operation.responses.size > 0 && !documentsSuccess(operation))
    .map((operation) =>
      findingAt(api.document, `${operation.pointer}/responses`, {
        rule: 'success-not-documented',
        severity: 'warning',
        message: `${operation.id} documents no success: it is answered with ${successStatusOf(operation, undefined)} and no body`,
        expected: 'a response 2xx, 3xx or default',
        hint: 'Document the response of a successful call.',
      }),
    );
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

import { headerValue, withoutHeaders } from '../../core/http/headers';
import type { HttpResponse } from '../../core/http/message';
import { getOrCreate } from '../../core/text/memoize';
import type { Operation } from '../../openapi/model/operation';
import type { GradedApi, Mutant } from './mutant';
import { isErrorStatus, sending } from './response-mutants';

/** Headers that are declared, and those that every service has to send (RFC 9110 §11.6.1, §15.5.6). */
export function* lostHeaders({ api }: GradedApi): Generator<Mutant> {
  for (const [name, status, pointer] of [
    ['www-authenticate', 401, '/security'],
    ['allow', 405, '/paths'],
  ] as const) {
    yield {
      id: `without-header ${status} ${name}`,
      words: `a ${status} has no header ${name}`,
      pointer,
      operations: undefined,
      defect: sending((response) =>
        response.status === status ? { ...response, headers: without(response, name) } : response,
      ),
    };
  }
  for (const header of declaredHeaders(api.operations)) yield headerMutant('without-header', header);
}

export function* otherHeaders({ api }: GradedApi): Generator<Mutant> {
  for (const header of declaredHeaders(api.operations).filter(({ name }) => CHANGEABLE.test(name)))
    yield headerMutant('other-header', header);
}

/** A header of responses; of errors one for all operations that refer to the same declaration, as one piece of code sends it. */
interface DeclaredHeader {
  readonly name: string;
  readonly pointer: string;
  readonly operations: Set<string>;
  readonly statuses: Set<string>;
}

function declaredHeaders(operations: readonly Operation[]): DeclaredHeader[] {
  const found = new Map<string, DeclaredHeader>();
  for (const { id, responses } of operations)
    for (const { status, headers } of responses.values())
      for (const [name, { pointer }] of headers) {
        const key = isErrorStatus(status) ? pointer : `${id} ${status} ${name}`;
        const known = getOrCreate(found, key, () => ({
          name,
          pointer,
          operations: new Set<string>(),
          statuses: new Set<string>(),
        }));
        known.operations.add(id);
        known.statuses.add(status);
      }
  return [...found.values()];
}

function headerMutant(
  kind: 'without-header' | 'other-header',
  { name, pointer, operations, statuses }: DeclaredHeader,
): Mutant {
  const written = [...statuses].join(' and ');
  const isOf = ({ status }: HttpResponse): boolean =>
    statuses.has(String(status)) || statuses.has(`${String(status)[0]}XX`);
  const change = kind === 'without-header' ? () => undefined : (value: string) => otherText(name, value) ?? value;
  return {
    id: `${kind} ${operations.size === 1 ? [...operations].join() : pointer} ${written} ${name}`,
    words:
      kind === 'without-header' ? `its ${written} has no header ${name}` : `its ${written} has another header ${name}`,
    pointer,
    operations,
    defect: sending((response) => (isOf(response) ? withHeader(response, name, change) : response)),
  };
}

function withHeader(response: HttpResponse, name: string, change: (value: string) => string | undefined): HttpResponse {
  const value = headerValue(response.headers, name);
  const changed = value === undefined ? undefined : change(value);
  if (changed === value) return response;
  return { ...response, headers: [...without(response, name), ...(changed === undefined ? [] : [name, changed])] };
}

function without({ headers }: HttpResponse, name: string): HttpResponse['headers'] {
  return withoutHeaders(headers, new Set([name]));
}

/** Headers of which another value is another thing, and not the same in other words. */
const CHANGEABLE = /^(?:etag|link|location|content-location|retry-after|.*(?:count|total|limit|remaining).*)$/;

/** A number that is one more, a tag that never changes, a place where something else is. */
function otherText(name: string, value: string): string | undefined {
  if (/^\d+$/.test(value)) return String(BigInt(value) + 1n);
  if (name === 'etag') return '"1"';
  if (name === 'location' || name === 'content-location') return value.replace(/[^/?#]+(?=[?#]|$)/, 'elsewhere');
  if (name === 'link') return value.replace(/([?&]\w+=)[^&>]+/, '$1other');
  return undefined;
}

import type { RequestHead } from '../http/message';
import { matchMediaType } from '../http/media-type';
import { parseQuery, type QueryPair } from '../http/request-target';
import type { Operation } from './model';
import type { Route, RouteMatch } from './route-table';
import type { TellingPart } from './telling-parts';

/** What a request says beside its path and method. */
interface Sent {
  readonly pairs: readonly QueryPair[];
  readonly headers: RequestHead['headers'];
}

/** How well a request fits an operation; the first number that differs decides, and less is better. */
type Misfit = readonly number[];

/** Operations on one path and method: their templates differ only in what no path holds. */
export class OperationChoice {
  private readonly operations: readonly Operation[];
  /** By the first thing that tells each of them, so that a request is not held against hundreds. */
  private readonly byFirst = new Map<string, Operation[]>();
  private readonly firsts = new Map<string, TellingPart>();

  constructor(operations: readonly Operation[]) {
    this.operations = operations;
    for (const operation of operations) {
      const [first] = operation.telling;
      if (first?.value === undefined) continue;
      this.firsts.set(`${first.in} ${first.name}`, first);
      const key = firstKey(first, first.value);
      const known = this.byFirst.get(key);
      if (known === undefined) this.byFirst.set(key, [operation]);
      else known.push(operation);
    }
  }

  choose(query: string, headers: RequestHead['headers']): Operation | undefined {
    if (this.operations.length < 2) return this.operations[0];
    const sent: Sent = { pairs: parseQuery(query), headers };
    for (const first of this.firsts.values()) {
      const value = sentValue(first, sent);
      const named = value === undefined ? undefined : this.byFirst.get(firstKey(first, value));
      if (named !== undefined) return bestOf(named, sent);
    }
    return bestOf(this.operations, sent);
  }
}

/**
 * The operation of a route that a request asks for. Where several have its method, it is the one that the query and the
 * headers tell: by what its template holds behind the path, then by the parameters that it requires, then by the type of
 * the body; a tie goes to the earlier one.
 *
 * @param query - raw, without `?`
 */
export function operationOf(
  route: Route,
  method: string,
  query: string,
  headers: RequestHead['headers'],
): Operation | undefined {
  if (route.choices === undefined) return route.operations.get(method);
  return (route.choices.get(method) ?? NO_CHOICE).choose(query, headers);
}

const NO_CHOICE = new OperationChoice([]);

/** A match with those path parameters that an operation has in the query of its template: `/weather?city={city}`. */
export function withQueryVariables(
  match: RouteMatch,
  { query: template, telling }: Operation,
  query: string,
): RouteMatch {
  if (template === '') return match;
  const pathParameters = { ...match.pathParameters };
  const rawPathParameters = { ...match.rawPathParameters };
  const pairs = parseQuery(query);
  for (const { name, variable } of telling) {
    const pair = variable === undefined ? undefined : pairs.find((each) => each.name === name);
    if (variable === undefined || pair?.value === undefined) continue;
    pathParameters[variable] = pair.value;
    rawPathParameters[variable] = pair.rawValue.replaceAll('+', '%20');
  }
  return { ...match, pathParameters, rawPathParameters };
}

function firstKey({ in: place, name }: TellingPart, value: string): string {
  return `${place} ${name}=${value}`;
}

function bestOf(operations: readonly Operation[], sent: Sent): Operation | undefined {
  let best: { readonly operation: Operation; readonly misfit: Misfit } | undefined;
  for (const operation of operations) {
    const misfit = misfitOf(operation, sent);
    if (best === undefined || isLess(misfit, best.misfit)) best = { operation, misfit };
  }
  return best?.operation;
}

function isLess(left: Misfit, right: Misfit): boolean {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0);
}

function misfitOf({ telling, parameters, requestBody }: Operation, sent: Sent): Misfit {
  const unsaid = telling.filter((part) => {
    const value = sentValue(part, sent);
    return value === undefined || (part.value !== undefined && part.value !== value);
  });
  const wrong = unsaid.filter(({ isNeeded }) => isNeeded);
  const missing = parameters.filter(
    ({ in: place, name, required }) =>
      required && (place === 'query' || place === 'header') && sentValue({ in: place, name }, sent) === undefined,
  );
  const type = sent.headers['content-type'];
  const isOtherType =
    typeof type === 'string' && requestBody !== undefined && matchMediaType(type, requestBody.mediaTypes) === undefined;
  return [wrong.length, unsaid.length - telling.length, missing.length, isOtherType ? 1 : 0];
}

function sentValue(
  { in: place, name }: Pick<TellingPart, 'in' | 'name'>,
  { pairs, headers }: Sent,
): string | undefined {
  if (place === 'query') return pairs.find((pair) => pair.name === name)?.value;
  const value = headers[name.toLowerCase()];
  return typeof value === 'object' ? value.join(', ') : value;
}

import { sentHeader } from '../../core/http/headers';
import { matchMediaType } from '../../core/http/media-type';
import type { RequestHead } from '../../core/http/message';
import { decodeQueryComponent, parseQuery, type QueryPair } from '../../core/http/request-target';
import type { Operation, OperationSelector } from './operation';

/** What a request says beside its path and method. */
interface SentValues {
  readonly pairs: readonly QueryPair[];
  readonly headers: RequestHead['headers'];
}

/** How well a request fits an operation; the first number that differs decides, and less is better. */
type MatchCost = readonly number[];

/** Operations on one path and method: their templates differ only in what no path holds. */
export class OperationChoice {
  private readonly operations: readonly Operation[];
  /** By the first thing that tells each of them, so that a request is not held against hundreds. */
  private readonly byFirst = new Map<string, Operation[]>();
  private readonly firsts = new Map<string, OperationSelector>();

  constructor(operations: readonly Operation[]) {
    this.operations = operations;
    for (const operation of operations) {
      const [first] = operation.selectors;
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
    const sent: SentValues = { pairs: parseQuery(query), headers };
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
export function selectOperation(
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
  { query: template, selectors }: Operation,
  query: string,
): RouteMatch {
  if (template === '') return match;
  const pathParameters = { ...match.pathParameters };
  const rawPathParameters = { ...match.rawPathParameters };
  const pairs = parseQuery(query);
  for (const { name, variable } of selectors) {
    const pair = variable === undefined ? undefined : pairs.find((each) => each.name === name);
    if (variable === undefined || pair?.value === undefined) continue;
    pathParameters[variable] = pair.value;
    rawPathParameters[variable] = pair.rawValue.replaceAll('+', '%20');
  }
  return { ...match, pathParameters, rawPathParameters };
}

function firstKey({ in: place, name }: OperationSelector, value: string): string {
  return `${place} ${name}=${value}`;
}

function bestOf(operations: readonly Operation[], sent: SentValues): Operation | undefined {
  let best: { readonly operation: Operation; readonly misfit: MatchCost } | undefined;
  for (const operation of operations) {
    const misfit = matchCost(operation, sent);
    if (best === undefined || isLess(misfit, best.misfit)) best = { operation, misfit };
  }
  return best?.operation;
}

function isLess(left: MatchCost, right: MatchCost): boolean {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at !== -1 && (left[at] ?? 0) < (right[at] ?? 0);
}

function matchCost({ selectors, parameters, requestBody }: Operation, sent: SentValues): MatchCost {
  const unsaid = selectors.filter((part) => {
    const value = sentValue(part, sent);
    return value === undefined || (part.value !== undefined && part.value !== value);
  });
  const wrong = unsaid.filter(({ isRequired }) => isRequired);
  const missing = parameters.filter(
    ({ in: place, name, required }) =>
      required && (place === 'query' || place === 'header') && sentValue({ in: place, name }, sent) === undefined,
  );
  const type = sent.headers['content-type'];
  const isOtherType =
    typeof type === 'string' && requestBody !== undefined && matchMediaType(type, requestBody.mediaTypes) === undefined;
  return [wrong.length, unsaid.length - selectors.length, missing.length, isOtherType ? 1 : 0];
}

function sentValue(
  { in: place, name }: Pick<OperationSelector, 'in' | 'name'>,
  { pairs, headers }: SentValues,
): string | undefined {
  if (place === 'query') return pairs.find((pair) => pair.name === name)?.value;
  return sentHeader({ headers }, name.toLowerCase());
}
export type VariableValues = ReadonlyMap<string, readonly string[]>;

/** Everything that one path template answers. */
export interface Route {
  /** Path template, as the first operation has it. */
  readonly path: string;
  /** Names of the variables of the template, in order. */
  readonly variables: readonly string[];
  /** What operations of other templates for the same paths call the variables; see `template-conflict`. */
  readonly aliases: readonly (readonly string[])[];
  /** By upper-case method. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Where templates hold more than a path: what chooses among the operations of a method. Otherwise `undefined`. */
  readonly choices: ReadonlyMap<string, OperationChoice> | undefined;
  /** Value of the `Allow` header: HEAD wherever GET is, and OPTIONS (RFC 9110 §10.2.1). */
  readonly allow: string;
  /** The texts that a variable may be, by its name; for templates in which variables touch. */
  readonly variableValues: VariableValues;
}
export interface RouteMatch {
  readonly route: Route;
  /** The base path that the table is mounted at. */
  readonly basePath: string;
  /** Values of the path parameters, percent-decoded, by name. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The same as received: lists are split before they are decoded. */
  readonly rawPathParameters: Readonly<Record<string, string>>;
  /** A percent sequence could not be decoded; the segment was taken as it is (RFC 3986 §2.1). */
  readonly isUndecodable: boolean;
}

/** What is looked at of a parameter. */
interface Named {
  readonly name: string;
  readonly in: string;
  /** In lower case for a header. */
  readonly key: string;
}

/** A path template and what stands behind its path. */
interface SplitTemplate {
  /** What the path of a request is matched with. */
  readonly path: string;
  /** Written behind `?`; empty where there is none. */
  readonly query: string;
  /** Written behind `#`, which is never sent (RFC 9110 §4.2.5). */
  readonly fragment: string;
}

/** @param written - a key of `paths` */
export function splitTemplate(written: string): SplitTemplate {
  const [beforeFragment = '', ...fragments] = written.split('#');
  const [path = '', ...queries] = beforeFragment.split('?');
  return { path, query: queries.join('?'), fragment: fragments.join('#') };
}

/** What requests to an operation can be told by; nothing is made of a word that names no parameter of it. */
export function operationSelectors(
  { query, fragment }: SplitTemplate,
  parameters: readonly Named[],
): OperationSelector[] {
  const ofQuery = pieces(query).map(({ name, value }) => ({
    ...parseSelector(name, value),
    in: 'query' as const,
    isRequired: true,
  }));
  const ofFragment = pieces(fragment).flatMap(({ name, value }): OperationSelector[] => {
    const place = selectorLocation(name, parameters);
    // `#overload=stream` says what could be sent, `#another` is a word for people.
    if (place === undefined && (value === undefined || !/^[\w.-]+$/.test(name))) return [];
    return [{ ...parseSelector(name, value), in: place ?? 'query', isRequired: place !== undefined }];
  });
  return [...ofQuery, ...ofFragment];
}

function pieces(text: string): { readonly name: string; readonly value: string | undefined }[] {
  return text.split('&').flatMap((piece) => {
    const [name = '', ...values] = piece.split('=');
    return name === '' ? [] : [{ name, value: values.length === 0 ? undefined : values.join('=') }];
  });
}

function parseSelector(name: string, value: string | undefined): Omit<OperationSelector, 'in' | 'isRequired'> {
  const variable = /^\{([^{}]+)\}$/.exec(value ?? '')?.[1];
  const isOpen = value === undefined || value.includes('{');
  return { name, value: isOpen ? undefined : (decodeQueryComponent(value) ?? value), variable };
}

function selectorLocation(name: string, parameters: readonly Named[]): OperationSelector['in'] | undefined {
  const named = parameters.find(
    (parameter) => (parameter.in === 'query' && parameter.name === name) || isHeader(parameter, name),
  );
  return named === undefined ? undefined : named.in === 'header' ? 'header' : 'query';
}

function isHeader(parameter: Named, name: string): boolean {
  return parameter.in === 'header' && parameter.key === name.toLowerCase();
}

import { escapePattern } from '../../core/text/escape-pattern';
import { decodePathSegment } from '../../core/http/request-target';
import type { Operation } from './operation';
import { OperationChoice, type Route, type RouteMatch, type VariableValues } from './operation-selection';

const NO_VARIABLE_VALUES: VariableValues = new Map();

interface Node {
  readonly literals: Map<string, Node>;
  /** Segments with literal and variable parts, in document order. */
  readonly mixed: { readonly pattern: RegExp; readonly node: Node }[];
  variable: Node | undefined;
  route: Route | undefined;
}

const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Finds the path template of a path in time that grows with its segments, not with the number of operations.
 * Segment by segment from the left, a literal beats a partly literal segment beats a variable (OAS 3.0.3 "Path
 * Templating Matching" leaves the rest to tools). A template without the requested method gives way to one with it.
 */
export class RouteTable {
  readonly routes: readonly Route[];
  readonly basePath: string;
  private readonly root = emptyNode();
  /** Templates without variables: one look-up answers them. */
  private readonly fixed = new Map<string, RouteMatch>();

  /** @param basePath - path before every path of the table: `''` or `/v1` */
  constructor(operations: readonly Operation[], basePath = '') {
    this.basePath = basePath;
    // Templates that differ only in the names of their variables are one: of two operations with one method the first.
    const byShape = new Map<string, Operation[]>();
    for (const operation of operations) {
      const shape = templateShape(operation.path);
      const siblings = byShape.get(shape);
      if (siblings === undefined) byShape.set(shape, [operation]);
      else siblings.push(operation);
    }
    this.routes = [...byShape.values()].map(toRoute);
    for (const route of this.routes) this.add(route);
  }

  /**
   * @param path - raw path below the base path, starting with `/`, not yet decoded
   * @param method - in upper case; left out: the best template, whatever its methods
   * @returns where no template of the path has the method, the best template
   */
  match(path: string, method?: string): RouteMatch | undefined {
    const best = this.fixed.get(path) ?? this.matchTemplate(path, acceptAny);
    if (best === undefined || method === undefined || hasMethod(best.route, method)) return best;
    return this.matchTemplate(path, (route) => hasMethod(route, method)) ?? best;
  }

  private matchTemplate(path: string, isWanted: RouteTest): RouteMatch | undefined {
    const segments: string[] = path.split('/');
    let isUndecodable = false;
    if (path.includes('%')) {
      for (let index = 1; index < segments.length; index++) {
        const decoded = decodePathSegment(segments[index] ?? '');
        if (decoded === undefined) isUndecodable = true;
        else segments[index] = decoded;
      }
    }
    const values: string[] = [];
    const route = find(this.root, { segments, values, isWanted }, 1);
    if (route === undefined) return undefined;
    const pathParameters = named(route, values);
    const rawPathParameters = path.includes('%') ? named(route, rawValues(route, path)) : pathParameters;
    return { route, basePath: this.basePath, pathParameters, rawPathParameters, isUndecodable };
  }

  private add(route: Route): void {
    let node = this.root;
    for (const segment of route.path.split('/').slice(1)) node = descend(node, segment, route.variableValues);
    node.route ??= route;
    if (!route.path.includes('{'))
      this.fixed.set(route.path, {
        route,
        basePath: this.basePath,
        pathParameters: NO_PARAMETERS,
        rawPathParameters: NO_PARAMETERS,
        isUndecodable: false,
      });
  }
}

/** Names of the variables of a template, in order. */
export function templateVariables(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
}

/** What templates have in common that match the same paths (OAS 3.0.3 §4.7.8). */
export function templateShape(path: string): string {
  return path.replace(/\{[^{}]*\}/g, '{}');
}

function emptyNode(): Node {
  return { literals: new Map(), mixed: [], variable: undefined, route: undefined };
}

function descend(node: Node, segment: string, words: VariableValues): Node {
  if (/^\{[^{}]*\}$/.test(segment)) return (node.variable ??= emptyNode());
  if (!segment.includes('{')) {
    let next = node.literals.get(segment);
    if (next === undefined) node.literals.set(segment, (next = emptyNode()));
    return next;
  }
  const pattern = segmentPattern(segment, words);
  const known = node.mixed.find((candidate) => candidate.pattern.source === pattern.source);
  if (known !== undefined) return known.node;
  const next = emptyNode();
  node.mixed.push({ pattern, node: next });
  return next;
}

/**
 * `report.{format}` → `^report\.(.+?)$`. Where nothing stands between two variables, the texts that one of them may be
 * tell where it begins: `{id}{suffix}` → `^(.+?)(\.json|\.xml)$`.
 */
function segmentPattern(segment: string, words: VariableValues): RegExp {
  const parts = segment.split(/\{([^{}]*)\}/);
  const isVariable = (index: number): boolean => index % 2 === 1 && index < parts.length;
  const texts = parts.map((part, index) => {
    if (!isVariable(index)) return escapePattern(part);
    const touches = [-1, 1].some((step) => parts[index + step] === '' && isVariable(index + 2 * step));
    const known = touches ? words.get(part) : undefined;
    return known === undefined ? '(.+?)' : `(${known.map(escapePattern).join('|')})`;
  });
  return new RegExp(`^${texts.join('')}$`, 'su');
}

type RouteTest = (route: Route) => boolean;

function acceptAny(): boolean {
  return true;
}

/** Does a route answer a method? GET answers HEAD, and OPTIONS is answered everywhere (RFC 9110 §9.3.2, §9.3.7). */
function hasMethod({ operations }: Route, method: string): boolean {
  return operations.has(method) || method === 'OPTIONS' || (method === 'HEAD' && operations.has('GET'));
}

/** A path that a template is looked for. */
interface Search {
  readonly segments: readonly string[];
  /** Values of the variables, as far as the path was followed. */
  readonly values: string[];
  readonly isWanted: RouteTest;
}

function wantedRoute({ route }: Node, { isWanted }: Search): Route | undefined {
  return route !== undefined && isWanted(route) ? route : undefined;
}

function find(node: Node, search: Search, index: number): Route | undefined {
  const { segments, values } = search;
  if (index === segments.length) return wantedRoute(node, search);
  const segment = segments[index] ?? '';
  const literal = node.literals.get(segment);
  const ofLiteral = literal === undefined ? undefined : find(literal, search, index + 1);
  if (ofLiteral !== undefined) return ofLiteral;
  for (const { pattern, node: next } of node.mixed) {
    const match = pattern.exec(segment);
    if (match === null) continue;
    const before = values.length;
    values.push(...match.slice(1));
    const route = find(next, search, index + 1);
    if (route !== undefined) return route;
    values.length = before;
  }
  // An empty segment is not a value: `/books/` is not `/books/{bookId}`.
  if (node.variable === undefined || segment === '') return undefined;
  values.push(segment);
  const route = find(node.variable, search, index + 1);
  if (route === undefined) values.pop();
  return route;
}

/** What stands in the place of each variable of a template, of a path that the template matches. */
function rawValues({ path: template, variableValues }: Route, path: string): string[] {
  const sent = path.split('/');
  return template.split('/').flatMap((segment, index) => {
    const raw = sent[index] ?? '';
    if (!segment.includes('{')) return [];
    return /^\{[^{}]*\}$/.test(segment)
      ? [raw]
      : (segmentPattern(segment, variableValues).exec(raw)?.slice(1) ?? [raw]);
  });
}

/** A variable may be called `__proto__`: it is defined, not assigned, there. */
function named({ variables, aliases }: Route, values: readonly string[]): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const names of aliases) defineAll(result, names, values);
  defineAll(result, variables, values);
  return result;
}

function defineAll(result: Record<string, string>, variables: readonly string[], values: readonly string[]): void {
  for (let index = 0; index < variables.length; index++) {
    const name = variables[index] ?? '';
    const value = values[index] ?? '';
    if (name === '__proto__') Object.defineProperty(result, name, { value, enumerable: true });
    else result[name] = value;
  }
}

function toRoute(written: readonly Operation[]): Route {
  const isTold = written.some(({ selectors, path, written: whole }) => selectors.length > 0 || path !== whole);
  // The plain one speaks for a method wherever nobody can ask which is meant.
  const operations = isTold
    ? written.toSorted((left, right) => left.selectors.length - right.selectors.length)
    : written;
  const path = operations[0]?.path ?? '';
  const methods = new Set(operations.map((operation) => operation.method));
  const choices = isTold ? choicesOf(operations, methods) : undefined;
  if (methods.has('GET')) methods.add('HEAD');
  methods.add('OPTIONS');
  return {
    path,
    variables: templateVariables(path),
    aliases: [...new Set(operations.map((operation) => operation.path))].slice(1).map(templateVariables),
    operations: new Map(operations.toReversed().map((operation) => [operation.method, operation])),
    choices,
    allow: [...methods].join(', '),
    variableValues: path.includes('}{') ? enumValuesOf(operations) : NO_VARIABLE_VALUES,
  };
}

function enumValuesOf(operations: readonly Operation[]): VariableValues {
  const words = new Map<string, readonly string[]>();
  for (const { parameters } of operations) {
    for (const { in: place, name, schema } of parameters) {
      const values = place === 'path' ? schema?.value['enum'] : undefined;
      const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
      if (texts.length > 0) words.set(name, texts);
    }
  }
  return words;
}

function choicesOf(operations: readonly Operation[], methods: Iterable<string>): ReadonlyMap<string, OperationChoice> {
  const ofMethod = (method: string): OperationChoice =>
    new OperationChoice(operations.filter((operation) => operation.method === method));
  return new Map(Array.from(methods, (method) => [method, ofMethod(method)]));
}

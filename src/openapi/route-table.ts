import { decodePathSegment } from '../http/request-target';
import type { Operation } from './model';

/** Everything that one path template answers. */
export interface Route {
  /** Path template as written. */
  readonly path: string;
  /** Names of the variables of the template, in order. */
  readonly variables: readonly string[];
  /** By upper-case method. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Value of the `Allow` header: HEAD wherever GET is, and OPTIONS (RFC 9110 §10.2.1). */
  readonly allow: string;
}

export interface RouteMatch {
  readonly route: Route;
  /** Values of the path parameters, percent-decoded, by name. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** A percent sequence could not be decoded; the segment was taken as it is (RFC 3986 §2.1). */
  readonly isUndecodable: boolean;
}

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
 * Templating Matching" leaves the rest to tools).
 */
export class RouteTable {
  readonly routes: readonly Route[];
  private readonly root = emptyNode();
  /** Templates without variables: one look-up answers them. */
  private readonly fixed = new Map<string, RouteMatch>();

  constructor(operations: readonly Operation[]) {
    const byPath = new Map<string, Operation[]>();
    for (const operation of operations) {
      const siblings = byPath.get(operation.path);
      if (siblings === undefined) byPath.set(operation.path, [operation]);
      else siblings.push(operation);
    }
    this.routes = [...byPath].map(([path, siblings]) => toRoute(path, siblings));
    for (const route of this.routes) this.add(route);
  }

  /** @param path - raw path below the base path, starting with `/`, not yet decoded */
  match(path: string): RouteMatch | undefined {
    const fixed = this.fixed.get(path);
    if (fixed !== undefined) return fixed;
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
    const route = find(this.root, segments, 1, values);
    if (route === undefined) return undefined;
    return { route, pathParameters: named(route.variables, values), isUndecodable };
  }

  private add(route: Route): void {
    let node = this.root;
    for (const segment of route.path.split('/').slice(1)) node = descend(node, segment);
    node.route ??= route;
    if (!route.path.includes('{'))
      this.fixed.set(route.path, { route, pathParameters: NO_PARAMETERS, isUndecodable: false });
  }
}

/** Names of the variables of a template, in order. */
export function templateVariables(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
}

function emptyNode(): Node {
  return { literals: new Map(), mixed: [], variable: undefined, route: undefined };
}

function descend(node: Node, segment: string): Node {
  if (/^\{[^{}]*\}$/.test(segment)) return (node.variable ??= emptyNode());
  if (!segment.includes('{')) {
    let next = node.literals.get(segment);
    if (next === undefined) node.literals.set(segment, (next = emptyNode()));
    return next;
  }
  const pattern = segmentPattern(segment);
  const known = node.mixed.find((candidate) => candidate.pattern.source === pattern.source);
  if (known !== undefined) return known.node;
  const next = emptyNode();
  node.mixed.push({ pattern, node: next });
  return next;
}

/** `report.{format}` → `^report\.(.+?)$`. */
function segmentPattern(segment: string): RegExp {
  const parts = segment.split(/\{[^{}]*\}/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+?)')}$`, 'su');
}

function find(node: Node, segments: readonly string[], index: number, values: string[]): Route | undefined {
  if (index === segments.length) return node.route;
  const segment = segments[index] ?? '';
  const literal = node.literals.get(segment);
  if (literal !== undefined) {
    const route = find(literal, segments, index + 1, values);
    if (route !== undefined) return route;
  }
  for (const { pattern, node: next } of node.mixed) {
    const match = pattern.exec(segment);
    if (match === null) continue;
    const before = values.length;
    values.push(...match.slice(1));
    const route = find(next, segments, index + 1, values);
    if (route !== undefined) return route;
    values.length = before;
  }
  // An empty segment is no value: `/books/` is not `/books/{bookId}`.
  if (node.variable === undefined || segment === '') return undefined;
  values.push(segment);
  const route = find(node.variable, segments, index + 1, values);
  if (route === undefined) values.pop();
  return route;
}

/** A variable may be called `__proto__`: it is defined, not assigned, there. */
function named(variables: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (let index = 0; index < variables.length; index++) {
    const name = variables[index] ?? '';
    const value = values[index] ?? '';
    if (name === '__proto__') Object.defineProperty(result, name, { value, enumerable: true });
    else result[name] = value;
  }
  return result;
}

function toRoute(path: string, operations: readonly Operation[]): Route {
  const methods = new Set(operations.map((operation) => operation.method));
  if (methods.has('GET')) methods.add('HEAD');
  methods.add('OPTIONS');
  return {
    path,
    variables: templateVariables(path),
    operations: new Map(operations.map((operation) => [operation.method, operation])),
    allow: [...methods].join(', '),
  };
}

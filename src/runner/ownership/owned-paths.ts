import { equalJson } from '../../core/json/json-value';
import type { SchemaObject } from '../../schema/schema-object';
import type { Operation } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import type { RouteMatch } from '../../openapi/model/operation-selection';
import { isSpecificName, linkedVariables } from './path-names';
import { lastVariable, routeOf } from './item-routes';

interface OwnedItem {
  /** The variable that the item's own path ends in; `undefined` where it ends in a word. */
  readonly variable: string | undefined;
  readonly value: string;
  readonly schema: SchemaObject | undefined;
  /** Every variable of the item's path before the last one. */
  readonly parents: Readonly<Record<string, string>>;
  /** Variables of other paths that the description links it to, as `getStock id`. */
  readonly linked: ReadonlySet<string>;
}

/**
 * What a run may change: the paths of what it made, and what stands below them. The values of a path say nothing
 * without the path: 17 of `/books/{id}` is ours, 17 of `/loans/{id}` is somebody else's.
 */
export class OwnedPaths {
  private readonly api: ApiModel;
  private readonly owned = new Map<string, OwnedItem>();

  constructor(api: ApiModel) {
    this.api = api;
  }

  /** @param creation - the operation that made it, whose links may say where else it stands */
  add(item: string, creation?: Operation): void {
    const match = routeOf(this.api, item);
    const key = match === undefined ? undefined : prefixesOf(match).at(-1);
    if (match === undefined || key === undefined) return;
    const { route, pathParameters } = match;
    const variable = lastVariable(route);
    const parents = Object.fromEntries(Object.entries(pathParameters).filter(([name]) => name !== variable));
    this.owned.set(key, {
      variable,
      value: variable === undefined ? '' : (pathParameters[variable] ?? ''),
      schema: variable === undefined ? undefined : schemaOf(match, variable),
      parents,
      linked: new Set(creation === undefined ? [] : linkedVariables(creation, route, variable)),
    });
  }

  /** To be called when it is gone: who gets its key next is somebody else. */
  drop(item: string): void {
    const match = routeOf(this.api, item);
    this.owned.delete((match === undefined ? undefined : prefixesOf(match).at(-1)) ?? '');
  }

  /**
   * The first variable of a path that names something else than what the run made.
   *
   * @param isHarmless - called with what is not the run's own; `true` when it may be named all the same
   * @param method - for a DELETE the name of a variable is no proof that it names the same thing
   */
  foreignVariable(
    path: string,
    isHarmless: (variable: string, value: string) => boolean,
    method?: string,
  ): string | undefined {
    const match = routeOf(this.api, path);
    if (match === undefined) return undefined;
    // What stands below something that was made belongs to it, whatever stands above.
    if (prefixesOf(match).some((key) => this.owned.has(key))) return undefined;
    return match.route.variables.find((name) => {
      const value = match.pathParameters[name] ?? '';
      return !this.isAlias(match, name, value, method !== 'DELETE') && !isHarmless(name, value);
    });
  }

  /** Is a path, whose variables may be none, the run's own? */
  has(path: string): boolean {
    const match = routeOf(this.api, path);
    if (match === undefined) return false;
    if (match.route.variables.length > 0) return this.foreignVariable(path, () => false) === undefined;
    return prefixesOf(match).some((key) => this.owned.has(key));
  }

  /**
   * Does a variable of another path name the same thing? `/stock/{bookId}` does as `/books/{bookId}` does.
   *
   * @param byName - count its name and its schema, where no link says so?
   */
  private isAlias(match: RouteMatch, name: string, value: string, byName: boolean): boolean {
    const schema = schemaOf(match, name);
    const operations = [...match.route.operations.values()];
    return [...this.owned.values()].some((owned) => {
      if (owned.variable === undefined || owned.value !== value) return false;
      const isBelowSame = Object.entries(owned.parents).every(([parent, id]) => match.pathParameters[parent] === id);
      if (!isBelowSame) return false;
      if (operations.some(({ id }) => owned.linked.has(`${id} ${name}`))) return true;
      const isSame = schema !== undefined && owned.schema !== undefined && equalJson(schema, owned.schema);
      return byName && owned.variable === name && isSpecificName(name) && isSame;
    });
  }
}

/** Every beginning of a path, the shortest first: its template without the names of its variables, and their values. */
function prefixesOf({ route, pathParameters }: RouteMatch): string[] {
  const values = route.variables.map((name) => pathParameters[name] ?? '');
  const segments = route.path.replace(/\/$/, '').split('/').slice(1);
  return segments.map((_, index) => {
    const template = segments.slice(0, index + 1).join('/');
    const variables = [...template.matchAll(/\{[^{}]*\}/g)].length;
    return JSON.stringify([template.replace(/\{[^{}]*\}/g, '{}'), ...values.slice(0, variables)]);
  });
}

function schemaOf({ route }: RouteMatch, variable: string): SchemaObject | undefined {
  const parameters = [...route.operations.values()].flatMap((operation) => operation.parameters);
  return parameters.find(({ in: location, name }) => location === 'path' && name === variable)?.schema?.value;
}

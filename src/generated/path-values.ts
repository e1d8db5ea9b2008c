import { pointerTo } from '../core/json/json-pointer';
import { singularOf } from '../core/text/inflection';
import { listShape } from '../lists/body-shape';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, Parameter, Schema } from '../openapi/model/operation';
import { successSchema } from '../openapi/view/operation-bodies';
import { typesOf, viewOf } from '../openapi/view/schema-view';
import { chooseKey } from '../resources/keys/choose-key';
import type { ResourceDescription } from '../resources/model/resource';
import { flatOf, parameterValue } from './parameters';
import {} from './subject';

/** A list whose items show what a variable of a path may be. */
export interface ListedValue {
  readonly list: Operation;
  /** Where the first item shows it: a JSON Pointer into the body. */
  readonly pointer: string;
  /** Names of properties that lead to it in the item. */
  readonly within: readonly string[];
  /** What one of the items is called. */
  readonly noun: string;
  readonly item: Schema;
}

/** The list that stands before a variable, `/tenants` for `/tenants/{tenant}/rows`, where its items show such values. */
export function findListedValue(api: ApiModel, path: string, variable: string): ListedValue | undefined {
  const before = withoutSlash(path.slice(0, path.indexOf(`{${variable}}`)));
  const list = api.operations.find((each) => each.method === 'GET' && withoutSlash(each.path) === before);
  return list && findFirstKey(api, list, variable, variableOf(api, path, variable));
}

/** Where the first item of a list shows what a name stands for: its key, or where it is a plain value, that. */
export function findFirstKey(
  api: ApiModel,
  list: Operation,
  called: string,
  told?: Pick<Parameter, 'schema' | 'description'>,
): ListedValue | undefined {
  const name = withoutSlash(list.path).split('/').at(-1) ?? '';
  const view = viewOf(api);
  const shape = listShape(view, successSchema(list), name);
  if (shape?.form !== 'list' || shape.item === undefined) return undefined;
  const first = [...shape.path, '0', ...(shape.entryPath ?? [])];
  const found = { list, noun: singularOf(name), item: shape.item };
  if (typesOf(shape.item.value).every((type) => type === 'string' || type === 'integer'))
    return { ...found, within: [], pointer: pointerTo(first) };
  const properties = view.properties(shape.item);
  const key = chooseKey(properties, [called], told, name, view);
  const within = key.propertyPath.length > 0 ? key.propertyPath : [key.name];
  return properties.has(within[0] ?? '') ? { ...found, within, pointer: pointerTo([...first, ...within]) } : undefined;
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

function variableOf(api: ApiModel, path: string, name: string): Operation['parameters'][number] | undefined {
  const own = api.operations.filter((each) => each.path.startsWith(path));
  return own.flatMap(({ parameters }) => parameters).find((each) => each.in === 'path' && each.name === name);
}

/** What the description itself says a variable of a path may be: an example, a default or one of a few words. */
export function findShownValue(api: ApiModel, path: string, name: string): string | undefined {
  const variable = variableOf(api, path, name);
  if (variable === undefined) return undefined;
  const values = [
    ...viewOf(api).parameterExamples(variable),
    variable.defaultValue,
    ...(flatOf(api, variable).values ?? []),
  ];
  return values.map(textOf).find((text) => text !== undefined);
}

/** What the schema of a variable of the path of a collection says it may be, made up where it shows nothing. */
export function givenVariable(
  api: ApiModel,
  { path }: Pick<ResourceDescription, 'path'>,
  name: string,
  seed: string,
): string | undefined {
  const variable = variableOf(api, path, name);
  return variable === undefined ? undefined : textOf(parameterValue(api, variable, seed));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

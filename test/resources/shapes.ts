import { inferResourceModel } from '../../src/resources/infer-resource-model';
import type { Binding, ResourceModel } from '../../src/resources/model/binding';
import type { Overrides } from '../../src/resources/overrides/statements';
import { type ApiModel, buildModel } from '../../src/openapi/model/api-model';
import type { JsonValue } from '../../src/core/json/json-value';

/** A JSON value as a test writes it. */
type Value = null | boolean | string | number | readonly Value[] | { readonly [name: string]: Value };
export type Schemas = Readonly<Record<string, Value>>;

/**
 * What an operation answers and takes, as short as it can be said: `Book`, `[Book]` for a list, `{data: [Book]}` and any
 * other object for an envelope, `map Book`, `-` for no body.
 */
export interface Says {
  readonly answers?: Value;
  readonly takes?: Value;
  readonly status?: string;
  /** `limit: integer`, or a schema. */
  readonly query?: Readonly<Record<string, Value>>;
  readonly more?: Schemas;
}

/** `GET /books` to what it says; a text alone is what it answers. */
export type Paths = Readonly<Record<string, Value | Says>>;

export const BOOK: Value = { id: 'integer', title: 'string' };

/** The members of an object by their types: `string`, `integer`, `date-time`, `Book`, `[Book]`. */
export function schemaOf(value: Value): Value {
  if (typeof value === 'string') return named(value);
  if (Array.isArray(value)) return { type: 'array', items: schemaOf((value as readonly Value[])[0] ?? 'string') };
  if (value === null || typeof value !== 'object') return {};
  const entries = Object.entries(value as Readonly<Record<string, Value>>);
  if (entries.some(([name]) => ['type', '$ref', 'allOf', 'oneOf', 'anyOf', 'enum', 'properties'].includes(name)))
    return value;
  return { type: 'object', properties: Object.fromEntries(entries.map(([name, type]) => [name, schemaOf(type)])) };
}

function named(text: string): Value {
  const list = /^\[(.*)\]$/.exec(text)?.[1];
  if (list !== undefined) return { type: 'array', items: named(list) };
  const map = /^map (.*)$/.exec(text)?.[1];
  if (map !== undefined) return { type: 'object', additionalProperties: named(map) };
  if (text === 'date' || text === 'date-time' || text === 'uuid') return { type: 'string', format: text };
  if (['string', 'integer', 'number', 'boolean'].includes(text)) return { type: text };
  return { $ref: `#/components/schemas/${text}` };
}

function isSays(value: Value | Says): value is Says {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['answers', 'takes', 'query', 'status', 'more'].some((name) => name in value)
  );
}

function content(value: Value): Value {
  return { content: { 'application/json': { schema: schemaOf(value) } } };
}

function operation(path: string, said: Value | Says): Value {
  const { answers = '-', takes, status, query = {}, more = {} } = isSays(said) ? said : { answers: said };
  const variables = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const parameters = Object.entries(query).map(([name, type]) => ({ name, in: 'query', schema: schemaOf(type) }));
  const body = answers === '-' ? {} : (content(answers) as Readonly<Record<string, Value>>);
  return {
    parameters: [...variables, ...parameters],
    ...(takes === undefined ? {} : { requestBody: content(takes) }),
    responses: { [status ?? (answers === '-' ? '204' : '200')]: { description: 'ok', ...body } },
    ...more,
  };
}

/** A description that nothing but the paths and schemas of is of interest. */
export function apiOf(paths: Paths, schemas: Schemas = {}): ApiModel {
  const items: Record<string, Record<string, Value>> = {};
  for (const [key, said] of Object.entries(paths)) {
    const [method = '', path = ''] = key.split(' ');
    const item = (items[path] ??= {});
    if (method === 'x-standin') item['x-standin'] = said as Value;
    else item[method.toLowerCase()] = operation(path, said);
  }
  const all: Schemas = { Book: BOOK, ...schemas };
  const named = Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, schemaOf(schema)]));
  const root = {
    openapi: '3.0.3',
    info: { title: 'Shapes', version: '1' },
    paths: items,
    components: { schemas: named },
  };
  return buildModel({ file: 'shapes.yaml', root: root as unknown as JsonValue, locationOf: () => undefined });
}

export function inferred(paths: Paths, schemas: Schemas = {}, overrides?: Overrides): ResourceModel {
  return inferResourceModel(apiOf(paths, schemas), overrides);
}

/** A model in words: `/books by id` for a resource, and its operations below it. */
export function summary(model: ResourceModel): string[] {
  return model.resources.flatMap((resource) => {
    const { path, itemPath, key, scope, kind } = resource;
    const by = kind === 'singleton' ? 'single' : `by ${key.name}`;
    const within = scope.map(
      ({ parent, property }) => `${parent ?? '?'}${property === undefined ? '' : `=${property}`}`,
    );
    const bindings = [...model.bindings.values()].filter((binding) => binding.resource === resource);
    return [
      `${path} ${by}${itemPath === undefined || itemPath.startsWith(`${path}/`) ? '' : ` at ${itemPath}`}${within.length === 0 ? '' : ` in ${within.join(' ')}`}`,
      ...bindings.map((binding) => `  ${inWords(binding)}`),
    ];
  });
}

function inWords({
  operation: { method, path },
  behaviour,
  response,
  request,
  restrictions,
  action,
  countBy,
}: Binding): string {
  const place = (shape: typeof response): string =>
    shape === undefined || (shape.path.length === 0 && shape.form !== 'map')
      ? ''
      : ` ${shape.form === 'map' ? 'map' : ''}${shape.path.join('.')}`;
  const out = response === undefined ? '' : place(response).replace(/^ /, ' out:');
  const into = request === undefined ? '' : place(request).replace(/^ /, ' in:');
  const where = restrictions.map(({ property, parent }) => ` ${property}<-${parent ?? '?'}`).join('');
  const sets = action?.assignments.map(({ property, value }) => ` ${property}=${JSON.stringify(value)}`).join('') ?? '';
  return `${method} ${path} ${behaviour}${out}${into}${where}${sets}${countBy === undefined ? '' : ` by ${countBy}`}`;
}

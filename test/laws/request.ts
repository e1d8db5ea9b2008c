import { asObject, isObject, isScalar, plainName } from './checks';
import type { Body, Description, Operation, Parameter } from './description';
import { isJson } from './description';
import { makeValue, NoValueError } from './make-value';
import type { Schemas } from './schemas';

export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The body before it was written. */
  readonly sent?: unknown;
}

export interface Wishes {
  /** Values of the path's parameters, by name. */
  readonly keys: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A body as it is written. */
  readonly raw?: { readonly mediaType: string; readonly body: Buffer };
  readonly variant?: number;
}

export interface Maker {
  readonly description: Description;
  readonly schemas: Schemas;
}

/** Makes a request that fits the description; throws `NoValueError` where none is sure to. */
export function makeRequest(maker: Maker, operation: Operation, wishes: Wishes): Request {
  const { query, headers } = writeParameters(maker, operation, wishes.variant ?? 0);
  const path = operation.path
    .replace(/#.*$/, '')
    .replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(keyFor(maker, operation, name, wishes)));
  for (const [name, value] of Object.entries(wishes.query ?? {})) query.set(name, value);
  addCredentials(maker.description, operation, query, headers);
  const separator = path.includes('?') ? '&' : '?';
  const target = query.size === 0 ? path : `${path}${separator}${new URLSearchParams([...query]).toString()}`;
  const request = { method: operation.method, target, headers };
  const { raw } = wishes;
  if (raw !== undefined) return { ...request, body: raw.body, headers: { ...headers, 'content-type': raw.mediaType } };
  const isBodiless =
    operation.body === undefined ||
    (operation.method === 'DELETE' && !operation.body.required && wishes.body === undefined);
  return isBodiless ? request : { ...request, ...writeBody(maker, operation, wishes, headers) };
}

interface Written {
  readonly query: Map<string, string>;
  readonly headers: Record<string, string>;
}

/** The parameters that must be there, outside the path. */
function writeParameters(maker: Maker, { parameters, responses }: Operation, variant: number): Written {
  const query = new Map<string, string>();
  const headers: Record<string, string> = {};
  const accepted = responses.flatMap(({ bodies }) => bodies).find(({ mediaType }) => isJson(mediaType));
  if (accepted !== undefined) headers['accept'] = accepted.mediaType.replace(/^.*\*.*$/, 'application/json');
  for (const parameter of parameters) {
    const isOurs = parameter.in === 'header' && /^(?:authorization|accept|content-type)$/i.test(parameter.name);
    if (!parameter.required || isOurs || parameter.in === 'path') continue;
    const value = writeParameter(maker, parameter, variant);
    if (parameter.in === 'query') query.set(parameter.name, value);
    if (parameter.in === 'header') headers[parameter.name.toLowerCase()] = value;
    if (parameter.in === 'cookie') headers['cookie'] = `${parameter.name}=${value}`;
  }
  return { query, headers };
}

/** Makes up values for the parameters of a path, as far as they can be, the same as in a request of this operation. */
export function makeUpKeys(maker: Maker, operation: Operation, known: Wishes['keys']): Wishes['keys'] {
  const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
  const made: Record<string, string> = {};
  for (const name of names) {
    try {
      made[name] = keyFor(maker, operation, name, { keys: known });
    } catch (error) {
      if (!(error instanceof NoValueError)) throw error;
    }
  }
  return made;
}

function keyFor(maker: Maker, operation: Operation, name: string, wishes: Wishes): string {
  const known = wishes.keys[name];
  if (known !== undefined) return known;
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  if (parameter === undefined) throw new NoValueError(`{${name}} is not described`);
  return writeParameter(maker, parameter, 0);
}

function writeParameter({ schemas }: Maker, { name, schema, example }: Parameter, variant: number): string {
  const making = { schemas, variant, takesExamples: true };
  const value = isObject(example) || example === undefined ? makeValue(making, schema, name) : example;
  const judge = schemas.judge(schema, 'request');
  if (judge?.(value) !== undefined) throw new NoValueError(`no value for ${name}`);
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(',');
  if (!isScalar(value)) throw new NoValueError(`${name} is an object`);
  return String(value);
}

/** Whatever the first requirement that can be met asks for. */
function addCredentials(
  { document, resolve }: Description,
  { security }: Operation,
  query: Map<string, string>,
  headers: Record<string, string>,
): void {
  const schemes = asObject(asObject(document['components'])['securitySchemes'] ?? document['securityDefinitions']);
  for (const name of Object.keys(security[0] ?? {})) {
    const scheme = resolve(schemes[name]);
    const type = String(scheme['type']);
    const isBasic = type === 'basic' || (type === 'http' && plainName(String(scheme['scheme'])) === 'basic');
    if (type === 'apiKey') {
      const place = String(scheme['name']);
      if (scheme['in'] === 'query') query.set(place, 'any-key');
      else if (scheme['in'] === 'cookie') headers['cookie'] = `${place}=any-key`;
      else headers[place.toLowerCase()] = 'any-key';
    } else headers['authorization'] = isBasic ? `Basic ${btoa('user:any-key')}` : 'Bearer any-key';
  }
}

function writeBody(maker: Maker, operation: Operation, wishes: Wishes, headers: Request['headers']): Partial<Request> {
  const body = chooseBody(operation);
  if (body === undefined) throw new NoValueError('no media type of the body is JSON or a form');
  const sent = wishes.body ?? makeBody(maker, body, wishes.variant ?? 0);
  const isForm = !isJson(body.mediaType);
  const mediaType = body.mediaType.includes('*') ? 'application/json' : body.mediaType;
  if (!isForm) return { sent, body: JSON.stringify(sent), headers: { ...headers, 'content-type': mediaType } };
  if (!isObject(sent) || Object.values(sent).some((value) => typeof value === 'object')) {
    throw new NoValueError('a form of more than scalars');
  }
  const form = new URLSearchParams(
    Object.entries(sent).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { sent, body: form.toString(), headers: { ...headers, 'content-type': mediaType } };
}

/** The body in JSON or as a form. A patch of other than plain members is none. */
export function chooseBody({ body }: Operation): Body | undefined {
  const usable = (body?.of ?? []).filter(({ mediaType }) => !/json-patch|json-seq|ndjson/.test(mediaType));
  return (
    usable.find(({ mediaType }) => /^application\/json/.test(mediaType)) ??
    usable.find(({ mediaType }) => isJson(mediaType)) ??
    usable.find(({ mediaType }) => mediaType.startsWith('application/x-www-form-urlencoded'))
  );
}

function makeBody({ schemas }: Maker, { schema, examples }: Body, variant: number): unknown {
  const judge = schemas.judge(schema, 'request');
  if (judge === undefined) throw new NoValueError('the schema of the body cannot be used');
  const ways = [
    () => makeValue({ schemas, variant, takesExamples: true }, schema, 'body'),
    () => makeValue({ schemas, variant, takesExamples: false }, schema, 'body'),
    ...examples.map((example) => () => example),
  ];
  let reason = 'the body';
  for (const way of ways) {
    try {
      const made = way();
      const error = judge(made);
      if (error === undefined) return made;
      reason = `${error.instancePath} ${error.message}`;
    } catch (error) {
      if (!(error instanceof NoValueError)) throw error;
      reason = error.message;
    }
  }
  throw new NoValueError(`no value for ${reason}`);
}

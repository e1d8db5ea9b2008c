import type { HttpResponse, Transport } from '../../src/core/http/message';
import type { JsonObject, JsonValue } from '../../src/core/json/json-value';
import type { Operation } from '../../src/openapi/model/operation';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { requestSchema } from '../../src/openapi/view/operation-bodies';
import { call } from './call-operations';
import type { Key } from './key-in-sight';
import { requestFor, type MakeValue } from './request-for';

/** What a client of one served description has at hand. */
export interface KeyTrack {
  readonly api: ApiModel;
  readonly base: string;
  readonly transport: Transport;
  readonly makeValue: MakeValue;
  /** What was made to have something to look below, by what it is. */
  readonly made: Map<string, JsonObject | undefined>;
}

/**
 * @param change - what is sent in place of the body that was made
 * @returns `undefined` where no request can be made, or the changed body is none that the operation takes
 */
export async function send(
  { api, base, transport, makeValue }: KeyTrack,
  operation: Operation,
  path: Readonly<Record<string, JsonValue>>,
  seed: string,
  change?: (body: JsonValue | undefined, seed: string) => JsonValue | undefined,
): Promise<HttpResponse | undefined> {
  let made = requestFor(api, operation, base, makeValue, { path, seed });
  const body = made.kind === 'made' && change !== undefined ? change(made.body, seed) : undefined;
  if (body !== undefined) {
    if (requestSchema(operation)?.validate('request')(body).length !== 0) return undefined;
    made = requestFor(api, operation, base, makeValue, { path, seed, body });
  }
  return made.kind === 'not-made' ? undefined : (await call(api, operation, made.request, transport)).response;
}

/** Can a key stand at a variable of the path? */
export function fits({ parameters }: Operation, variable: string, key: Key): boolean {
  const schema = parameters.find(({ in: place, name }) => place === 'path' && name === variable)?.schema;
  const forms = typeof key === 'string' && /^-?\d+$/.test(key) ? [key, Number(key)] : [key, String(key)];
  return schema === undefined || forms.some((form) => schema.accepts(form, 'request'));
}

/** A key that a client was told of, or chooses: `mine` where the path takes that. */
export function toldKey({ makeValue }: KeyTrack, operation: Operation, variable: string): Key {
  if (fits(operation, variable, 'mine')) return 'mine';
  const schema = operation.parameters.find(({ in: place, name }) => place === 'path' && name === variable)?.schema;
  const made = schema === undefined ? 'mine' : makeValue(schema, 'mine');
  return typeof made === 'string' || typeof made === 'number' ? made : 'mine';
}

/** By what a client looks for the key in an answer: a variable that is said to be the name of something means its name. */
export function soughtName({ parameters }: Operation, variable: string): string {
  const said = parameters.find(({ in: place, name }) => place === 'path' && name === variable)?.description ?? '';
  return /\bname of\b/i.test(said) && !/\bid(?:entifier)?s?\b/i.test(said) ? 'name' : variable;
}

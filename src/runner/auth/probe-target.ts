import { isJsonMediaType } from '../../http/media-type';
import type { Operation, Parameter } from '../../openapi/model';
import { isSafe } from '../run';
import { absentPath } from './absent-path';

/** A request to an operation, without its credentials, that can do no harm where it should have been refused. */
export interface ProbeTarget {
  /** Below the base URL, without a query. */
  readonly path: string;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

/** No JSON: where the refusal is missing, nothing can be created from it. */
const HARMLESS_BODY = '{"standin"';

/**
 * @param runId - which what it names holds; left out where only its form matters
 * @returns a text when there is no such request: why not
 */
export function harmlessTarget(operation: Operation, runId = '00000000'): ProbeTarget | string {
  const path = absentPath(operation, runId);
  if (path === undefined) return 'nothing in its path could be named that is known to be absent';
  const { method, requestBody } = operation;
  if (isSafe(method)) return { path: path.text, contentType: undefined, body: undefined };
  const isHarmless = path.isAbsent || requestBody?.mediaTypes.every(isJsonMediaType) === true;
  if (!isHarmless) return 'it could change something: neither its path nor its body can be made harmless';
  if (requestBody === undefined) return { path: path.text, contentType: undefined, body: undefined };
  const contentType = requestBody.mediaTypes[0] ?? 'application/json';
  return { path: path.text, contentType, body: HARMLESS_BODY };
}

/**
 * A pair of the query that the operation must refuse, were it not for the credentials: a word where a number or one of
 * a few words is asked for.
 *
 * @returns `undefined` when the operation has no such parameter
 */
export function invalidQuery({ parameters }: Operation): { readonly name: string; readonly pair: string } | undefined {
  const parameter = parameters.find((candidate) => candidate.in === 'query' && refusesWord(candidate));
  if (parameter === undefined) return undefined;
  return { name: parameter.name, pair: `${encodeURIComponent(parameter.name)}=${WORD}` };
}

const WORD = 'standin';

function refusesWord({ schema, style }: Parameter): boolean {
  const { type, enum: values } = schema?.value ?? {};
  if (style !== 'form') return false;
  if (type === 'integer' || type === 'number') return true;
  return type === 'string' && Array.isArray(values) && !values.includes(WORD);
}

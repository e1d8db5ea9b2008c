import { isJsonMediaType } from '../../http/media-type';
import type { Operation, Parameter } from '../../openapi/model';
import { isSafe } from '../run';
import { absentPath } from './absent-path';
import { templateUpTo, type KnownParents } from './known-parents';

/** A request to an operation, without its credentials, that can do no harm where it should have been refused. */
export interface ProbeTarget {
  /** Below the base URL, without a query. */
  readonly path: string;
  /** Does it name something that nobody has? */
  readonly isAbsent: boolean;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

/** No JSON: where the refusal is missing, nothing can be created from it. */
const HARMLESS_BODY = '{"standin"';

/**
 * @param runId - which what it names holds; left out where only its form matters
 * @param parents - what is there and not the run's own
 * @returns a text when there is no such request: why not
 */
export function harmlessTarget(
  operation: Operation,
  runId = '00000000',
  parents: KnownParents = new Map(),
): ProbeTarget | string {
  const path = absentPath(operation, runId, knownValues(operation, parents));
  if (path === undefined) return 'nothing in its path could be named that is known to be absent';
  const { method, requestBody } = operation;
  const nothing = { path: path.text, isAbsent: path.isAbsent, contentType: undefined, body: undefined };
  if (isSafe(method)) return nothing;
  const isHarmless = path.isAbsent || hasHarmlessBody(operation);
  if (!isHarmless) return 'it could change something: neither its path nor its body can be made harmless';
  if (requestBody === undefined) return nothing;
  const contentType = requestBody.mediaTypes[0] ?? 'application/json';
  return { ...nothing, contentType, body: HARMLESS_BODY };
}

/** A body that is no JSON does nothing where JSON is asked for. */
function hasHarmlessBody({ requestBody }: Operation): boolean {
  return requestBody?.mediaTypes.every(isJsonMediaType) === true;
}

/**
 * Values that may stand in a path as they are. A read may name everything; what could change something still names
 * an item that nobody has, or has a body that nothing can be made of.
 */
export function knownValues(operation: Operation, parents: KnownParents): ReadonlyMap<string, string> {
  const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const isOfItem = operation.path.endsWith('}');
  const mayNameAll = isSafe(operation.method) || (!isOfItem && hasHarmlessBody(operation));
  const mayBeKnown = mayNameAll ? names : names.slice(0, -1);
  const values = new Map<string, string>();
  for (const name of mayBeKnown) {
    const value = parents.get(templateUpTo(operation, name));
    // Below a parent that nobody has there is nothing to be known.
    if (value === undefined) break;
    values.set(name, value);
  }
  return values;
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

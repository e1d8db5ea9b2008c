import { stringifyJson } from '../json/stringify-json';
import type { JsonValue } from '../json/json-value';
import type { ApiModel } from '../openapi/model';
import type { Creation } from './creation';
import { itemRouteOf, routeOf } from './item-routes';
import { holdsMark } from './run-mark';

/**
 * What an answer says of a creation: it made something, it made nothing, that is open, or something was done of which
 * nobody can tell whether it made something or changed what somebody else made.
 */
export type CreationVerdict = 'made' | 'refused' | 'open' | 'may-be-others';

/**
 * Only a 201 says that something was made. Where the description has a 201, a POST that is answered 200 found something
 * there, and wrote the id of the run into it; a PUT or a PATCH that is answered so, where a look found nothing, changed
 * what the look could not see. What has the id of the run in its own name is nobody else's.
 *
 * @param status - 200 or more
 */
export function judgeCreation(
  api: ApiModel,
  creation: Creation,
  status: number,
  body: JsonValue | undefined,
  runId: string,
): CreationVerdict {
  if (status === 201) return 'made';
  if (status >= 400 && status < 500) return 'refused';
  if (status >= 300) return 'open';
  // Whoever wrote the contract knows what its step makes, where nothing can be looked at. Elsewhere a look tells.
  if (creation.makes === true && itemRouteOf(api, creation.operation) === undefined) return 'made';
  return creation.operation.method === 'POST'
    ? judgePost(api, creation, status, body, runId)
    : judgeReplacement(api, creation, runId);
}

function judgePost(
  api: ApiModel,
  { operation }: Creation,
  status: number,
  body: JsonValue | undefined,
  runId: string,
): CreationVerdict {
  // What is to be done later, where nothing can be looked at then, stays as what a 201 made does.
  if (itemRouteOf(api, operation) === undefined) return status === 202 ? 'made' : verdictByMark(body, runId);
  if (operation.responses.has('201') && status !== 202) return 'may-be-others';
  return verdictByMark(body, runId) === 'made' ? 'made' : 'open';
}

/** Beside a 201 only the id of the run in the answer says that something was made. */
function verdictByMark(body: JsonValue | undefined, runId: string): 'made' | 'refused' {
  return body !== undefined && holdsMark(stringifyJson(body), runId) ? 'made' : 'refused';
}

function judgeReplacement(api: ApiModel, { path, wasAbsent }: Creation, runId: string): CreationVerdict {
  if (wasAbsent !== true) return 'refused';
  const name = Object.values(routeOf(api, path)?.pathParameters ?? {}).at(-1) ?? '';
  return holdsMark(name, runId) ? 'made' : 'may-be-others';
}

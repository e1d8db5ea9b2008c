import type { Finding } from '../checks/finding';
import { headerValue } from '../http/headers';
import type { HttpResponse } from '../http/message';
import type { Operation } from '../openapi/model';
import { callOperation, type CallAnswer } from './call-operation';
import { pathOfLocation } from './item-place';
import type { Interaction } from './interaction';
import { routeOf } from './item-routes';
import { sentParameters } from './needed-parameters';
import type { Run } from './run';

const GONE = new Set([404, 405, 410]);

/**
 * Reads what the Location of a 201 leads to, once for each operation: a 201 says where the new resource is
 * (RFC 9110 §15.3.2). Where the description has no GET there, or another host is named, nothing is sent.
 */
export async function followLocation(
  run: Run,
  { operation, request }: Interaction,
  { status, headers }: HttpResponse,
): Promise<Finding[]> {
  const location = headerValue(headers, 'location');
  if (status !== 201 || operation === undefined || location === undefined) return [];
  const path = pathBelow(run, location, request.target.slice(run.basePath.length));
  const read = path === undefined ? undefined : routeOf(run.api, path)?.route.operations.get('GET');
  if (path === undefined || read === undefined || run.followed.has(operation.id)) return [];
  run.followed.add(operation.id);
  const answer = await callOperation(run, read, path, { like: sentParameters(request) });
  if (answer === undefined || leadsSomewhere(answer, read)) return [];
  return [
    {
      check: 'location-resolves',
      severity: 'error',
      at: '/response/headers/location',
      message: `Location leads to a ${answer.status}`,
      expected: 'the URL of what was created',
      actual: location,
      spec: operation.pointer,
    },
  ];
}

/** A deprecated read that is over still leads to where the resource is. */
function leadsSomewhere({ status }: CallAnswer, { lifecycle }: Operation): boolean {
  return !GONE.has(status) || (status === 410 && lifecycle.deprecated);
}

/** The path below the base URL, of a reference or of a URL of the same host: a proxy may speak another scheme. */
function pathBelow({ baseUrl }: Run, location: string, from: string): string | undefined {
  if (!URL.canParse(location, `${baseUrl}${from}`)) return undefined;
  const url = new URL(location, `${baseUrl}${from}`);
  return url.host === new URL(baseUrl).host ? pathOfLocation(url.pathname, baseUrl) : undefined;
}

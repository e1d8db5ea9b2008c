import type { ObservedBody } from '../checks/response/response-check';
import { headerValue } from '../http/headers';
import type { HttpResponse } from '../http/message';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { callOperation } from './call-operation';
import { pathOf } from './guard';
import { pathOfLocation, shownKeys } from './item-place';
import type { Interaction } from './interaction';
import { routeOf } from './item-routes';
import { isNothing, isSuccess } from './look-at-item';
import { sentParameters, type SentParameters } from './needed-parameters';
import { quietly } from './quietly';
import type { Run } from './run';
import { isSamePath } from './same-path';

const RENAMING: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'POST']);

/**
 * A change of something may give it another name. Where the answer shows another key than the path has, or leads
 * elsewhere, the thing is looked for: it moved where nothing stands at the old path any more, and something at the new.
 */
export async function followRename(
  run: Run,
  { operation, request }: Interaction,
  response: HttpResponse,
  observed: ObservedBody,
): Promise<void> {
  if (operation === undefined || !RENAMING.has(request.method) || !isSuccess(response.status)) return;
  const path = pathOf(run, request);
  const creation = run.creations.madeAt(path);
  const item = creation?.item;
  if (creation === undefined || item === undefined) return;
  const body = observed.kind === 'json' ? observed.value : undefined;
  const moved = newPaths(run, path, response, body).find((candidate) => !isSamePath(candidate, item));
  if (moved === undefined || run.creations.madeAt(moved) !== undefined) return;
  if (await hasMoved(run, item, moved, sentParameters(request))) run.creations.markMoved(creation, moved);
}

async function hasMoved(run: Run, from: string, to: string, like: SentParameters): Promise<boolean> {
  const read = routeOf(run.api, from)?.route.operations.get('GET');
  if (read === undefined) return false;
  const old = await quietly(() => callOperation(run, read, from, { like }));
  if (!isNothing(old?.status)) return false;
  return isSuccess((await quietly(() => callOperation(run, read, to, { like })))?.status);
}

/** Where an answer says that the thing at a path stands now. */
function newPaths(run: Run, path: string, { headers }: HttpResponse, body: JsonValue | undefined): string[] {
  const match = routeOf(run.api, path);
  const variable = /\/\{([^{}/]+)\}$/.exec(match?.route.path ?? '')?.[1];
  if (match === undefined || variable === undefined) return [];
  const location = headerValue(headers, 'content-location') ?? headerValue(headers, 'location');
  const led = location === undefined ? undefined : pathOfLocation(location, run.baseUrl, path);
  const keys = body !== undefined && isJsonObject(body) ? shownKeys(run.api, match.route, variable, body) : [];
  const collection = path.slice(0, path.lastIndexOf('/'));
  const named = keys.map((key) => `${collection}/${encodeURIComponent(key)}`);
  return [...(led === undefined ? [] : [led]), ...named].filter(
    (candidate) => routeOf(run.api, candidate)?.route === match.route,
  );
}

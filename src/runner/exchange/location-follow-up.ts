import type { Finding } from '../../core/errors/finding';
import { headerValue } from '../../core/http/headers';
import type { HttpResponse } from '../../core/http/message';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import type { Operation } from '../../openapi/model/operation';
import { keysIn, pathOfLocation } from '../ownership/item-location';
import { lastVariable, routeOf } from '../ownership/item-routes';
import { isSamePath } from '../ownership/path-names';
import { sentParameters, type SentParameters } from '../ownership/sent-content';
import type { ExchangeContext } from './exchange-stages';
import type { Creation } from '../ownership/creation';
import { isAbsentStatus, isSuccess, lookUpItem } from './item-lookup';
import { callOperation, type CallResult, undefinedOnError } from './operation-call';
import { pathOf } from './request-guard';
import type { Run } from './run-state';

const GONE = new Set([404, 405, 410]);

/**
 * Reads what the Location of a 201 leads to, once for each operation: a 201 says where the new resource is
 * (RFC 9110 §15.3.2). Where the description has no GET there, or another host is named, nothing is sent; but where the
 * key of what was made stands at the end of a path that the description does not have, it is asked like the item.
 */
export async function followLocation({
  run,
  interaction: { operation, request, auth },
  response: { status, headers },
  creation,
}: ExchangeContext): Promise<Finding[]> {
  const location = headerValue(headers, 'location');
  if (status !== 201 || operation === undefined || location === undefined) return [];
  const below = pathBelow(run, location, request.target.slice(run.basePath.length));
  const path = below ?? pathWithoutBase(run, location) ?? '';
  const read = readLedTo(run, path, below === undefined ? undefined : creation);
  if (read === undefined || run.followedLocations.has(operation.id)) return [];
  run.followedLocations.add(operation.id);
  const response = await undefinedOnError(() =>
    // Who made it is the one who may see it.
    callOperation(run, read, path, { caller: auth, basedOn: sentParameters(request) }),
  );
  if (response === undefined || resolves(response, read) === (below !== undefined)) return [];
  const wrong =
    below === undefined
      ? {
          message: `Location leads out of the API: what it names is below ${run.basePath}`,
          expected: `${run.basePath}${path}`,
        }
      : { message: `Location leads to a ${response.status}`, expected: 'the URL of what was created' };
  const place = { check: 'location-resolves', at: '/response/headers/location', spec: operation.pointer };
  return [{ ...place, severity: 'error', ...wrong, actual: location }];
}

/** The GET of a path; of one that the description does not have, and that ends in the key of what was made, that of the item. */
function readLedTo({ api }: Run, path: string, creation: Creation | undefined): Operation | undefined {
  const keys = [path, creation?.item].map((each) => /[^/]+(?=\/?$)/.exec(each ?? '')?.[0]);
  const item = keys[0] === keys[1] ? creation?.item : undefined;
  return (routeOf(api, path) ?? (item === undefined ? undefined : routeOf(api, item)))?.route.operations.get('GET');
}

/** Of a path that does not begin with the base path: the same path below it, where the description has one there. */
function pathWithoutBase({ baseUrl, basePath }: Run, location: string): string | undefined {
  if (basePath === '' || !location.startsWith('/') || location.startsWith('//')) return undefined;
  return pathOfLocation(`${basePath}${location}`, baseUrl);
}

/** A deprecated read that is over still leads to where the resource is. */
function resolves({ status }: CallResult, { lifecycle }: Operation): boolean {
  return !GONE.has(status) || (status === 410 && lifecycle.deprecated);
}

/** The path below the base URL, of a reference or of a URL of the same host: a proxy may speak another scheme. */
function pathBelow({ baseUrl }: Run, location: string, from: string): string | undefined {
  if (!URL.canParse(location, `${baseUrl}${from}`)) return undefined;
  const url = new URL(location, `${baseUrl}${from}`);
  return url.host === new URL(baseUrl).host ? pathOfLocation(url.pathname, baseUrl) : undefined;
}

const RENAMING: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'POST']);

/**
 * A change of something may give it another name. Where the response shows another key than the path has, or leads
 * elsewhere, the thing is looked for: it moved where nothing stands at the old path any more, and something at the new.
 */
export async function followRename(context: ExchangeContext): Promise<void> {
  const { run, interaction, response, observed } = context;
  const { operation, request } = interaction;
  if (operation === undefined || !RENAMING.has(request.method) || !isSuccess(response.status)) return;
  const path = pathOf(run, request);
  const creation = run.creations.createdAt(path);
  const item = creation?.item;
  if (creation === undefined || item === undefined) return;
  const body = observed.body.kind === 'json' ? observed.body.value : undefined;
  const moved = newPaths(run, path, response, body).find((candidate) => !isSamePath(candidate, item));
  if (moved !== undefined) await follow(context, creation, { from: item, to: moved });
}

async function follow(
  { run, interaction: { operation, request }, creation: made }: ExchangeContext,
  creation: Creation,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  if (run.creations.createdAt(to) !== undefined) return;
  // What was only just put there cannot have moved: the service put it elsewhere, maybe into a row of others.
  if (made !== undefined) {
    run.creations.markMerged(made, to, operation?.path ?? from);
    return;
  }
  if (run.creations.known.has(to)) return;
  if (await hasMoved(run, creation, from, to, sentParameters(request))) run.creations.markMoved(creation, to);
}

async function hasMoved(
  run: Run,
  creation: Creation,
  from: string,
  to: string,
  basedOn: SentParameters,
): Promise<boolean> {
  const read = routeOf(run.api, from)?.route.operations.get('GET');
  if (read === undefined) return false;
  const old = await undefinedOnError(() => callOperation(run, read, from, { basedOn }));
  if (!isAbsentStatus(old?.status)) return false;
  // What stands there has to show what the run sent: a change may have been merged into a row of others.
  const evidence = (await undefinedOnError(() => lookUpItem(run, creation, to)))?.evidence;
  return evidence === 'marked' || evidence === 'same';
}

/** Where a response says that the thing at a path stands now. */
function newPaths(run: Run, path: string, { headers }: HttpResponse, body: JsonValue | undefined): string[] {
  const match = routeOf(run.api, path);
  const variable = match && lastVariable(match.route);
  if (match === undefined || variable === undefined) return [];
  const location = headerValue(headers, 'content-location') ?? headerValue(headers, 'location');
  const led = location === undefined ? undefined : pathOfLocation(location, run.baseUrl, path);
  const keys = body !== undefined && isJsonObject(body) ? keysIn(run.api, match.route, variable, body) : [];
  const named = keys.map((key) => path.replace(/[^/]+(\/?)$/, (_, end: string) => `${encodeURIComponent(key)}${end}`));
  return [...(led === undefined ? [] : [led]), ...named].filter(
    (candidate) => routeOf(run.api, candidate)?.route === match.route,
  );
}

import { headerValue } from '../../core/http/headers';
import { isJsonMediaType, parseMediaType } from '../../core/http/media-type';
import { isSafe } from '../../core/http/message';
import { decodeQueryComponent } from '../../core/http/request-target';
import { isJsonNumber } from '../../core/json/exact-number';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Operation } from '../../openapi/model/operation';
import { parseTemplate, withoutLast } from '../../openapi/view/path-template';
import { findResponse } from '../../openapi/view/responses';
import { type ExportedStep, mediaTypeOf } from './exported-steps';
import { toTemplate, usesOf } from './template';

/**
 * Why the request of a step cannot be said as a Step Object so that tools send it, or why they judge its response in another
 * way than the contract does.
 *
 * @returns in words; `undefined` when it can be said
 */
export function obstacleOf(step: ExportedStep): string | undefined {
  const { operation, method, headers, statuses } = step;
  if (operation === undefined) return 'the description has no operation for it';
  if (operation.method !== method) return `${method} is no operation of the description there`;
  if (hasRepeats(headers.map(({ name }) => name.toLowerCase()))) return 'a header is sent twice';
  if (hasRepeats([...new URL(step.observed.url).searchParams.keys()])) return 'a query parameter is sent twice';
  // Tools check responses by the description, whatever the criteria are.
  const unknown = statuses.filter((status) => findResponse(operation, status) === undefined);
  if (unknown.length === statuses.length)
    return `the description has no response ${unknown.join(' or ')}, which tools take for a violation`;
  const url = urlObstacle(step, operation);
  if (url !== undefined) return url;
  if (asksForNoBody(step)) return 'it asks for no body, which tools take for a violation where one is documented';
  return bodyObstacle(step, operation);
}

/** Tools encode a query and do not encode a path, so that not every URL can be had. */
function urlObstacle({ observed }: ExportedStep, { path }: Operation): string | undefined {
  const { search } = new URL(observed.url);
  if (decodeQueryComponent(search) === undefined) return 'its query is in a broken encoding, which tools would mend';
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    const plain = toTemplate(observed.pathParameter(name) ?? '').filter((piece) => typeof piece === 'string');
    if (IN_PATH.test(plain.join(''))) return `the value of ${name} would be read as a part of the URL`;
  }
  return undefined;
}

/** What a URL parser takes for more than a text, or removes (WHATWG URL §4.4). */
const IN_PATH = /[/?#\\%\p{Cc}]|^\.{1,2}$|^\s|\s$/u;

function hasRepeats(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}

/** Does it prefer a minimal response (RFC 7240 §4.2)? */
function asksForNoBody({ headers }: ExportedStep): boolean {
  const lines = headers.flatMap(({ name, value }) => [
    name,
    value.filter((piece) => typeof piece === 'string').join(''),
  ]);
  return /(?:^|[,;\s])return\s*=\s*"?minimal/i.test(headerValue(lines, 'prefer') ?? '');
}

function bodyObstacle(step: ExportedStep, operation: Operation): string | undefined {
  const { body } = step.step;
  if (body === undefined) {
    // Where there is none, tools make one of the description.
    return operation.requestBody === undefined ? undefined : 'it has no body where the operation takes one';
  }
  if (body.kind === 'multipart' || body.kind === 'file') return `the body is a ${body.kind}`;
  const mediaType = mediaTypeOf(step);
  if (mediaType === undefined) return 'its body has no Content-Type';
  if (plainMediaType(mediaType) !== mediaType && step.statuses.every((status) => status >= 400))
    return `its Content-Type is ${mediaType}, which tools send in no such way`;
  if (body.kind === 'text')
    return isJsonMediaType(mediaType) ? 'tools would send the text as a JSON string' : undefined;
  return valueObstacle(body.kind === 'json' ? body.value : body.fields);
}

function valueObstacle(value: JsonValue): string | undefined {
  if (isRounded(value)) return 'a number of its body would be rounded';
  if (value === null) return 'tools send nothing in the place of null';
  return isEmpty(value) ? 'tools send nothing in the place of an empty object' : undefined;
}

function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** As tools know it: in lower case and, where it is JSON, without parameters, which it has none of (RFC 8259 §11). */
export function plainMediaType(mediaType: string): string {
  const essence = parseMediaType(mediaType)?.essence;
  return essence !== undefined && isJsonMediaType(essence) ? essence : mediaType;
}

/** Does it hold a number that tools in JavaScript cannot keep? */
function isRounded(value: JsonValue): boolean {
  if (isJsonNumber(value)) return scalarText(Number(scalarText(value))) !== scalarText(value);
  if (Array.isArray(value)) return value.some(isRounded);
  return isJsonObject(value) && Object.values(value).some(isRounded);
}

/**
 * What steps that are left out would have changed: what later steps see of it is not what the contract expects. These are
 * the lists of the collection, and the things that the request names.
 */
export class LeftOut {
  /** The step that is left out, by the names of the captured values in its request. */
  private readonly names = new Map<string, string>();
  /** The same, by the shape of the path of the collection that it changes. */
  private readonly collections = new Map<string, string>();

  add(step: ExportedStep): void {
    if (!changesSomething(step)) return;
    for (const name of namesSent(step)) this.names.set(name, step.name);
    if (step.operation !== undefined) this.collections.set(shapeOfCollection(step.operation), step.name);
  }

  /** The step that is left out and whose change a step would see; `undefined` when there is none. */
  seenBy(step: ExportedStep): string | undefined {
    const { operation, method, phase } = step;
    // What is not there to be removed is no failure of a cleanup.
    if (phase === 'cleanup') return undefined;
    const named = namesSent(step).find((name) => this.names.has(name));
    if (named !== undefined) return this.names.get(named);
    const shape = operation === undefined ? undefined : parseTemplate(operation.path)?.shape;
    return isSafe(method) && shape !== undefined ? this.collections.get(shape) : undefined;
  }
}

/** May it be that the service is another one after it? A patch of nothing changes nothing (RFC 7396 §2). */
function changesSomething({ method, statuses, step: { body } }: ExportedStep): boolean {
  const isNoChange = method === 'PATCH' && body?.kind === 'json' && isEmpty(body.value);
  return !isSafe(method) && statuses.some((status) => status < 300) && !isNoChange;
}

function namesSent({ target, body = [], needs }: ExportedStep): string[] {
  const sent = new Set(usesOf([target, body]).map(({ name }) => name));
  return needs.filter((name) => sent.has(name));
}

/** `/things` of `/things` and of `/things/{id}`. */
function shapeOfCollection({ path }: Operation): string {
  const template = parseTemplate(path);
  if (template === undefined) return path;
  return template.segments.at(-1)?.kind === 'variable' ? withoutLast(template).shape : template.shape;
}

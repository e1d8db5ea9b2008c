import { SpecError } from '../../core/errors/standin-error';
import { isJsonMediaType, matchMediaType } from '../../core/http/media-type';
import { isJsonNumber, type JsonNumber } from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import { type JsonValue, setProperty } from '../../core/json/json-value';
import type { MediaTypeEntry, ResponseSpec } from '../../openapi/model/operation';
import type { Violation } from '../../schema/validator';

/** Deeper ones cannot be written, and one that holds itself has no end. */
const MAX_DEPTH = 200;

/** A value of a program that JSON cannot hold; the message is the rest of a sentence about the body. */
export class NotJsonError extends Error {
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/**
 * A copy of a value of a program as JSON, the way that JSON.stringify does it: dates become texts, properties that are
 * undefined are left out.
 *
 * @throws NotJsonError for a function, a symbol, a number that is none, and what holds itself
 */
export function toJson(value: unknown, pointer = '', depth = 0): JsonValue {
  if (depth > MAX_DEPTH) throw new NotJsonError(pointer, `is nested more than ${MAX_DEPTH} levels deep`);
  if (isScalar(value)) return value;
  if (typeof value !== 'object')
    throw new NotJsonError(pointer, typeof value === 'number' ? `is ${value}` : `is of type ${typeof value}`);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return toJson((toJSON as () => unknown).call(value), pointer, depth + 1);
  if (Array.isArray(value)) return value.map((item, index) => toJson(item, joinPointer(pointer, index), depth + 1));
  return toJsonObject(value, pointer, depth);
}

function isScalar(value: unknown): value is null | string | boolean | JsonNumber {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean' || isJsonNumber(value);
}

function toJsonObject(value: object, pointer: string, depth: number): JsonValue {
  const copy: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(value) as [string, unknown][]) {
    if (property !== undefined) setProperty(copy, name, toJson(property, joinPointer(pointer, name), depth + 1));
  }
  return copy;
}

/** What the description says of a body that is to be sent. */
export interface JudgedBody {
  /** Keys of `content` that it may be sent as, or the type that was asked for; none where nothing says it. */
  readonly mediaTypes: readonly string[];
  /** How it breaks the description; none where it fits. Pointers lead into the body. */
  readonly violations: readonly Pick<Violation, 'pointer' | 'message'>[];
}

const NO_VIOLATIONS: JudgedBody['violations'] = [];

/**
 * Holds a body against the content that a response documents: it has to fit one of the media types.
 *
 * @param contentType - the only one that is wanted
 */
export function judgeBody(
  { content, mediaTypes, status }: ResponseSpec,
  body: JsonValue,
  contentType: string | undefined,
): JudgedBody {
  if (content.length === 0) {
    const message = `is not documented: the response ${status} has none`;
    return { mediaTypes: contentType === undefined ? [] : [contentType], violations: [{ pointer: '', message }] };
  }
  const wanted = contentType === undefined ? undefined : matchMediaType(contentType, mediaTypes);
  if (contentType !== undefined && wanted === undefined) {
    const message = `is to be ${contentType}, but the response ${status} documents ${mediaTypes.join(', ')}`;
    return { mediaTypes: [contentType], violations: [{ pointer: '', message }] };
  }
  const offered = wanted === undefined ? content : content.filter(({ mediaType }) => mediaType === wanted);
  const judged = offered.map((entry) => ({ entry, violations: violationsOf(entry, body) }));
  const fitting = judged.filter(({ violations }) => violations.length === 0);
  if (fitting.length > 0) return { mediaTypes: fitting.map(({ entry }) => entry.mediaType), violations: NO_VIOLATIONS };
  const usual = judged.find(({ entry }) => isJsonMediaType(entry.mediaType)) ?? judged[0];
  return { mediaTypes: offered.map(({ mediaType }) => mediaType), violations: usual?.violations ?? NO_VIOLATIONS };
}

/** A text in a media type that is not JSON is what goes over the wire, which its schema may describe as an object. */
export function violationsOf({ mediaType, schema }: MediaTypeEntry, body: JsonValue): JudgedBody['violations'] {
  const isWire = typeof body === 'string' && !isJsonMediaType(mediaType) && schema?.value['type'] !== 'string';
  if (schema === undefined || isWire) return NO_VIOLATIONS;
  try {
    return schema.validate('response')(body);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return [{ pointer: '', message: `cannot be held against its schema: ${error.message}` }];
  }
}

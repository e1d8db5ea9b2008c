import { isJsonObject, type JsonValue } from './json-value';

const ESCAPABLE = /[~/]/;
const BAD_ESCAPE = /~(?![01])/;
const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;

/** A property name or array index as a reference token: `~` becomes `~0` and `/` becomes `~1` (RFC 6901 section 3). */
export function escapeSegment(segment: string | number): string {
  if (typeof segment === 'number') return String(segment);
  return ESCAPABLE.test(segment) ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment;
}

/** The property name a reference token stands for (RFC 6901 section 4). */
export function unescapeSegment(token: string): string {
  // In this order, so that ~01 reads as ~1 and not as a slash.
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

/** The pointer of a property or element of the value at `parent`. */
export function joinPointer(parent: string, segment: string | number): string {
  return `${parent}/${escapeSegment(segment)}`;
}

/** The pointer that leads along properties and elements. */
export function pointerTo(path: readonly string[]): string {
  return path.reduce<string>((pointer, name) => joinPointer(pointer, name), '');
}

/** The pointer of the value that holds the one at `pointer`; undefined for '', the whole document. */
export function parentPointer(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.slice(0, pointer.lastIndexOf('/'));
}

/**
 * The unescaped segments of a pointer (RFC 6901 section 3); none for '', the whole document.
 * Throws SyntaxError when the text is not a JSON pointer.
 */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) {
    throw new SyntaxError(`JSON pointer ${JSON.stringify(pointer)} does not start with "/": expected "" or "/…"`);
  }
  if (BAD_ESCAPE.test(pointer)) {
    throw new SyntaxError(`JSON pointer ${JSON.stringify(pointer)} has a bare "~": expected "~0" or "~1"`);
  }
  return pointer.slice(1).split('/').map(unescapeSegment);
}

/**
 * The value at a pointer, or undefined when there is none (RFC 6901 section 4).
 * Own properties only. An array index has no leading zeros, and `-` names no existing element.
 * Throws SyntaxError when the text is not a JSON pointer.
 */
export function getAtPointer(value: JsonValue, pointer: string): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const segment of parsePointer(pointer)) current = childOf(current, segment);
  return current;
}

/** The element or own property that a segment names. */
export function childOf(parent: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (Array.isArray(parent)) return isArrayIndex(segment) ? parent[Number(segment)] : undefined;
  return isJsonObject(parent) && Object.hasOwn(parent, segment) ? parent[segment] : undefined;
}

/** Without leading zeros (RFC 6901 section 4). */
export function isArrayIndex(segment: string): boolean {
  return ARRAY_INDEX.test(segment);
}

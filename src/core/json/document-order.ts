import { parsePointer } from './json-pointer';
import { eachChild } from './json-positions';

/** A value that is looked for in a text, with those in it that are. */
interface SoughtValue {
  /** Where it stands; -1 where the text has none. */
  offset: number;
  readonly children: Map<string, SoughtValue>;
}

/**
 * Sorts by where values stand in a JSON text: a container comes before its contents, and a value that the text does not
 * have, such as a missing property, right after its nearest container. Only the containers on the way are looked into, and
 * no further than to the last value that is asked for, so that a large text is gone through once at most.
 *
 * @param text - acceptable JSON
 * @param pointerOf - gives the JSON pointer of the value that a thing is about
 * @throws SyntaxError when a pointer is not one (RFC 6901)
 */
export function inDocumentOrder<T>(text: string, things: readonly T[], pointerOf: (thing: T) => string): T[] {
  if (things.length < 2) return [...things];
  const root: SoughtValue = { offset: startOf(text), children: new Map() };
  // Many things may be about one value, deep in the text.
  const known = new Map<string, SoughtValue[]>();
  const paths = things.map((thing) => {
    const pointer = pointerOf(thing);
    const path = known.get(pointer) ?? addSought(root, parsePointer(pointer));
    known.set(pointer, path);
    return path;
  });
  locate(text, root);
  const places = paths.map((path, index) => {
    const missing = path.filter(({ offset }) => offset < 0).length;
    return { index, missing, offset: path.at(-1 - missing)?.offset ?? root.offset };
  });
  places.sort((left, right) => left.offset - right.offset || left.missing - right.missing);
  return places.flatMap(({ index }) => things.slice(index, index + 1));
}

/** @returns what is looked for from the root to the last segment, the root among it */
function addSought(root: SoughtValue, segments: readonly string[]): SoughtValue[] {
  const path = [root];
  let around = root;
  for (const segment of segments) {
    const known = around.children.get(segment) ?? { offset: -1, children: new Map<string, SoughtValue>() };
    around.children.set(segment, known);
    path.push(known);
    around = known;
  }
  return path;
}

function locate(text: string, around: SoughtValue): void {
  let left = around.children.size;
  if (left === 0) return;
  eachChild(text, around.offset, ({ name, offset }) => {
    const wanted = around.children.get(name);
    if (wanted === undefined) return true;
    wanted.offset = offset;
    locate(text, wanted);
    left -= 1;
    return left > 0;
  });
}

function startOf(text: string): number {
  return text.search(/[^\s\uFEFF]/);
}

import { getAtPointer, joinPointer, parentPointer, parsePointer } from '../../json/json-pointer';
import { isSchemaObject } from '../../json-schema/schema';
import { similarName } from '../../errors/similar-name';
import { localPointer } from '../references';
import type { SourceDocument } from '../source-document';

/** An existing sibling of what a reference names that is written almost the same. */
export function nearestName(document: SourceDocument, reference: string): string | undefined {
  const pointer = localPointer(reference);
  const parent = pointer === undefined ? undefined : parentPointer(pointer);
  if (pointer === undefined || parent === undefined) return undefined;
  const siblings = getAtPointer(document.root, parent);
  const wanted = parsePointer(pointer).at(-1);
  if (!isSchemaObject(siblings) || wanted === undefined) return undefined;
  const name = similarName(wanted, Object.keys(siblings));
  return name === undefined ? undefined : `#${joinPointer(parent, name)}`;
}

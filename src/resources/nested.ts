import { schemaName, type Inference, type ResourceDraft } from './draft';
import { foldedName } from './inflection';
import { isOtherNameOf } from './other-name';
import { isSameSegment, lastLiteral, variablesOf } from './path-template';
import { otherWayTo, usesInOtherWay, type OtherWay } from './same-things';

/**
 * Puts a nested collection into the one that it only shows a part of: `/shelves/{shelfId}/books` into `/books`, when both
 * end in the same name and hold the same items, and the items are also found there, or not found here. Likewise one that is another
 * name of the same place, see {@link isOtherNameOf}.
 *
 * @returns by shape of each collection that was put into another, that other's draft
 */
export function mergeNested(inference: Inference, drafts: Map<string, ResourceDraft>): Map<string, ResourceDraft> {
  const merged = new Map<string, ResourceDraft>();
  const byName = new Map<string, ResourceDraft[]>();
  for (const draft of drafts.values()) {
    const name = nameOfPlace(draft);
    byName.set(name, [...(byName.get(name) ?? []), draft]);
  }
  for (const [shape, draft] of drafts) {
    const alike = byName.get(nameOfPlace(draft)) ?? [];
    const root =
      alike.find((other) => isRootOf(inference, other, draft)) ??
      alike.find((other) => isOtherNameOf(inference, other, draft, drafts));
    if (root !== undefined) merged.set(shape, root);
  }
  const ways = findOtherWays(inference, drafts, byName, merged);
  for (const shape of merged.keys()) {
    const draft = drafts.get(shape);
    const root = rootOf(merged, shape);
    if (draft === undefined || root === undefined) continue;
    merged.set(shape, root);
    putInto(root, draft, ways.get(shape));
    drafts.delete(shape);
  }
  return merged;
}

/** Adds what is found in another way to what was put into another. */
function findOtherWays(
  inference: Inference,
  drafts: ReadonlyMap<string, ResourceDraft>,
  byName: ReadonlyMap<string, readonly ResourceDraft[]>,
  merged: Map<string, ResourceDraft>,
): Map<string, OtherWay> {
  const ways = new Map<string, OtherWay>();
  for (const [shape, draft] of drafts) {
    if (merged.has(shape)) continue;
    for (const root of byName.get(nameOfPlace(draft)) ?? []) {
      const way = merged.has(root.template.shape) ? undefined : otherWayTo(inference, root, draft, drafts);
      if (way === undefined) continue;
      merged.set(shape, root);
      ways.set(shape, way);
      break;
    }
  }
  return ways;
}

function putInto(root: ResourceDraft, draft: ResourceDraft, way: OtherWay | undefined): void {
  root.uses.push(...(way === undefined ? draft.uses : usesInOtherWay(draft.uses, way)));
  root.evidence.push({
    text: `${draft.template.path} shows ${schemaName(root.schema)} too: it is kept as ${root.template.path}`,
    pointer: draft.uses[0]?.operation.pointer ?? '',
  });
}

/** A root may itself have gone into another. */
function rootOf(merged: ReadonlyMap<string, ResourceDraft>, shape: string): ResourceDraft | undefined {
  let root = merged.get(shape);
  for (let next = root; next !== undefined; next = merged.get(next.template.shape)) root = next;
  return root;
}

function nameOfPlace({ template }: ResourceDraft): string {
  return foldedName(lastLiteral(template.segments));
}

/**
 * Do both paths start alike and end alike, with more in the middle of the nested one, a variable last? `/api/books` and
 * `/api/shelves/{shelfId}/books` do; `/search/books` and `/shelves/{shelfId}/books` do not.
 */
function isRootOf({ reader }: Inference, root: ResourceDraft, nested: ResourceDraft): boolean {
  const [outer, inner] = [root.template.segments, nested.template.segments];
  if (root === nested || variablesOf(outer).length >= variablesOf(inner).length) return false;
  const differing = outer.findIndex((segment, index) => !isSameSegment(segment, inner[index]));
  const end = differing < 0 ? [] : outer.slice(differing);
  const middle = inner.slice(Math.max(differing, 0), inner.length - end.length);
  const isEndOfBoth = end.every((segment, index) => isSameSegment(segment, inner[inner.length - end.length + index]));
  // What both are scoped by stands at the front of both.
  if (end.length === 0 || !isEndOfBoth || variablesOf(end).length > 0 || middle.at(-1)?.kind !== 'variable')
    return false;
  const isFoundThere = root.itemTemplate !== undefined || nested.itemTemplate === undefined;
  return isFoundThere && reader.areSame(root.schema, nested.schema);
}

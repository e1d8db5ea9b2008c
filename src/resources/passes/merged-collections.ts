import { foldedName } from '../../core/text/inflection';
import type { Operation, Schema } from '../../openapi/model/operation';
import {
  isSameSegment,
  lastLiteral,
  parseTemplate,
  type Segment,
  shapeOf,
  variablesOf,
} from '../../openapi/view/path-template';
import { type Inference, type ResourceDraft, schemaName } from '../drafts/draft';
import { putsByPath } from '../drafts/write-semantics';
import { embeddedObject, propertyForVariable } from '../keys/scope-variables';
import { BEHAVIOURS } from '../model/binding';
import type { SchemaView } from '../../openapi/view/schema-view';
import { isCurrentUserSegment } from './current-user';
import { aliasOf, type ResourceAlias, usesOfAlias } from './same-resource-paths';
import type { InferencePass } from '../drafts/draft-model';

export const mergedCollections: InferencePass = {
  id: 'merged-collections',
  reason: 'before what is declared is bound: a declaration may name either path of a merged collection',
  run(inference, { drafts, merged, reasons }) {
    for (const [shape, root] of mergeNested(inference, drafts, reasons)) merged.set(shape, root);
  },
};

/**
 * Puts a nested collection into the one that it only shows a part of: `/shelves/{shelfId}/books` into `/books`, when both
 * end in the same name and hold the same items, and the items are also found there, or not found here. Likewise one that is another
 * name of the same place, see {@link isOwnerAlias}, and one that only makes what is read elsewhere, see {@link onlyReadableCollection}.
 *
 * @param reasons - gets why an operation of what was put into another is left out
 * @returns by shape of each collection that was put into another, that other's draft
 */
function mergeNested(
  inference: Inference,
  drafts: Map<string, ResourceDraft>,
  reasons: Map<Operation, string>,
): Map<string, ResourceDraft> {
  const ways = new Map<string, ResourceAlias>();
  const merged = mergeStated(inference, drafts, ways);
  const byName = groupedByName(drafts);
  for (const [shape, draft] of drafts) {
    const root = merged.has(shape) ? undefined : rootAmong(inference, drafts, byName, draft);
    // What is said may lead the other way.
    if (root !== undefined && rootOf(merged, root.template.shape) !== draft) merged.set(shape, root);
  }
  findAliases(inference, drafts, byName, merged, ways);
  for (const shape of merged.keys()) {
    const draft = drafts.get(shape);
    const root = rootOf(merged, shape);
    if (draft === undefined || root === undefined) continue;
    merged.set(shape, root);
    for (const operation of mergeInto(inference, root, draft, ways.get(shape)))
      reasons.set(operation, `its path does not say which item of ${root.template.path} is meant`);
    drafts.delete(shape);
  }
  return merged;
}

function groupedByName(drafts: ReadonlyMap<string, ResourceDraft>): Map<string, ResourceDraft[]> {
  const byName = new Map<string, ResourceDraft[]>();
  for (const draft of drafts.values()) {
    const name = pathNoun(draft);
    byName.set(name, [...(byName.get(name) ?? []), draft]);
  }
  return byName;
}

function rootAmong(
  inference: Inference,
  drafts: ReadonlyMap<string, ResourceDraft>,
  byName: ReadonlyMap<string, readonly ResourceDraft[]>,
  draft: ResourceDraft,
): ResourceDraft | undefined {
  const alike = byName.get(pathNoun(draft)) ?? [];
  return (
    alike.find((other) => isRootOf(inference, other, draft)) ??
    alike.find((other) => isCreatedForCurrentUser(inference, other, draft)) ??
    alike.find((other) => isOwnerAlias(inference, other, draft, drafts)) ??
    onlyReadableCollection(draft, alike)
  );
}

/**
 * Of which collections is it said that they are another one? What that one is itself said to be is not followed. Where
 * fewer variables are said than it lies below, it is listed across them.
 */
function mergeStated(
  { statements }: Inference,
  drafts: ReadonlyMap<string, ResourceDraft>,
  ways: Map<string, ResourceAlias>,
): Map<string, ResourceDraft> {
  const joined = new Map<string, ResourceDraft>();
  for (const [shape, draft] of drafts) {
    const { sameAs } = statements.resource(shape) ?? {};
    const other = sameAs === undefined ? undefined : parseTemplate(sameAs)?.shape;
    const root = other === undefined ? undefined : drafts.get(other);
    if (root === undefined || root === draft || statements.resource(root.template.shape)?.sameAs !== undefined)
      continue;
    joined.set(shape, root);
    const said = variablesOf(draft.template.segments);
    if (said.length < variablesOf(root.template.segments).length)
      ways.set(shape, { scope: said, outsidePath: new Map(), isAcross: true });
  }
  return joined;
}

/** Adds what is found in another way to what was put into another. */
function findAliases(
  inference: Inference,
  drafts: ReadonlyMap<string, ResourceDraft>,
  byName: ReadonlyMap<string, readonly ResourceDraft[]>,
  merged: Map<string, ResourceDraft>,
  ways: Map<string, ResourceAlias>,
): void {
  for (const [shape, draft] of drafts) {
    if (merged.has(shape)) continue;
    for (const root of byName.get(pathNoun(draft)) ?? []) {
      const way = merged.has(root.template.shape) ? undefined : aliasOf(inference, root, draft, drafts);
      if (way === undefined) continue;
      merged.set(shape, root);
      ways.set(shape, way);
      break;
    }
  }
}

/** @returns operations that cannot say which of the root's items they mean */
function mergeInto(
  { statements }: Inference,
  root: ResourceDraft,
  draft: ResourceDraft,
  way: ResourceAlias | undefined,
): Operation[] {
  const uses = way === undefined ? draft.uses : usesOfAlias(draft.uses, way);
  root.uses.push(...uses);
  const said = statements.resource(draft.template.shape);
  const why = said?.sameAs === undefined ? `it shows ${schemaName(root.schema)} too` : said.evidence.text;
  root.evidence.push({
    text: `${draft.template.path} is kept as ${root.template.path}: ${why}`,
    pointer: said?.sameAs === undefined ? (draft.uses[0]?.operation.pointer ?? '') : said.evidence.pointer,
  });
  const put = new Set(uses.map(({ operation }) => operation));
  return draft.uses.flatMap(({ operation }) => (put.has(operation) ? [] : [operation]));
}

/** A root may itself have gone into another. */
function rootOf(merged: ReadonlyMap<string, ResourceDraft>, shape: string): ResourceDraft | undefined {
  let root = merged.get(shape);
  for (let next = root; next !== undefined; next = merged.get(next.template.shape)) root = next;
  return root;
}

function pathNoun({ template }: ResourceDraft): string {
  return foldedName(lastLiteral(template.segments));
}

/**
 * Do both paths start alike and end alike, with more in the middle of the nested one, a variable last? `/api/books` and
 * `/api/shelves/{shelfId}/books` do; `/search/books` and `/shelves/{shelfId}/books` do not.
 */
function isRootOf(inference: Inference, root: ResourceDraft, nested: ResourceDraft): boolean {
  // What each client puts there under a name of its choice would meet under that name.
  const isPutThere = nested.uses.some(({ behaviour }) => behaviour === 'upsert');
  if (isPutThere && root.schema.pointer !== nested.schema.pointer) return false;
  // What is put there by its key alone is there as well, and stays where it is kept.
  const isLinked = nested.uses.some(({ operation, isOnItem }) => isOnItem && putsByPath(inference, operation));
  if (isLinked && root.uses.some(({ behaviour }) => behaviour === 'create')) return false;
  return isNested(inference, root, root.template.segments, nested);
}

/**
 * `/user/things/{id}` for `/shelves/{shelf}/things`, where things are made and not found: who makes one finds it among
 * those of their own.
 */
function isCreatedForCurrentUser(inference: Inference, root: ResourceDraft, nested: ResourceDraft): boolean {
  const [self, ...rest] = root.template.segments;
  const makes = nested.itemTemplate === undefined && nested.uses.some(({ behaviour }) => behaviour === 'create');
  return (
    makes && self?.kind === 'literal' && isCurrentUserSegment(self.text) && isNested(inference, root, rest, nested)
  );
}

/** @param outer - segments of the root that the nested one is to have around what is between */
function isNested({ view }: Inference, root: ResourceDraft, outer: readonly Segment[], nested: ResourceDraft): boolean {
  const inner = nested.template.segments;
  if (root === nested || variablesOf(outer).length >= variablesOf(inner).length) return false;
  const differing = outer.findIndex((segment, index) => !isSameSegment(segment, inner[index]));
  const end = differing < 0 ? [] : outer.slice(differing);
  const middle = inner.slice(Math.max(differing, 0), inner.length - end.length);
  const isEndOfBoth = end.every((segment, index) => isSameSegment(segment, inner[inner.length - end.length + index]));
  // What both are scoped by stands at the front of both.
  if (end.length === 0 || !isEndOfBoth || variablesOf(end).length > 0 || middle.at(-1)?.kind !== 'variable')
    return false;
  const isFoundThere =
    root.itemTemplate !== undefined || nested.itemTemplate === undefined || isMadeFor(view, root, nested);
  return isFoundThere && view.areSameType(root.schema, nested.schema);
}

/** Are things made at the root alone, and do they show which item each of them is below? */
function isMadeFor(view: SchemaView, root: ResourceDraft, { uses, template: { segments } }: ResourceDraft): boolean {
  const makes = (each: ResourceDraft['uses'][number]): boolean => BEHAVIOURS[each.behaviour].creates === true;
  const place = segments.length - 2;
  const shown = propertyForVariable(segments, place, view.properties(root.schema), '');
  return root.uses.some(makes) && !uses.some(makes) && shown !== undefined;
}

/**
 * Where the things are read that a place only makes, `POST /trials/bank/credits` beside `/bank/credits/{id}`: the one
 * place of that name whose items are of the very schema, which nothing makes at the place itself, and which lies below
 * nothing, or below what the other lies below as well.
 */
function onlyReadableCollection(
  { template, schema, uses }: ResourceDraft,
  alike: readonly ResourceDraft[],
): ResourceDraft | undefined {
  if (uses.some(({ behaviour }) => behaviour !== 'create')) return undefined;
  const [only, ...more] = alike.filter((other) => {
    const { segments } = other.template;
    const above = segments.slice(0, segments.findLastIndex(({ kind }) => kind === 'variable') + 1);
    const isRead = other.uses.some(({ behaviour }) => behaviour === 'read');
    const isMade = other.uses.some(({ behaviour }) => behaviour === 'create' || behaviour === 'create-many');
    const isBelow = above.every((segment, index) => isSameSegment(segment, template.segments[index]));
    return isRead && !isMade && isBelow && other.schema.pointer === schema.pointer;
  });
  return more.length === 0 ? only : undefined;
}

/**
 * Do two paths name the same collection, each with a word of its own for what it lies below? `/users/{username}/repos` is
 * another name of `/repos/{owner}` when the items of both are the same, and show an `owner` in the shape in which `/users`
 * shows its items. Nothing lies below the items of the other name.
 */
function isOwnerAlias(
  { view }: Inference,
  root: ResourceDraft,
  other: ResourceDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): boolean {
  if (root === other || root.itemTemplate === undefined || other.itemTemplate !== undefined) return false;
  const above = parentOf(other, drafts);
  const shown = endsInVariable(root)
    ? embeddedObject(
        root.template.segments,
        root.template.segments.length - 1,
        view.properties(root.schema),
        view,
        undefined,
      )
    : undefined;
  if (above === undefined || shown === undefined) return false;
  return showsItemsAs(above, shown.schema) && view.areSameType(root.schema, other.schema);
}

/** `/repos/{owner}`: one variable, at the end. */
function endsInVariable({ template: { segments } }: ResourceDraft): boolean {
  return segments.at(-1)?.kind === 'variable' && variablesOf(segments).length === 1;
}

/** The collection of `{username}` in `/users/{username}/repos`: one variable, with the name of the items behind it. */
function parentOf(
  { template: { segments } }: ResourceDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): ResourceDraft | undefined {
  const isBelow = segments.at(-1)?.kind === 'literal' && segments.at(-2)?.kind === 'variable';
  return isBelow && variablesOf(segments).length === 1 ? drafts.get(shapeOf(segments.slice(0, -2))) : undefined;
}

function showsItemsAs({ uses }: ResourceDraft, { pointer }: Schema): boolean {
  return uses.some(({ response }) => response?.item?.pointer === pointer);
}

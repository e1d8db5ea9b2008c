import type { Property } from '../openapi/model';
import { isSelf } from './callers';
import type { Inference, ResourceDraft, Use } from './draft';
import { chooseKey } from './key';
import { isSameSegment, lastLiteral, shapeOf, variablesOf, withoutLast, type Segment } from './path-template';
import type { Elsewhere } from './reading';
import { embeddedThing } from './scope-holder';

/**
 * How the operations of a place find the collections of another that keeps the same things, where its own path names
 * them otherwise, or not at all.
 */
export interface OtherWay {
  /** What each variable of the other's scope is called here, outermost first; fewer where the rest is not said. */
  readonly scope: readonly string[];
  /** Of those, the ones whose values do not stand in the path. */
  readonly elsewhere: ReadonlyMap<string, Elsewhere>;
  /** Are the items of all collections meant that begin with those values? */
  readonly isAcross: boolean;
}

/** The variable of whoever asks, which no path writes. */
const CALLER = '$caller';

/**
 * Are the things of one place those that another keeps, each with a path of its own? Nothing lies below the items of the
 * first: `/pods` beside `/areas/{area}/pods/{name}`, `/me/lists` beside `/lists/{id}`, `/orgs/{org}/repos` and `/user/repos`
 * beside `/repos/{owner}/{repo}`.
 *
 * @returns how they are found there; `undefined` where they are others
 */
export function otherWayTo(
  inference: Inference,
  root: ResourceDraft,
  other: ResourceDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): OtherWay | undefined {
  if (root === other || root.itemTemplate === undefined || other.itemTemplate !== undefined) return undefined;
  if (lastLiteral(root.template.segments) !== lastLiteral(other.template.segments)) return undefined;
  if (!inference.reader.areSame(root.schema, other.schema)) return undefined;
  return (
    acrossScopes(root, other) ?? ofTheCaller(inference, root, other) ?? ofAnotherOwner(inference, root, other, drafts)
  );
}

/** `/pods` beside `/areas/{area}/pods`: only lists, because what is made must lie somewhere. */
function acrossScopes(root: ResourceDraft, other: ResourceDraft): OtherWay | undefined {
  const [inner, outer] = [root.template.segments, other.template.segments];
  if (variablesOf(inner).length <= variablesOf(outer).length) return undefined;
  if (other.uses.some(({ behaviour }) => behaviour !== 'list' && behaviour !== 'count')) return undefined;
  const start = outer.findIndex((segment, index) => !isSameSegment(segment, inner[index]));
  const end = start < 0 ? [] : outer.slice(start);
  const offset = inner.length - end.length;
  const isEnd = end.length > 0 && end.every((segment, index) => isSameSegment(segment, inner[offset + index]));
  if (!isEnd || variablesOf(end).length > 0 || inner[offset - 1]?.kind !== 'variable') return undefined;
  return { scope: variablesOf(outer), elsewhere: new Map(), isAcross: true };
}

/** `/me/lists` beside `/lists/{id}`, and `/user/repos` beside `/repos/{owner}/{repo}`. */
function ofTheCaller(inference: Inference, root: ResourceDraft, other: ResourceDraft): OtherWay | undefined {
  const { segments } = other.template;
  const [self, ...between] = segments.slice(0, -1).toReversed();
  if (self?.kind !== 'literal' || !isSelf(self.text) || variablesOf(between).length > 0) return undefined;
  const scope = variablesOf(root.template.segments);
  if (scope.length === 0) return { scope: [], elsewhere: new Map(), isAcross: false };
  const key = ownerKey(inference, root);
  if (key === undefined) return undefined;
  const record = withoutLast(other.template).path;
  return { scope: [CALLER], elsewhere: new Map([[CALLER, { in: 'caller', name: key, record }]]), isAcross: false };
}

/** `/orgs/{org}/repos` beside `/repos/{owner}/{repo}`, where organisations are found by what owners are found by. */
function ofAnotherOwner(
  inference: Inference,
  root: ResourceDraft,
  other: ResourceDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): OtherWay | undefined {
  const { segments } = other.template;
  const scope = variablesOf(segments);
  const key = segments.at(-2)?.kind === 'variable' && scope.length === 1 ? ownerKey(inference, root) : undefined;
  if (key === undefined) return undefined;
  const owners = drafts.get(shapeOf(segments.slice(0, -2)));
  const members: ReadonlyMap<string, Property> | undefined = owners && inference.reader.members(owners.schema);
  const makes = other.uses.some(({ behaviour }) => behaviour === 'create');
  if (members === undefined ? !makes : !members.has(key)) return undefined;
  return { scope, elsewhere: new Map(), isAcross: false };
}

/** `login`, where items of `/repos/{owner}` show an `owner` by it: one variable, at the end. */
function ownerKey({ reader }: Inference, { template, schema, uses }: ResourceDraft): string | undefined {
  const { segments } = template;
  const last: Segment | undefined = segments.at(-1);
  if (last?.kind !== 'variable' || variablesOf(segments).length !== 1) return undefined;
  const shown = embeddedThing(segments, segments.length - 1, reader.members(schema), reader, undefined);
  if (shown === undefined) return undefined;
  const parameter = uses
    .flatMap(({ operation }) => operation.parameters)
    .find((each) => each.in === 'path' && each.name === last.name);
  const { member } = chooseKey(reader.members(shown.schema), [last.name], parameter, shown.property.name, reader);
  return reader.members(shown.schema).has(member) ? member : undefined;
}

/** The uses of a place as those of the one that keeps its things. Across several, only lists know what is meant. */
export function usesInOtherWay(uses: readonly Use[], { scope, elsewhere, isAcross }: OtherWay): Use[] {
  const isMeant = ({ behaviour }: Use): boolean => !isAcross || behaviour === 'list' || behaviour === 'count';
  return uses.filter(isMeant).map((use) => ({
    ...use,
    scope: { names: scope, isAcross },
    elsewhere: new Map([...use.elsewhere, ...elsewhere]),
  }));
}

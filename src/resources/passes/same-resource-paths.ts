import type { Property } from '../../openapi/model/operation';
import { isCurrentUserSegment } from './current-user';
import type { Inference, ResourceDraft, OperationUse } from '../drafts/draft';
import { chooseKey } from '../keys/choose-key';
import {
  isSameSegment,
  lastLiteral,
  shapeOf,
  variablesOf,
  withoutLast,
  type Segment,
} from '../../openapi/view/path-template';
import type { VariableSource } from '../model/binding';
import { embeddedObject } from '../keys/scope-variables';

/**
 * How the operations of a place find the collections of another that keeps the same things, where its own path names
 * them otherwise, or not at all.
 */
export interface ResourceAlias {
  /** What each variable of the other's scope is called here, outermost first; fewer where the rest is not said. */
  readonly scope: readonly string[];
  /** Of those, the ones whose values do not stand in the path. */
  readonly outsidePath: ReadonlyMap<string, VariableSource>;
  /** Are the items of all collections meant that begin with those values? */
  readonly isAcross: boolean;
}

/** The variable of the caller, which no path writes. */
const CALLER = '$caller';

/**
 * Are the things of one place those that another keeps, each with a path of its own? Nothing lies below the items of the
 * first: `/pods` beside `/areas/{area}/pods/{name}`, `/me/lists` beside `/lists/{id}`, `/orgs/{org}/repos` and `/user/repos`
 * beside `/repos/{owner}/{repo}`.
 *
 * @returns how they are found there; `undefined` where they are others
 */
export function aliasOf(
  inference: Inference,
  root: ResourceDraft,
  other: ResourceDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): ResourceAlias | undefined {
  if (root === other || root.itemTemplate === undefined || other.itemTemplate !== undefined) return undefined;
  if (lastLiteral(root.template.segments) !== lastLiteral(other.template.segments)) return undefined;
  if (!inference.view.areSameType(root.schema, other.schema)) return undefined;
  return (
    acrossScopes(root, other) ?? ofCurrentUser(inference, root, other) ?? ofAnotherOwner(inference, root, other, drafts)
  );
}

/** `/pods` beside `/areas/{area}/pods`: only lists, because what is made must lie somewhere. */
function acrossScopes(root: ResourceDraft, other: ResourceDraft): ResourceAlias | undefined {
  const [inner, outer] = [root.template.segments, other.template.segments];
  if (variablesOf(inner).length <= variablesOf(outer).length) return undefined;
  if (other.uses.some(({ behaviour }) => behaviour !== 'list' && behaviour !== 'count')) return undefined;
  const start = outer.findIndex((segment, index) => !isSameSegment(segment, inner[index]));
  const end = start < 0 ? [] : outer.slice(start);
  const offset = inner.length - end.length;
  const isEnd = end.length > 0 && end.every((segment, index) => isSameSegment(segment, inner[offset + index]));
  if (!isEnd || variablesOf(end).length > 0 || inner[offset - 1]?.kind !== 'variable') return undefined;
  return { scope: variablesOf(outer), outsidePath: new Map(), isAcross: true };
}

/** `/me/lists` beside `/lists/{id}`, and `/user/repos` beside `/repos/{owner}/{repo}`. */
function ofCurrentUser(inference: Inference, root: ResourceDraft, other: ResourceDraft): ResourceAlias | undefined {
  const { segments } = other.template;
  const [self, ...between] = segments.slice(0, -1).toReversed();
  if (self?.kind !== 'literal' || !isCurrentUserSegment(self.text) || variablesOf(between).length > 0) return undefined;
  const scope = variablesOf(root.template.segments);
  if (scope.length === 0) return { scope: [], outsidePath: new Map(), isAcross: false };
  const key = ownerKey(inference, root);
  if (key === undefined) return undefined;
  const record = withoutLast(other.template).path;
  return { scope: [CALLER], outsidePath: new Map([[CALLER, { in: 'caller', name: key, record }]]), isAcross: false };
}

/** `/orgs/{org}/repos` beside `/repos/{owner}/{repo}`, where organisations are found by what owners are found by. */
function ofAnotherOwner(
  inference: Inference,
  root: ResourceDraft,
  other: ResourceDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): ResourceAlias | undefined {
  const { segments } = other.template;
  const scope = variablesOf(segments);
  const key = segments.at(-2)?.kind === 'variable' && scope.length === 1 ? ownerKey(inference, root) : undefined;
  if (key === undefined) return undefined;
  const owners = drafts.get(shapeOf(segments.slice(0, -2)));
  const properties: ReadonlyMap<string, Property> | undefined = owners && inference.view.properties(owners.schema);
  const makes = other.uses.some(({ behaviour }) => behaviour === 'create');
  if (properties === undefined ? !makes : !properties.has(key)) return undefined;
  return { scope, outsidePath: new Map(), isAcross: false };
}

/** `login`, where items of `/repos/{owner}` show an `owner` by it: one variable, at the end. */
function ownerKey({ view }: Inference, { template, schema, uses }: ResourceDraft): string | undefined {
  const { segments } = template;
  const last: Segment | undefined = segments.at(-1);
  if (last?.kind !== 'variable' || variablesOf(segments).length !== 1) return undefined;
  const shown = embeddedObject(segments, segments.length - 1, view.properties(schema), view, undefined);
  if (shown === undefined) return undefined;
  const parameter = uses
    .flatMap(({ operation }) => operation.parameters)
    .find((each) => each.in === 'path' && each.name === last.name);
  const { name } = chooseKey(view.properties(shown.schema), [last.name], parameter, shown.property.name, view);
  return view.properties(shown.schema).has(name) ? name : undefined;
}

/** The uses of a place as those of the one that keeps its things. Across several, only lists know what is meant. */
export function usesOfAlias(
  uses: readonly OperationUse[],
  { scope, outsidePath, isAcross }: ResourceAlias,
): OperationUse[] {
  const isMeant = ({ behaviour }: OperationUse): boolean => !isAcross || behaviour === 'list' || behaviour === 'count';
  return uses.filter(isMeant).map((use) => ({
    ...use,
    scope: { names: scope, isAcross },
    outsidePath: new Map([...use.outsidePath, ...outsidePath]),
  }));
}

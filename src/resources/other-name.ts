import type { Schema } from '../openapi/model';
import type { Inference, ResourceDraft } from './draft';
import { shapeOf, variablesOf } from './path-template';
import { embeddedThing } from './scope-holder';

/**
 * Do two paths name the same collection, each with a word of its own for what it lies below? `/users/{username}/repos` is
 * another name of `/repos/{owner}` when the items of both are the same, and show an `owner` in the shape in which `/users`
 * shows its items. Nothing lies below the items of the other name.
 */
export function isOtherNameOf(
  { reader }: Inference,
  root: ResourceDraft,
  other: ResourceDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): boolean {
  if (root === other || root.itemTemplate === undefined || other.itemTemplate !== undefined) return false;
  const above = thingBelow(other, drafts);
  const shown = endsInVariable(root)
    ? embeddedThing(
        root.template.segments,
        root.template.segments.length - 1,
        reader.members(root.schema),
        reader,
        undefined,
      )
    : undefined;
  if (above === undefined || shown === undefined) return false;
  return showsItemsAs(above, shown.schema) && reader.areSame(root.schema, other.schema);
}

/** `/repos/{owner}`: one variable, at the end. */
function endsInVariable({ template: { segments } }: ResourceDraft): boolean {
  return segments.at(-1)?.kind === 'variable' && variablesOf(segments).length === 1;
}

/** The collection of `{username}` in `/users/{username}/repos`: one variable, with the name of the items behind it. */
function thingBelow(
  { template: { segments } }: ResourceDraft,
  drafts: ReadonlyMap<string, ResourceDraft>,
): ResourceDraft | undefined {
  const isBelow = segments.at(-1)?.kind === 'literal' && segments.at(-2)?.kind === 'variable';
  return isBelow && variablesOf(segments).length === 1 ? drafts.get(shapeOf(segments.slice(0, -2))) : undefined;
}

function showsItemsAs({ uses }: ResourceDraft, { pointer }: Schema): boolean {
  return uses.some(({ response }) => response?.item?.pointer === pointer);
}

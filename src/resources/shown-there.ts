import type { Inference, ResourceDraft } from './draft';
import { foldedName } from './inflection';
import { variablesOf, type PathTemplate } from './path-template';
import { putsThere } from './presence';
import type { ResourceDescription } from './resource-model';

/** A draft and what came of it. */
interface Finished {
  readonly draft: ResourceDraft;
  readonly known: Pick<ResourceDescription, 'path'>;
}

/**
 * The collection whose items a PUT puts into another one by their names alone: `PUT /starred/{owner}/{repo}` what is at
 * `/repos/{owner}/{repo}`, `PUT /teams/{id}/members/{username}` what is at `/users/{username}`. It has the same things, and
 * its path the same variables as the end of that one.
 *
 * @returns its path; `undefined` where nothing is put there so, or nothing is known of it
 */
export function shownThere(inference: Inference, draft: ResourceDraft, all: readonly Finished[]): string | undefined {
  const { itemTemplate, schema, uses } = draft;
  const isPut = uses.some(({ operation, isOnItem }) => isOnItem && putsThere(inference, operation));
  if (itemTemplate === undefined || !isPut) return undefined;
  const ending = variablesAtEnd(itemTemplate);
  const found = all.filter(({ draft: other }) => {
    const names = other.itemTemplate === undefined ? [] : variablesOf(other.itemTemplate.segments).map(foldedName);
    const isNamed = names.length > 0 && names.join() === ending.slice(-names.length).join();
    const isRead = other.uses.some((use) => use.isOnItem && use.behaviour === 'read' && use.response !== undefined);
    return other !== draft && isNamed && isRead && inference.reader.areSame(other.schema, schema);
  });
  const length = ({ draft: { template } }: Finished): number => template.segments.length;
  return found.sort((left, right) => length(left) - length(right))[0]?.known.path;
}

/** The names of the variables at the end of a path, with no word between them. */
function variablesAtEnd({ segments }: PathTemplate): string[] {
  const last = segments.findLastIndex((segment) => segment.kind === 'literal');
  return variablesOf(segments.slice(last + 1)).map(foldedName);
}

import type { ResourceDraft } from './draft';
import { variablesOf, type Segment } from './path-template';

/**
 * The collection whose items a variable names, where it stands at another path than that which others lie below:
 * `/users/@me/lists/{list}` for `/lists/{list}/tasks`. The word before the variable, its name and the variables before it
 * are the same, and no other collection has them.
 *
 * @param index - of the variable among the segments
 * @returns path of the collection
 */
export function parentElsewhere(
  drafts: readonly ResourceDraft[],
  segments: readonly Segment[],
  index: number,
): string | undefined {
  const [word, variable] = segments.slice(index - 1, index + 1);
  if (word?.kind !== 'literal' || variable?.kind !== 'variable') return undefined;
  const wanted = namesOf(segments.slice(0, index + 1));
  const found = drafts.filter(({ kind, itemTemplate: { segments: own = [] } = {} }) => {
    const before = own.at(-2);
    const isCalledSo = before?.kind === 'literal' && before.text === word.text && own.at(-1)?.kind === 'variable';
    return kind === 'collection' && isCalledSo && namesOf(own) === wanted;
  });
  const [draft, ...others] = found;
  return others.length === 0 ? draft?.template.path : undefined;
}

function namesOf(segments: readonly Segment[]): string {
  return variablesOf(segments).join('/');
}

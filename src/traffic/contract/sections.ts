import type { Call } from '../flow/call';
import type { DraftComment } from './contract-draft';
import { inWords } from './names';

/** Steps about one resource that follow each other. */
interface Stretch {
  readonly name: string | undefined;
  readonly from: number;
  readonly length: number;
}

/**
 * One line over each stretch of steps about one resource. A single step needs none, and where most stretches are single
 * steps, as of a page that asks for many things at once, there are no sections.
 *
 * @param calls - those of the steps, in their order
 */
export function sectionComments(calls: readonly Call[]): DraftComment[] {
  const stretches = stretchesOf(calls).filter(({ name }) => name !== undefined);
  const long = stretches.filter(({ length }) => length > 1);
  // A single step in between does not make it another section.
  const sections = long.filter(({ name }, index) => name !== long[index - 1]?.name);
  const distinct = new Set(stretches.map(({ name }) => name));
  if (distinct.size < 2 || long.length * 2 < stretches.length) return [];
  return sections.map(({ name = '', from }) => ({ pointer: `/steps/${from}`, text: `— ${inWords(name)} —` }));
}

function stretchesOf(calls: readonly Call[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, call] of calls.entries()) {
    const name = call.binding?.resource.name;
    const last = stretches.at(-1);
    if (last?.name === name && last !== undefined) stretches.splice(-1, 1, { ...last, length: last.length + 1 });
    else stretches.push({ name, from: index, length: 1 });
  }
  return stretches;
}

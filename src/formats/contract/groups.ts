import { joinPointer } from '../../core/json/json-pointer';
import type { FormatDiagnostics } from '../decode';
import type { Contract, Step } from './contract';

/** More requests at the same time say nothing more, and have too many orders to look at each. */
export const MOST_TOGETHER = 8;

/** The steps of a phase by what is sent at the same time: those that stand one after the other with one word (`together`). */
export function groupsOf(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.together !== undefined && last?.[0]?.together === step.together) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** Is anything of the contract sent at the same time? */
export function hasGroups({ setup, steps }: Pick<Contract, 'setup' | 'steps'>): boolean {
  return [...setup, ...steps].some(({ together }) => together !== undefined);
}

/** What only the steps of a group together can be wrong in. */
export function checkGroups({ setup, steps, cleanup }: Contract, diagnostics: FormatDiagnostics): void {
  // What could not be read is missing in its group.
  if (diagnostics.findings.length > 0) return;
  for (const group of [setup, steps].flatMap(groupsOf)) checkGroup(group, diagnostics);
  for (const { pointer, together, successes } of cleanup) {
    if (together === undefined && successes === undefined) continue;
    const property = together === undefined ? 'successes' : 'together';
    diagnostics.add(joinPointer(pointer, property), 'The cleanup is done one step after the other', `no ${property}`);
  }
}

function checkGroup(group: readonly Step[], diagnostics: FormatDiagnostics): void {
  const [first] = group;
  if (first?.together === undefined) {
    for (const { pointer, successes } of group)
      if (successes !== undefined)
        diagnostics.add(
          joinPointer(pointer, 'successes'),
          'The step is sent alone',
          'together, with a word of its group',
        );
    return;
  }
  const at = joinPointer(first.pointer, 'together');
  const word = `"${first.together}"`;
  if (group.length === 1)
    diagnostics.add(
      at,
      `No step before or behind it has the word ${word}`,
      'the same word at steps that stand one after the other',
      'Steps are sent at the same time where they stand one after the other with one word.',
    );
  if (group.length > MOST_TOGETHER)
    diagnostics.add(at, `${group.length} steps have the word ${word}`, `at most ${MOST_TOGETHER}`);
  for (const { pointer, repeat } of group)
    if (repeat !== undefined)
      diagnostics.add(
        joinPointer(pointer, 'repeat'),
        'What is sent at the same time as others is sent once',
        'no repeat',
      );
  const [, second] = group.filter(({ successes }) => successes !== undefined);
  if (second !== undefined)
    diagnostics.add(joinPointer(second.pointer, 'successes'), `Another step of ${word} says it already`, 'it once');
  checkCaptures(group, diagnostics);
}

/** Of two values of one name nobody could say which one is meant: which response comes last is chance. */
function checkCaptures(group: readonly Step[], diagnostics: FormatDiagnostics): void {
  const known = new Set<string>();
  for (const { name, pointer } of group.flatMap(({ captures }) => captures)) {
    if (known.has(name))
      diagnostics.add(pointer, `A step that is sent at the same time captures "${name}" as well`, 'another name');
    known.add(name);
  }
}

import type { NamedParent } from '../formats/contract';

/** Existing things that a run may make something below, as the tester named them: values by variable of the path. */
export type Within = ReadonlyMap<string, ReadonlySet<string>>;

export const NOTHING_NAMED: Within = new Map();

/** Parents of several sources together. */
export function withinOf(...lists: readonly (readonly NamedParent[])[]): Within {
  const within = new Map<string, Set<string>>();
  for (const { variable, value } of lists.flat()) {
    within.set(variable, (within.get(variable) ?? new Set()).add(value));
  }
  return within;
}

/** Is what a variable of a path names one of them? @param value - percent-decoded */
export function isNamed(within: Within, variable: string, value: string): boolean {
  return within.get(variable)?.has(value) === true;
}

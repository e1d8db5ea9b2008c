import type { Violation } from '../../json-schema/violation';
import type { Warnings } from '../warnings';

/** Words behind the name of a thing in the name of its key. */
const KEY_ENDING = /[-_]?(?:id|gid|sid|uuid|key)$/i;

/**
 * The violations of a body but those that miss a member whose value the path says: `project` below `/projects/{project_id}`.
 *
 * @param inPath - names of the variables of the path
 */
export function withoutNamed(
  violations: readonly Violation[],
  inPath: readonly string[],
  warnings: Warnings,
): readonly Violation[] {
  if (violations.length === 0 || inPath.length === 0) return violations;
  const things = new Set(inPath.map(thing).filter((name) => name !== ''));
  return violations.filter(({ keyword, member }) => {
    const isNamed = keyword === 'required' && member !== undefined && things.has(thing(member));
    return !isNamed || !warnings.allows('member_in_path', `The body lacks "${member}", which the path names`);
  });
}

function thing(name: string): string {
  return name.replace(KEY_ENDING, '').toLowerCase();
}

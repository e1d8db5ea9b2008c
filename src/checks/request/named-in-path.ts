/** Words behind the name of a thing in the name of its key. */
const KEY_ENDING = /[-_]?(?:id|gid|sid|uuid|key)$/i;

/**
 * Is a member one whose value the path says: `project` below `/projects/{project_id}`?
 *
 * @param inPath - names of the variables of the path
 */
export function namesInPath(inPath: readonly string[]): (member: string) => boolean {
  const things = new Set(inPath.map(thing).filter((name) => name !== ''));
  return (member) => things.has(thing(member));
}

function thing(name: string): string {
  return name.replace(KEY_ENDING, '').toLowerCase();
}

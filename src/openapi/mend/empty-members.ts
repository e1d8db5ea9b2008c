import type { Mend } from './mend';

/** Where null is a value like others. */
const VALUES: ReadonlySet<string> = new Set(['default', 'example', 'const', 'value', 'dataValue']);

/** `parameters:` with nothing behind it: generators write the members that an object does not have as null. */
export const emptyMembers: Mend = ({ kind, value, tell, set }) => {
  if (kind === 'paths' || kind === 'responses' || kind === 'callback') return;
  for (const [name, member] of Object.entries(value)) {
    if (member !== null || VALUES.has(name) || name.startsWith('x-')) continue;
    tell(name, { message: `"${name}" is null and is read as if it were not there`, hint: 'Leave it out.' });
    set(name, undefined);
  }
};

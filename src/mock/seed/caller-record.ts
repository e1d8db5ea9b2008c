import { foldedName } from '../../core/text/inflection';
import { isCallerSegment } from '../../resources/passes/current-user';
import type { Item } from '../state/item';
import { isRooted, type Resource } from '../state/prepared-resource';

/** What tells who somebody is, each under its names in records of the caller and in those of others. */
const IDENTITY: readonly (readonly string[])[] = [
  ['username', 'login', 'handle', 'nickname'],
  ['name', 'fullname', 'displayname'],
  ['email', 'emailaddress', 'mail'],
  ['firstname', 'givenname'],
  ['lastname', 'familyname', 'surname'],
  ['id', 'userid', 'uid'],
];

/** Is it a single record of whoever asks, `/account`, `/me/profile`, in a form of its own? */
export function isCallerRecord({ kind, scope, path }: Resource): boolean {
  return kind === 'singleton' && scope.length === 0 && isCallerSegment(path.split('/').at(-1) ?? '');
}

/** The people of whom the caller is the first. */
export function isPeople(resource: Resource): boolean {
  return isRooted(resource) && /^(?:user|person|member|profile)$/i.test(resource.name);
}

/** A record of the caller that says the same of them as what the people show; as it is where it tells nothing that they do. */
export function asPerson(record: Item, person: Item): Item {
  const said = Object.entries(record).flatMap(([name, value]) => {
    const names = IDENTITY.find((each) => each.includes(foldedName(name))) ?? [];
    const same = Object.entries(person).find(
      ([other, held]) => names.includes(foldedName(other)) && typeof held === typeof value,
    );
    return same === undefined ? [] : [[name, same[1]] as const];
  });
  // An id alone may be that of anything.
  const isKnown = said.some(([name]) => foldedName(name) !== 'id');
  return isKnown ? { ...record, ...Object.fromEntries(said) } : record;
}

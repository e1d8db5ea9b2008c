import { wordsOf } from './inflection';

const MADE = new Set(['created', 'create', 'creation', 'inserted', 'insertion', 'registered', 'registration', 'added']);
const CHANGED = new Set(['updated', 'update', 'modified', 'modification', 'changed', 'change']);
/** Words that say that a name is that of a time. */
const OF_TIME = new Set(['at', 'on', 'date', 'time', 'datetime', 'timestamp', 'ts', 'utc', 'epoch', 'ms', 'millis']);

/** Does a member tell when an item was made: `created`, `date_created`, `creationTimestamp`? */
export function tellsMaking(name: string): boolean {
  return isTimeOf(name, MADE);
}

/** Does it tell when the item was changed last: `updated_at`, `lastModified`, `dateUpdated`? */
export function tellsChange(name: string): boolean {
  return isTimeOf(name, CHANGED);
}

/** A noun or an infinitive alone is no time: `update`, `creation`. */
function isTimeOf(name: string, stems: ReadonlySet<string>): boolean {
  const words = wordsOf(name);
  const stem = words.find((word) => stems.has(word));
  const others = words.filter((word) => word !== stem);
  if (stem === undefined || !others.every((word) => OF_TIME.has(word) || word === 'last')) return false;
  return others.length > 0 ? true : stem.endsWith('ed');
}

import { previewValue } from '../../core/json/stringify-json';
import { counted, printable } from '../../core/text/printable';
import type { ContractMerge, MergeConflict, MergeNote } from './merge-report';
import { isOfEnvironment } from './names';

/** So many places are named on a line of what went well; of more their number is told. */
const MOST_NAMED = 5;

/** What became of a file, as lines for a terminal: first what a person has to look at, then what was kept and taken. */
export function describeMerge(merge: ContractMerge): string[] {
  const { file, isChanged, conflicts, unknown, kept, renamed, changed, added, removed } = merge;
  return [
    ...conflicts.map((conflict) => `${placeOf(file, conflict)}: ${describeConflict(conflict)}`),
    ...unknown.map((note) => {
      const property = note.property === '' ? '' : ` ${note.property}`;
      const lack = isOfEnvironment(note.name) ? 'is not declared under env' : 'no step before it captures any more';
      return `${placeOf(file, note)}: ${about(note)}:${property} names \${${note.name}}, which ${lack}; correct it by hand`;
    }),
    ...renamed.map(({ from, to }) => `kept the name ${to} of ${from}`),
    ...summary('kept', kept, 'edit'),
    ...summary('took', changed, 'change'),
    ...summary('added', added, 'step'),
    ...summary('removed', removed, 'step'),
    ...(isChanged ? [] : [`${file} is as it was`]),
  ].map(printable);
}

function placeOf(file: string, { line }: MergeNote): string {
  return line === undefined ? file : `${file}:${line}`;
}

function about({ step }: MergeNote): string {
  return step === undefined ? 'the contract' : `step "${step}"`;
}

function describeConflict(conflict: MergeConflict): string {
  const { property, theirs, ours, reason } = conflict;
  if (reason === 'gone') {
    return `${about(conflict)} is not in the recording any more; it was edited, and so it stays: remove it by hand if it is to go`;
  }
  const what = property === '' ? about(conflict) : `${about(conflict)}: ${property}`;
  const hers = theirs === undefined ? 'was removed here' : `is ${previewValue(theirs)} here`;
  const now = ours === undefined ? 'has nothing there any more' : `says ${previewValue(ours)}`;
  return `${what} ${hers}, the recording ${now}; ${REASONS[reason]}`;
}

const REASONS: Readonly<Record<Exclude<MergeConflict['reason'], 'gone'>, string>> = {
  both: 'the edit stays',
  comment: 'a comment stands there that would be lost, and so it stays',
  alias: 'an alias repeats it elsewhere, and so it stays',
};

/** `kept 3 edits; step "add an item": expect.body.name, body.price; the contract: name` */
function summary(verb: string, notes: readonly MergeNote[], noun: string): string[] {
  if (notes.length === 0) return [];
  const named = new Map<string, string[]>();
  for (const note of notes.slice(0, MOST_NAMED)) {
    const properties = named.get(about(note)) ?? [];
    named.set(about(note), note.property === '' ? properties : [...properties, note.property]);
  }
  const places = [...named].map(([step, properties]) => {
    return properties.length === 0 ? step : `${step}: ${properties.join(', ')}`;
  });
  const more = notes.length > MOST_NAMED ? [`and ${notes.length - MOST_NAMED} more`] : [];
  return [`${verb} ${counted(notes.length, noun)}; ${[...places, ...more].join('; ')}`];
}

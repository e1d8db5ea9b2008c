import type { CreationMeaning } from './creation-meaning';
import type { Use } from './draft';
import { isScalar, meansKey } from './key-elsewhere';
import { variablesOf } from './path-template';
import { meaningsOfTaken, NEVER_TAKEN } from './put-meaning';
import type { ResourceDescription } from './resource-model';
import type { SchemaReader } from './schema-reader';

/** Sentences that say by what an item is known that is there already. */
const KNOWS = /\b(?:look(?:ed|s)? up|find|found|match\w*|identif\w*|exist\w*|unique\w*)\b/i;

type Made = Pick<ResourceDescription, 'properties' | 'key' | 'scope' | 'name'>;

const MAKES_NEW: CreationMeaning = { ...NEVER_TAKEN, foundBy: undefined, relatesBy: undefined };

/** What a creation does to an item that is there already, and how it finds that. */
export function meaningOfCreation(use: Use, resource: Made, reader: SchemaReader): CreationMeaning {
  if (use.behaviour !== 'create' && use.behaviour !== 'create-many') return MAKES_NEW;
  const relatesBy = keyToRelate(use, resource, reader);
  if (relatesBy !== undefined) return { ...MAKES_NEW, relatesBy };
  const taken = meaningsOfTaken(use.operation);
  return { ...taken, foundBy: taken.whenTaken && foundBy(use, resource, reader), relatesBy };
}

/**
 * Where a creation replaces or updates as well, the member by which it finds the item that is there, if that is not the key:
 * one that its words name where they speak of that, and that is sent and kept.
 */
function foundBy(
  { operation: { description }, request }: Use,
  { properties, key }: Made,
  reader: SchemaReader,
): string | undefined {
  const sent = request?.item === undefined ? [] : [...reader.members(request.item).values()];
  const names = new Set(sent.flatMap((each) => (isScalar(each) && properties.has(each.name) ? [each.name] : [])));
  const told = description
    .split(/(?<=[.!?])\s+|\n/)
    .filter((sentence) => KNOWS.test(sentence))
    .flatMap((sentence) => sentence.match(/[A-Za-z_]\w*/g) ?? [])
    // A word of prose is no name: only one that is quoted, or written as names are.
    .find((word) => names.has(word) && (/[_A-Z]/.test(word) || isQuoted(description, word)));
  return told === key.member ? undefined : told;
}

/**
 * `POST /people/{person}/tags { id }` of what is kept as `/tags`: all that is sent of the item is its key, so that it puts there
 * one that is kept already. The member that holds the key.
 */
function keyToRelate(
  { template, depth, request, behaviour }: Use,
  { properties, key, scope, name }: Made,
  reader: SchemaReader,
): string | undefined {
  const isBelow = variablesOf(template.segments.slice(0, depth)).length > scope.length;
  const item = behaviour === 'create' && isBelow ? request?.item : undefined;
  const sent = item === undefined ? [] : [...reader.members(item).values()];
  const own = sent.find((each) => each.name === key.member) ?? sent.find((each) => meansKey(each.name, name));
  const isAlone = sent.every((each) => each === own || !properties.has(each.name));
  return own !== undefined && isScalar(own) && isAlone && sent.length <= 3 ? own.name : undefined;
}

function isQuoted(text: string, word: string): boolean {
  return ['`', '"', "'"].some((quote) => text.includes(`${quote}${word}${quote}`));
}

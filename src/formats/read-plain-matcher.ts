import { checkedFormats } from '../json-schema/format-check';
import { isJsonNumber } from '../json/exact-number';
import { joinPointer } from '../json/json-pointer';
import { JSON_TYPES, type Bound, type JsonType, type Matcher, type MatcherName } from './matcher';
import type { FormatJudge, PlacedValue } from './member-reader';
import { patternFault } from './pattern-text';
import { isPlaceholder } from './placeholders';
import { scalarText } from '../json/scalar-text';

interface PlainScope {
  readonly judge: FormatJudge;
  readonly isText: boolean;
}

type ReadPlain = (placed: PlacedValue, scope: PlainScope) => Matcher | undefined;

/** The matchers that hold no other matcher, with the function that reads the value of each. */
export const PLAIN_MATCHERS: ReadonlyMap<MatcherName, ReadPlain> = new Map<MatcherName, ReadPlain>([
  ['$equals', readEquals],
  ['$type', readTypes],
  ['$pattern', readPattern],
  ['$format', readFormat],
  ['$min', readBound('$min')],
  ['$max', readBound('$max')],
  ['$above', readBound('$above')],
  ['$below', readBound('$below')],
  ['$enum', readEnum],
  ['$present', readFlag('present')],
  ['$absent', readFlag('absent')],
]);

function readEquals({ value, pointer }: PlacedValue, { judge, isText }: PlainScope): Matcher | undefined {
  if (!isText) return { kind: 'equals', value, pointer };
  if (typeof value === 'string' || isJsonNumber(value)) return { kind: 'equals', value: scalarText(value), pointer };
  judge.refuse(pointer, 'The value of a header is text', 'a string');
  return undefined;
}

function readTypes({ value, pointer }: PlacedValue, { judge }: PlainScope): Matcher | undefined {
  const words = Array.isArray(value) ? value : [value];
  const types = words.flatMap((word, index): JsonType[] => {
    const known = JSON_TYPES.find((type) => type === word);
    if (known !== undefined) return [known];
    const at = Array.isArray(value) ? joinPointer(pointer, index) : pointer;
    if (typeof word === 'string') judge.refuseName(at, `There is no type "${word}"`, word, JSON_TYPES);
    else judge.refuse(at, 'This is no type', `one of ${JSON_TYPES.join(', ')}`, nullHint(word === null));
    return [];
  });
  if (words.length === 0) judge.refuse(pointer, '$type lists no type', `one or more of ${JSON_TYPES.join(', ')}`);
  return types.length === 0 ? undefined : { kind: 'type', types };
}

function nullHint(isNull: boolean): string | undefined {
  return isNull ? "YAML reads null as a value: write 'null' in quotes." : undefined;
}

function readPattern({ value, pointer }: PlacedValue, { judge }: PlainScope): Matcher | undefined {
  if (typeof value !== 'string' || value === '') {
    judge.refuse(pointer, '$pattern is no text', 'a regular expression of ECMAScript');
    return undefined;
  }
  const fault = patternFault(value);
  if (fault === undefined) return { kind: 'pattern', source: value, pointer };
  const expected = 'a regular expression of ECMAScript with the flag u';
  const hint = value.includes('${') ? 'A placeholder cannot stand in a character class.' : undefined;
  judge.refuse(pointer, `The regular expression does not compile: ${fault}`, expected, hint);
  return undefined;
}

function readFormat({ value, pointer }: PlacedValue, { judge }: PlainScope): Matcher | undefined {
  const names = checkedFormats();
  if (typeof value === 'string' && names.includes(value)) return { kind: 'format', name: value };
  const name = typeof value === 'string' ? value : '';
  judge.refuseName(pointer, `There is no format "${name}" that can be checked`, name, names);
  return undefined;
}

function readBound(bound: Bound): ReadPlain {
  return ({ value, pointer }, { judge, isText }) => {
    if (isJsonNumber(value) || (typeof value === 'string' && isPlaceholder(value))) {
      return { kind: 'bound', bound, limit: value, isOfText: isText, pointer };
    }
    judge.refuse(pointer, `${bound} is no number`, 'a number, or one placeholder');
    return undefined;
  };
}

function readEnum({ value, pointer }: PlacedValue, { judge, isText }: PlainScope): Matcher | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    judge.refuse(pointer, '$enum lists no value', 'a list with at least one');
    return undefined;
  }
  if (!isText) return { kind: 'enum', values: value, pointer };
  const texts = value.flatMap((item, index) => {
    if (typeof item === 'string' || isJsonNumber(item)) return [scalarText(item)];
    judge.refuse(joinPointer(pointer, index), 'The value of a header is text', 'a string');
    return [];
  });
  return { kind: 'enum', values: texts, pointer };
}

function readFlag(kind: 'present' | 'absent'): ReadPlain {
  const other = kind === 'present' ? '$absent' : '$present';
  return ({ value, pointer }, { judge }) => {
    if (value === true) return { kind };
    const hint = value === false ? `Write ${other}: true.` : undefined;
    judge.refuse(pointer, `$${kind} takes only true`, `$${kind}: true`, hint);
    return undefined;
  };
}

import { checkedFormats } from '../../schema/formats';
import { isJsonNumber } from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import { JSON_TYPES, type Bound, type JsonType, type Matcher, type MatcherName } from './matcher';
import type { FormatDiagnostics, LocatedValue } from '../property-reader';
import { isPlaceholder, patternFault } from './placeholders';
import { scalarText } from '../../core/json/stringify-json';

interface LeafScope {
  readonly diagnostics: FormatDiagnostics;
  readonly isHeader: boolean;
}

type ReadLeaf = (placed: LocatedValue, scope: LeafScope) => Matcher | undefined;

/** The matchers that hold no other matcher, with the function that reads the value of each. */
export const LEAF_MATCHERS: ReadonlyMap<MatcherName, ReadLeaf> = new Map<MatcherName, ReadLeaf>([
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

function readEquals({ value, pointer }: LocatedValue, { diagnostics, isHeader }: LeafScope): Matcher | undefined {
  if (!isHeader) return { kind: 'equals', value, pointer };
  if (typeof value === 'string' || isJsonNumber(value)) return { kind: 'equals', value: scalarText(value), pointer };
  diagnostics.add(pointer, 'The value of a header is text', 'a string');
  return undefined;
}

function readTypes({ value, pointer }: LocatedValue, { diagnostics }: LeafScope): Matcher | undefined {
  const words = Array.isArray(value) ? value : [value];
  const types = words.flatMap((word, index): JsonType[] => {
    const known = JSON_TYPES.find((type) => type === word);
    if (known !== undefined) return [known];
    const at = Array.isArray(value) ? joinPointer(pointer, index) : pointer;
    if (typeof word === 'string') diagnostics.addUnknownName(at, `There is no type "${word}"`, word, JSON_TYPES);
    else diagnostics.add(at, 'This is no type', `one of ${JSON_TYPES.join(', ')}`, nullHint(word === null));
    return [];
  });
  if (words.length === 0) diagnostics.add(pointer, '$type lists no type', `one or more of ${JSON_TYPES.join(', ')}`);
  return types.length === 0 ? undefined : { kind: 'type', types };
}

function nullHint(isNull: boolean): string | undefined {
  return isNull ? "YAML reads null as a value: write 'null' in quotes." : undefined;
}

function readPattern({ value, pointer }: LocatedValue, { diagnostics }: LeafScope): Matcher | undefined {
  if (typeof value !== 'string' || value === '') {
    diagnostics.add(pointer, '$pattern is no text', 'a regular expression of ECMAScript');
    return undefined;
  }
  const fault = patternFault(value);
  if (fault === undefined) return { kind: 'pattern', source: value, pointer };
  const expected = 'a regular expression of ECMAScript with the flag u';
  const hint = value.includes('${') ? 'A placeholder cannot stand in a character class.' : undefined;
  diagnostics.add(pointer, `The regular expression does not compile: ${fault}`, expected, hint);
  return undefined;
}

function readFormat({ value, pointer }: LocatedValue, { diagnostics }: LeafScope): Matcher | undefined {
  const names = checkedFormats();
  if (typeof value === 'string' && names.includes(value)) return { kind: 'format', name: value };
  const name = typeof value === 'string' ? value : '';
  diagnostics.addUnknownName(pointer, `There is no format "${name}" that can be checked`, name, names);
  return undefined;
}

function readBound(bound: Bound): ReadLeaf {
  return ({ value, pointer }, { diagnostics, isHeader }) => {
    if (isJsonNumber(value) || (typeof value === 'string' && isPlaceholder(value))) {
      return { kind: 'bound', bound, limit: value, isOfText: isHeader, pointer };
    }
    diagnostics.add(pointer, `${bound} is no number`, 'a number, or one placeholder');
    return undefined;
  };
}

function readEnum({ value, pointer }: LocatedValue, { diagnostics, isHeader }: LeafScope): Matcher | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    diagnostics.add(pointer, '$enum lists no value', 'a list with at least one');
    return undefined;
  }
  if (!isHeader) return { kind: 'enum', values: value, pointer };
  const texts = value.flatMap((item, index) => {
    if (typeof item === 'string' || isJsonNumber(item)) return [scalarText(item)];
    diagnostics.add(joinPointer(pointer, index), 'The value of a header is text', 'a string');
    return [];
  });
  return { kind: 'enum', values: texts, pointer };
}

function readFlag(kind: 'present' | 'absent'): ReadLeaf {
  const other = kind === 'present' ? '$absent' : '$present';
  return ({ value, pointer }, { diagnostics }) => {
    if (value === true) return { kind };
    const hint = value === false ? `Write ${other}: true.` : undefined;
    diagnostics.add(pointer, `$${kind} takes only true`, `$${kind}: true`, hint);
    return undefined;
  };
}

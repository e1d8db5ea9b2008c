import { stringify } from 'yaml';
import { ExactNumber } from '../json/exact-number';

/** A value as a YAML document that {@link readSource} reads back; a number in another form than its digits is the nearest one. */
export function writeYaml(value: unknown): string {
  return stringify(exactAsNumber(value), { lineWidth: 0, aliasDuplicateObjects: false, version: '1.2' });
}

function exactAsNumber(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.lexeme);
  if (Array.isArray(value)) return value.map(exactAsNumber);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exactAsNumber(member)]));
}

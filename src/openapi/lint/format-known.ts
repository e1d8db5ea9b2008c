import { typoOf } from '../../core/text/similar-name';
import { joinPointer } from '../../core/json/json-pointer';
import { isSchemaObject } from '../../schema/schema-object';
import { referenceOf } from '../read/references';
import type { Lint, LintFinding } from './lint';

/** Formats of JSON Schema 2020-12 (Validation §7.3) and OpenAPI that people mistype. */
const FORMATS: readonly string[] = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'idn-email',
  'hostname',
  'idn-hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'iri',
  'iri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'regex',
  'int32',
  'int64',
  'float',
  'double',
  'byte',
  'binary',
  'password',
];

/** Others in use that one letter tells from one above: the OpenAPI Format Registry, and what providers write. */
const OTHERS: ReadonlySet<string> = new Set(['bytes', 'times', 'float32', 'uint32', 'uint64']);

/** No format is a slip of one that is checked. Any text is allowed as a format; an unknown one checks nothing. */
export const formatKnown: Lint = {
  id: 'format-known',
  source: 'OAS 3.0.3 §4.4 Data Types; JSON Schema 2020-12 Validation §7.3',
  severity: 'warning',
  run({ objects }) {
    const findings: LintFinding[] = [];
    const meanings = new Map<string, string | undefined>();
    for (const { kind, at } of objects) {
      const format = kind === 'schema' && isSchemaObject(at.value) ? at.value['format'] : undefined;
      if (typeof format !== 'string' || referenceOf(at.value) !== undefined) continue;
      if (!meanings.has(format)) meanings.set(format, intendedFormat(format));
      const meant = meanings.get(format);
      if (meant === undefined) continue;
      findings.push({
        pointer: joinPointer(at.pointer, 'format'),
        message: `The format "${format}" is not known and judges nothing`,
        hint: `Did you mean "${meant}"?`,
      });
    }
    return findings;
  },
};

function intendedFormat(format: string): string | undefined {
  return FORMATS.includes(format) || OTHERS.has(format) ? undefined : typoOf(format, FORMATS);
}

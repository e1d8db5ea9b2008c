import type { SourceFinding } from '../../errors/source-finding';
import { slipOf } from '../../errors/similar-name';
import { joinPointer } from '../../json/json-pointer';
import { isSchemaObject } from '../../json-schema/schema';
import { referenceOf } from '../references';
import { findingAt } from '../source-document';
import type { Lint } from './lint';

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

/** No format is a slip of one that is judged. Any text is allowed as a format; an unknown one judges nothing. */
export const formatKnown: Lint = {
  id: 'format-known',
  source: 'OAS 3.0.3 §4.4 Data Types; JSON Schema 2020-12 Validation §7.3',
  run({ document, objects }) {
    const findings: SourceFinding[] = [];
    const meanings = new Map<string, string | undefined>();
    for (const { kind, at } of objects) {
      const format = kind === 'schema' && isSchemaObject(at.value) ? at.value['format'] : undefined;
      if (typeof format !== 'string' || referenceOf(at.value) !== undefined) continue;
      if (!meanings.has(format)) meanings.set(format, meantFormat(format));
      const meant = meanings.get(format);
      if (meant === undefined) continue;
      findings.push(
        findingAt(document, joinPointer(at.pointer, 'format'), {
          rule: 'format-known',
          severity: 'warning',
          message: `The format "${format}" is not known and judges nothing`,
          hint: `Did you mean "${meant}"?`,
        }),
      );
    }
    return findings;
  },
};

function meantFormat(format: string): string | undefined {
  return FORMATS.includes(format) || OTHERS.has(format) ? undefined : slipOf(format, FORMATS);
}

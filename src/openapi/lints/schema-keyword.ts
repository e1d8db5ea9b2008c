import type { SourceFinding } from '../../errors/source-finding';
import { slipOf } from '../../errors/similar-name';
import { joinPointer } from '../../json/json-pointer';
import { JUDGING_KEYWORDS, OTHER_KEYWORDS } from '../../json-schema/known-keywords';
import { isSchemaObject } from '../../json-schema/schema';
import { findingAt } from '../source-document';
import { oasVersionOf } from '../oas-version';
import type { Lint } from './lint';

const JUDGING: ReadonlySet<string> = new Set(JUDGING_KEYWORDS);

/**
 * No keyword of a schema is a slip of one that JSON Schema has. Unknown ones are allowed there and say nothing (JSON
 * Schema Core §4.3.1), so that the official schema of OpenAPI 3.1 is silent where that of 3.0 is not.
 */
export const schemaKeyword: Lint = {
  id: 'schema-keyword',
  source: 'OAS 3.1.1 §4.8.24 Schema Object; JSON Schema 2020-12 Core §4.3.1, §6.5',
  run({ document, objects }) {
    if (oasVersionOf(document) === '3.0') return [];
    const meanings = new Map<string, string | undefined>();
    const findings: SourceFinding[] = [];
    for (const { kind, at } of objects) {
      if (kind !== 'schema' || !isSchemaObject(at.value)) continue;
      for (const name of Object.keys(at.value)) {
        if (isKnown(name)) continue;
        if (!meanings.has(name)) meanings.set(name, slipOf(name, JUDGING_KEYWORDS));
        const meant = meanings.get(name);
        // Where the keyword itself stands beside it, nothing is lost.
        if (meant === undefined || Object.hasOwn(at.value, meant)) continue;
        findings.push(
          findingAt(document, joinPointer(at.pointer, name), {
            rule: 'schema-keyword',
            message: `"${name}" is not a keyword of JSON Schema and says nothing`,
            expected: `"${meant}", or an x- extension`,
            hint: `Did you mean "${meant}"?`,
          }),
        );
      }
    }
    return findings;
  },
};

function isKnown(name: string): boolean {
  return JUDGING.has(name) || OTHER_KEYWORDS.has(name) || name.startsWith('x-') || name.startsWith('$');
}

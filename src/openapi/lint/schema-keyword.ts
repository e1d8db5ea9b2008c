import { joinPointer } from '../../core/json/json-pointer';
import { typoOf } from '../../core/text/similar-name';
import { KEYWORDS } from '../../schema/dialects/keyword-operands';
import { ANNOTATIONS, EXAMPLES, isSchemaObject } from '../../schema/schema-object';
import { oasVersionOf } from '../read/source-document';
import type { Lint, LintFinding } from './lint';

/** Keywords of schema objects that change what is checked, and may be mistyped; short ones are taken for anything. */
const VALIDATING_KEYWORDS: readonly string[] = [
  ...KEYWORDS.filter((keyword) => !/^(?:\$.*|not|if|then|else)$/.test(keyword)),
  ...['const', 'readOnly', 'writeOnly', 'discriminator'],
];

/** Keywords that are none of those and no slip of one: of references, for readers, and of older dialects. */
const OTHER_KEYWORDS: ReadonlySet<string> = new Set([
  ...['not', 'if', 'then', 'else', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ...[...ANNOTATIONS, ...EXAMPLES, 'nullable', 'id', 'definitions', 'dependencies', 'additionalItems'],
]);

const KNOWN_VALIDATING: ReadonlySet<string> = new Set(VALIDATING_KEYWORDS);

/**
 * No keyword of a schema is a slip of one that JSON Schema has. Unknown ones are allowed there and say nothing (JSON
 * Schema Core §4.3.1), so that the official schema of OpenAPI 3.1 is silent where that of 3.0 is not.
 */
export const schemaKeyword: Lint = {
  id: 'schema-keyword',
  source: 'OAS 3.1.1 §4.8.24 Schema Object; JSON Schema 2020-12 Core §4.3.1, §6.5',
  severity: 'error',
  run({ document, objects }) {
    if (oasVersionOf(document) === '3.0') return [];
    const meanings = new Map<string, string | undefined>();
    const findings: LintFinding[] = [];
    for (const { kind, at } of objects) {
      if (kind !== 'schema' || !isSchemaObject(at.value)) continue;
      for (const name of Object.keys(at.value)) {
        if (isKnown(name)) continue;
        if (!meanings.has(name)) meanings.set(name, typoOf(name, VALIDATING_KEYWORDS));
        const meant = meanings.get(name);
        // Where the keyword itself stands beside it, nothing is lost.
        if (meant === undefined || Object.hasOwn(at.value, meant)) continue;
        findings.push({
          pointer: joinPointer(at.pointer, name),
          message: `"${name}" is not a keyword of JSON Schema and says nothing`,
          expected: `"${meant}", or an x- extension`,
          hint: `Did you mean "${meant}"?`,
        });
      }
    }
    return findings;
  },
};

function isKnown(name: string): boolean {
  return KNOWN_VALIDATING.has(name) || OTHER_KEYWORDS.has(name) || name.startsWith('x-') || name.startsWith('$');
}

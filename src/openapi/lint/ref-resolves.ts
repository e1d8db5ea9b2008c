import { getAtPointer, joinPointer, parentPointer, parsePointer } from '../../core/json/json-pointer';
import { similarName } from '../../core/text/similar-name';
import { isSchemaObject } from '../../schema/schema-object';
import { localPointer, type Resolution, resolveReference } from '../read/references';
import type { SourceDocument } from '../read/source-document';
import type { Lint, LintFinding } from './lint';

type Unresolved = Exclude<Resolution, { kind: 'resolved' }>;
type Explanation = Pick<LintFinding, 'message' | 'expected' | 'hint'>;

/** Every `$ref` leads somewhere, and no chain of them leads back to itself. */
export const refResolves: Lint = {
  id: 'ref-resolves',
  source: 'OAS 3.0.3 §4.7.23 Reference Object',
  severity: 'error',
  run({ document, objects }) {
    const findings: LintFinding[] = [];
    for (const { at } of objects) {
      const resolution = resolveReference(document, at);
      if (resolution.kind === 'resolved') continue;
      const explanation = EXPLANATIONS[resolution.kind](resolution, document);
      findings.push({ pointer: `${at.pointer}/$ref`, ...explanation });
    }
    return findings;
  },
};

const EXPLANATIONS: Readonly<
  Record<Unresolved['kind'], (unresolved: Unresolved, document: SourceDocument) => Explanation>
> = {
  circular: ({ reference }) => ({
    message: `${reference} leads back to itself`,
    hint: 'Let one of the references be a definition.',
  }),
  external: ({ reference }) => ({
    message: `${reference} is outside this file`,
    expected: 'a reference of the form #/components/…',
    hint: 'Bundle the description into one file first.',
  }),
  malformed: ({ reference }) => ({
    message: `${reference} is not JSON pointer`,
    expected: 'a reference of the form #/components/…',
    hint: 'In a name, write ~ as ~0, / as ~1 and % as %25.',
  }),
  missing: ({ reference }, document) => {
    const near = nearestReference(document, reference);
    return {
      message: `${reference} does not exist`,
      expected: 'a JSON pointer to a part of this file',
      hint: near === undefined ? 'Compare with the names under components.' : `Did you mean ${near}?`,
    };
  },
};

/** An existing sibling of what a reference names that is written almost the same. */
function nearestReference(document: SourceDocument, reference: string): string | undefined {
  const pointer = localPointer(reference);
  const parent = pointer === undefined ? undefined : parentPointer(pointer);
  if (pointer === undefined || parent === undefined) return undefined;
  const siblings = getAtPointer(document.root, parent);
  const wanted = parsePointer(pointer).at(-1);
  if (!isSchemaObject(siblings) || wanted === undefined) return undefined;
  const name = similarName(wanted, Object.keys(siblings));
  return name === undefined ? undefined : `#${joinPointer(parent, name)}`;
}

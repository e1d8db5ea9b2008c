import type { SourceFinding } from '../../errors/source-finding';
import { resolveReference, type Resolution } from '../references';
import { findingAt, type SourceDocument } from '../source-document';
import { nearestName } from './nearest-name';
import type { Lint } from './lint';

type Unresolved = Exclude<Resolution, { kind: 'resolved' }>;
type Explanation = Pick<SourceFinding, 'message' | 'expected' | 'hint'>;

/** Every `$ref` leads somewhere, and no chain of them leads back to itself. */
export const refResolves: Lint = {
  id: 'ref-resolves',
  source: 'OAS 3.0.3 §4.7.23 Reference Object',
  run({ document, objects }) {
    const findings: SourceFinding[] = [];
    for (const { at } of objects) {
      const resolution = resolveReference(document, at);
      if (resolution.kind === 'resolved') continue;
      const explanation = EXPLANATIONS[resolution.kind](resolution, document);
      findings.push(findingAt(document, `${at.pointer}/$ref`, { rule: 'ref-resolves', ...explanation }));
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
    message: `${reference} is no JSON pointer`,
    expected: 'a reference of the form #/components/…',
    hint: 'In a name, write ~ as ~0, / as ~1 and % as %25.',
  }),
  missing: ({ reference }, document) => {
    const near = nearestName(document, reference);
    return {
      message: `${reference} does not exist`,
      expected: 'a JSON pointer to a part of this file',
      hint: near === undefined ? 'Compare with the names under components.' : `Did you mean ${near}?`,
    };
  },
};

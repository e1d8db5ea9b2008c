import type { SourceFinding } from '../../errors/source-finding';
import { resolveReference, type Located } from '../references';
import { findingAt } from '../source-document';
import { items, members, rootOf } from '../walk';
import { nearestName } from './nearest-name';
import type { Lint } from './lint';

/** Every `$ref` leads somewhere, and no chain of them leads back to itself. */
export const refResolves: Lint = {
  id: 'ref-resolves',
  source: 'OAS 3.0.3 §4.7.23 Reference Object',
  run({ document }) {
    const findings: SourceFinding[] = [];
    const visit = (located: Located): void => {
      // An example may hold a member called `$ref` that is data.
      if (/\/(?:example|examples\/[^/]*\/value|default|enum)$/.test(located.pointer)) return;
      const resolution = resolveReference(document, located);
      if (resolution.kind !== 'resolved') {
        findings.push(findingAt(document, `${located.pointer}/$ref`, { rule: 'ref-resolves', ...explain(resolution) }));
        return;
      }
      if (resolution.at.value !== located.value) return;
      for (const child of Array.isArray(located.value) ? items(located) : members(located)) visit(child);
    };
    visit(rootOf(document));
    return findings;

    function explain({ kind, reference }: { kind: 'external' | 'missing' | 'circular'; reference: string }) {
      if (kind === 'circular') {
        return { message: `${reference} leads back to itself`, hint: 'Let one of the references be a definition.' };
      }
      if (kind === 'external') {
        return {
          message: `${reference} is outside this file`,
          expected: 'a reference of the form #/components/…',
          hint: 'Bundle the description into one file first.',
        };
      }
      const near = nearestName(document, reference);
      return {
        message: `${reference} does not exist`,
        expected: 'a JSON pointer to a part of this file',
        hint: near === undefined ? 'Compare with the names under components.' : `Did you mean ${near}?`,
      };
    }
  },
};

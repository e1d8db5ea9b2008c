import type { SourceFinding } from '../../errors/source-finding';
import { templateShape } from '../route-table';
import { findingAt } from '../source-document';
import { member, members, rootOf } from '../walk';
import type { Lint } from './lint';

/** Two templates that differ only in the names of their variables are one path written twice. */
export const templateConflict: Lint = {
  id: 'template-conflict',
  source: 'OAS 3.0.3 §4.7.8 Paths Object',
  run({ document }) {
    const seen = new Map<string, string>();
    const findings: SourceFinding[] = [];
    for (const { name: path, pointer } of members(member(rootOf(document), 'paths'))) {
      if (path.startsWith('x-')) continue;
      const shape = templateShape(path);
      const earlier = seen.get(shape);
      if (earlier === undefined) seen.set(shape, path);
      else {
        findings.push(
          findingAt(document, pointer, {
            rule: 'template-conflict',
            message: `${path} and ${earlier} match the same paths`,
            expected: 'one entry for each hierarchy of a path',
            hint: 'Move the operations of both under one template. Where both have a method, the first is served.',
          }),
        );
      }
    }
    return findings;
  },
};

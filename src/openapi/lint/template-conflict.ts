import { templateShape } from '../model/route-table';
import { fieldOf, fieldsOf, rootOf } from '../read/references';
import type { Lint, LintFinding } from './lint';

/** Two templates that differ only in the names of their variables are one path written twice. */
export const templateConflict: Lint = {
  id: 'template-conflict',
  source: 'OAS 3.0.3 §4.7.8 Paths Object',
  severity: 'warning',
  run({ document }) {
    const seen = new Map<string, string>();
    const findings: LintFinding[] = [];
    for (const { name: path, pointer } of fieldsOf(fieldOf(rootOf(document), 'paths'))) {
      if (path.startsWith('x-')) continue;
      const shape = templateShape(path);
      const earlier = seen.get(shape);
      if (earlier === undefined) seen.set(shape, path);
      else {
        findings.push({
          pointer,
          message: `${path} and ${earlier} match the same paths`,
          expected: 'one entry for each hierarchy of a path',
          hint: 'Move the operations of both under one template. Where both have a method, the first is served.',
        });
      }
    }
    return findings;
  },
};

import type { SourceFinding } from '../../errors/source-finding';
import { similarName } from '../../errors/similar-name';
import { referenceOf } from '../references';
import { findingAt } from '../source-document';
import { visitObjects } from '../visit-objects';
import { member, rawOperations } from '../walk';
import type { Lint } from './lint';

/** A link by operationId names an operation of this description. */
export const linkOperationExists: Lint = {
  id: 'link-operation-exists',
  source: 'OAS 3.0.3 §4.7.20 Link Object',
  run({ document }) {
    const ids = rawOperations(document).flatMap(({ operation }) => {
      const id = operation.value['operationId'];
      return typeof id === 'string' ? [id] : [];
    });
    const findings: SourceFinding[] = [];
    visitObjects(document, ({ kind, at }) => {
      const id = kind === 'link' && referenceOf(at.value) === undefined ? member(at, 'operationId') : undefined;
      if (typeof id?.value !== 'string' || ids.includes(id.value)) return;
      const near = similarName(id.value, ids);
      findings.push(
        findingAt(document, id.pointer, {
          rule: 'link-operation-exists',
          message: `The link leads to the operation "${id.value}" that does not exist`,
          expected: 'an operationId of this description',
          hint: near === undefined ? undefined : `Did you mean "${near}"?`,
        }),
      );
    });
    return findings;
  },
};

import type { SourceFinding } from '../../errors/source-finding';
import { similarName } from '../../errors/similar-name';
import { referenceOf } from '../references';
import { findingAt } from '../source-document';
import { member } from '../walk';
import type { Lint } from './lint';

/** A link by operationId names an operation of this description. */
export const linkOperationExists: Lint = {
  id: 'link-operation-exists',
  source: 'OAS 3.0.3 §4.7.20 Link Object',
  run({ document, operations, objects }) {
    const ids = new Set<string>();
    for (const { operation } of operations) {
      const id = operation.value['operationId'];
      if (typeof id === 'string') ids.add(id);
    }
    const findings: SourceFinding[] = [];
    for (const { kind, at } of objects) {
      const id = kind === 'link' && referenceOf(at.value) === undefined ? member(at, 'operationId') : undefined;
      if (typeof id?.value !== 'string' || ids.has(id.value)) continue;
      const near = similarName(id.value, [...ids]);
      findings.push(
        findingAt(document, id.pointer, {
          rule: 'link-operation-exists',
          message: `The link leads to the operation "${id.value}" that does not exist`,
          expected: 'an operationId of this description',
          hint: near === undefined ? undefined : `Did you mean "${near}"?`,
        }),
      );
    }
    return findings;
  },
};

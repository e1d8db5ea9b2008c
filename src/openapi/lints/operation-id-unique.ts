import type { SourceFinding } from '../../errors/source-finding';
import { findingAt } from '../source-document';
import { member } from '../walk';
import type { Lint } from './lint';

/** An operationId names one operation. */
export const operationIdUnique: Lint = {
  id: 'operation-id-unique',
  source: 'OAS 3.0.3 §4.7.10 Operation Object',
  run({ document, operations }) {
    const seen = new Map<string, string>();
    return operations.flatMap((raw): SourceFinding[] => {
      const id = member(raw.operation, 'operationId');
      if (typeof id?.value !== 'string') return [];
      const earlier = seen.get(id.value);
      if (earlier === undefined) {
        seen.set(id.value, `${raw.method} ${raw.path}`);
        return [];
      }
      return [
        findingAt(document, id.pointer, {
          rule: 'operation-id-unique',
          message: `The operationId "${id.value}" is taken by ${earlier}`,
          expected: 'an id that no other operation has',
        }),
      ];
    });
  },
};

import { fieldOf } from '../read/references';
import type { Lint, LintFinding } from './lint';

/** An operationId names one operation. */
export const operationIdUnique: Lint = {
  id: 'operation-id-unique',
  source: 'OAS 3.0.3 §4.7.10 Operation Object',
  severity: 'warning',
  run({ operations }) {
    const seen = new Map<string, string>();
    return operations.flatMap((raw): LintFinding[] => {
      const id = fieldOf(raw.operation, 'operationId');
      if (typeof id?.value !== 'string') return [];
      const earlier = seen.get(id.value);
      if (earlier === undefined) {
        seen.set(id.value, `${raw.method} ${raw.path}`);
        return [];
      }
      return [
        {
          pointer: id.pointer,
          message: `The operationId "${id.value}" is taken by ${earlier}`,
          expected: 'an id that no other operation has',
        },
      ];
    });
  },
};

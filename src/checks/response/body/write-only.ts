import { joinPointer } from '../../../core/json/json-pointer';
import type { CheckFinding } from '../../../core/errors/finding';
import { documentedErrors } from '../../../openapi/view/responses';
import { documentedEntry } from './body-schema';
import type { ResponseCheck } from '../../response-check';
import { objectsIn } from '../../../openapi/view/schema-shape';

/** What clients may only write, a password, comes back in no response. */
export const writeOnly: ResponseCheck = {
  id: 'write-only',
  source: 'OAS 3.0.3 §4.7.24 writeOnly',
  basis: 'description',
  supersededBy: { checks: ['error-status'], at: '/response/body' },
  run(observed) {
    const { api, body, status, operation, commonError } = observed;
    if (body.kind !== 'json') return undefined;
    const entry = status < 400 ? documentedEntry(observed) : documentedErrors(operation, status, commonError)[0];
    if (entry?.schema === undefined) return undefined;
    const findings = new Map<string, CheckFinding>();
    for (const { pointer, value, shape } of objectsIn(api, [entry.schema], body.value)) {
      for (const name of Object.keys(value)) {
        const secret = shape.properties.get(name)?.find((schema) => schema.value['writeOnly'] === true);
        if (secret === undefined) continue;
        const at = `/response/body${joinPointer(pointer, name)}`;
        findings.set(at, {
          at,
          message: `The property "${name}" is writeOnly and must not be in a response`,
          expected: 'no such property',
          // Not the value: it is probably one that nobody should see.
          actual: 'a value',
          spec: secret.pointer,
        });
      }
    }
    return [...findings.values()];
  },
};

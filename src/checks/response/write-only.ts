import { joinPointer } from '../../json/json-pointer';
import type { Finding } from '../finding';
import { promisedErrors } from '../../openapi/error-schema';
import { documentedEntry } from './body-schema';
import { isErrorInSuccess } from './error-object';
import type { ResponseCheck } from './response-check';
import { objectsOf } from './walk-body';

/** What clients may only write, a password, comes back in no answer. */
export const writeOnly: ResponseCheck = {
  id: 'write-only',
  source: 'OAS 3.0.3 §4.7.24 writeOnly',
  run(observed) {
    const { api, body, status, operation, commonError } = observed;
    if (body.kind !== 'json' || isErrorInSuccess(observed)) return undefined;
    const entry = status < 400 ? documentedEntry(observed) : promisedErrors(operation, status, commonError)[0];
    if (entry?.schema === undefined) return undefined;
    const findings = new Map<string, Finding>();
    for (const { place, value, shape } of objectsOf(api, [entry.schema], body.value)) {
      for (const name of Object.keys(value)) {
        const secret = shape.properties.get(name)?.find((schema) => schema.value['writeOnly'] === true);
        if (secret === undefined) continue;
        const at = `/response/body${joinPointer(place, name)}`;
        findings.set(at, {
          check: 'write-only',
          severity: 'error',
          at,
          message: `The member "${name}" may be written and never read`,
          expected: 'no such member',
          // Not the value: it is probably one that nobody should see.
          actual: 'a value',
          spec: secret.pointer,
        });
      }
    }
    return [...findings.values()];
  },
};

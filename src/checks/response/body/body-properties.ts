import type { ResponseCheck } from '../../response-check';
import { undocumentedIn } from '../../undocumented-properties';
import { documentedEntry } from './body-schema';
import type { CheckFinding } from '../../../core/errors/finding';
import { joinPointer } from '../../../core/json/json-pointer';
import { documentedErrors } from '../../../openapi/view/responses';
import { objectsIn } from '../../../openapi/view/schema-shape';

/** What clients may only write, a password, comes back in no response. */
export const writeOnly: ResponseCheck = {
  id: 'write-only',
  area: 'schema',
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
          identity: {
            rule: `The member "${name}" is writeOnly and must not be in a response`,
            expected: 'no such member',
          },
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

/**
 * A body has no properties that nobody documented: the description and the service drift apart, and clients begin to rely
 * on what may go. One finding for each place, the indexes of lists folded. Errors may say more than is documented.
 */
export const undocumentedProperties: ResponseCheck = {
  id: 'undocumented-members',
  area: 'schema',
  source: 'OAS 3.0.3 §4.7.24 properties, additionalProperties',
  basis: 'description',
  supersededBy: { checks: ['error-status'], at: '/response/body' },
  run(observed) {
    const { api, body, status } = observed;
    if (body.kind !== 'json' || status >= 400) return undefined;
    const schema = documentedEntry(observed)?.schema;
    if (schema === undefined) return undefined;
    return undocumentedIn(api, schema, body.value).map(({ pointer, message, ...rest }) => ({
      severity: 'warning',
      at: `/response/body${pointer}`,
      message,
      ...rest,
    }));
  },
};

import { joinPointer } from '../../json/json-pointer';
import type { Finding } from '../finding';
import { documentedEntry } from './body-schema';
import { isErrorInSuccess } from './error-object';
import type { ResponseCheck } from './response-check';
import { shownText, shownValue } from './shown';
import { objectsOf } from './walk-body';

/**
 * A body has no members that nobody documented: the description and the service drift apart, and clients begin to rely
 * on what may go. One finding for each place, the indexes of lists folded. Errors may say more than is documented.
 */
export const undocumentedMembers: ResponseCheck = {
  id: 'undocumented-members',
  source: 'OAS 3.0.3 §4.7.24 properties, additionalProperties',
  run(observed) {
    const { api, body, status } = observed;
    if (body.kind !== 'json' || status >= 400 || isErrorInSuccess(observed)) return undefined;
    const schema = documentedEntry(observed)?.schema;
    if (schema === undefined) return undefined;
    const findings = new Map<string, Finding>();
    for (const { place, value, shape } of objectsOf(api, [schema], body.value)) {
      // With `additionalProperties: false` it is `body-schema` that speaks.
      if (shape.properties.size === 0 || shape.speaksOfOthers) continue;
      for (const [name, member] of Object.entries(value)) {
        const at = `/response/body${joinPointer(place, name)}`;
        if (shape.properties.has(name) || findings.has(at)) continue;
        findings.set(at, {
          check: 'undocumented-members',
          severity: 'warning',
          at,
          message: `The member "${name}" is not documented`,
          expected: shownText([...shape.properties.keys()].join(', ')),
          actual: shownValue(member),
          spec: schema.pointer,
        });
      }
    }
    return [...findings.values()];
  },
};

import { isJsonObject, type JsonValue } from '../../../core/json/json-value';
import { codeProperty, documentedErrors } from '../../../openapi/view/responses';
import { type ObservedResponse, previewStatus, type ResponseCheck } from '../../response-check';
import { previewValue } from '../../../core/json/value-preview';

/**
 * The error code is the one, or one of those, that the contract expects. Where the response is not an error object at all,
 * `error-contract` says so, and one finding is enough for one cause.
 */
export const codeExpected: ResponseCheck = {
  id: 'code-expected',
  source: 'the contract, expect.code',
  basis: 'contract',
  priority: -2,
  supersededBy: { checks: ['error-contract'], at: '/response/body' },
  run(observed) {
    const { expected, status, documented } = observed;
    if (expected === undefined || expected.codes.length === 0 || !expected.statuses.includes(status)) return undefined;
    const { name, value } = codeOf(observed);
    if (typeof value === 'string' && expected.codes.includes(value)) return [];
    const wanted = expected.codes.join(' or ');
    return [
      {
        at: `/response/body/${name}`,
        message: `Expected error code ${wanted}, got ${previewValue(value)}`,
        expected: wanted,
        actual: previewStatus(observed),
        spec: documented?.pointer,
        identity: { rule: `The error code is ${previewValue(value)}, not ${wanted}` },
      },
    ];
  },
};

/** The property that the error schema keeps the code in. */
function codeOf(observed: ObservedResponse): { readonly name: string; readonly value: JsonValue | undefined } {
  const { api, operation, status, commonError, body } = observed;
  const name = codeProperty(api, documentedErrors(operation, status, commonError)[0]?.schema) ?? 'code';
  const value = body.kind === 'json' && isJsonObject(body.value) ? body.value[name] : undefined;
  return { name, value };
}

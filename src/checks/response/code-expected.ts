import { isJsonObject, type JsonValue } from '../../json/json-value';
import { errorRole, promisedErrors } from '../../openapi/error-schema';
import { errorContract } from './error-contract';
import type { ObservedResponse, ResponseCheck } from './response-check';
import { shownStatus, shownValue } from './shown';

/**
 * The error code is the one, or one of those, that the contract expects. Where the answer is no error object at all,
 * `error-contract` says so, and one finding is enough for one cause.
 */
export const codeExpected: ResponseCheck = {
  id: 'code-expected',
  source: 'the contract, expect.code',
  run(observed) {
    const { expected, status, documented } = observed;
    if (expected === undefined || expected.codes.length === 0 || !expected.statuses.includes(status)) return undefined;
    const { name, value } = codeMember(observed);
    if (typeof value === 'string' && expected.codes.includes(value)) return [];
    if (errorContract.run(observed)?.some(({ at }) => at === '/response/body') === true) return undefined;
    const wanted = expected.codes.join(' or ');
    return [
      {
        check: 'code-expected',
        severity: 'error',
        at: `/response/body/${name}`,
        message: `The error code is ${shownValue(value)}, not ${wanted}`,
        expected: wanted,
        actual: shownStatus(observed),
        spec: documented?.pointer,
      },
    ];
  },
};

/** The member that the error schema keeps the code in. */
function codeMember(observed: ObservedResponse): { readonly name: string; readonly value: JsonValue | undefined } {
  const { api, operation, status, commonError, body } = observed;
  const schema = promisedErrors(operation, status, commonError)[0]?.schema;
  const names = schema === undefined ? [] : [...api.propertiesOf(schema).keys()];
  const name = names.find((candidate) => errorRole(candidate) === 'code') ?? 'code';
  const value = body.kind === 'json' && isJsonObject(body.value) ? body.value[name] : undefined;
  return { name, value };
}

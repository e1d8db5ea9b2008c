import { isReturnMinimal, mayHaveBody, type ResponseCheck } from '../../response-check';

/**
 * There is a body where the description shows one. With `Preference-Applied: return=minimal` a missing one is right
 * (RFC 7240 §4.2).
 */
export const bodyPresent: ResponseCheck = {
  id: 'body-present',
  source: 'OAS 3.0.3 §4.7.17 Response Object; RFC 7240 §4.2',
  basis: 'description',
  run(observed) {
    const { documented, status, body } = observed;
    // Errors are for `error-contract`.
    if (documented === undefined || documented.content.length === 0 || status >= 400) return undefined;
    if (!mayHaveBody(observed)) return undefined;
    if (body.kind !== 'empty' || isReturnMinimal(observed)) return [];
    return [
      {
        at: '/response/body',
        message: `The body of the ${status} is empty`,
        expected: documented.mediaTypes.join(' or '),
        actual: 'no body',
        spec: documented.pointer,
        hint: 'An empty body is right only with "Preference-Applied: return=minimal".',
      },
    ];
  },
};

import { isErrorInSuccess, type ResponseCheck } from '../../response-check';
import { previewValue } from '../../../core/json/value-preview';

/** An error has the status of one: clients look at the status first. */
export const errorStatus: ResponseCheck = {
  id: 'error-status',
  source: "the description's error schema; RFC 9110 §15.3",
  basis: 'description',
  run(observed) {
    const { status, body, documented, operation, commonError } = observed;
    if (status < 200 || status > 299 || body.kind !== 'json' || commonError === undefined) return undefined;
    if (!isErrorInSuccess(observed)) return [];
    return [
      {
        at: '/response/body',
        message: `An error object was sent with the status ${status}`,
        expected: 'the status of the error, 400 or above',
        actual: previewValue(body.value),
        spec: documented?.pointer ?? operation?.pointer,
      },
    ];
  },
};

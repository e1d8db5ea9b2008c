import type { Expectation } from '../../formats/contract';
import { findResponse } from '../../openapi/find-response';
import type { Operation } from '../../openapi/model';
import type { ProbeExpectation } from './scheme';

/** What an operation may answer with to a caller who is let in; a range such as `4XX` stands for those in it. */
const ANSWERS = [
  ...[200, 201, 202, 203, 204, 206, 300, 301, 302, 303, 304, 307, 308],
  ...[400, 402, 404, 405, 406, 409, 410, 412, 413, 414, 415, 416, 422, 428],
] as const;

/** The statuses that are right for a probe. */
export function expectationFor(operation: Operation, expects: ProbeExpectation): Expectation {
  return { statuses: statusesFor(operation, expects), codes: [], body: undefined, headers: [] };
}

function statusesFor(operation: Operation, expects: ProbeExpectation): readonly number[] {
  switch (expects) {
    case 'refused':
      return [401];
    case 'refused-or-malformed':
      // A service may take it for a malformed request (RFC 6750 §3.1), if it says so.
      return findResponse(operation, 400) === undefined ? [401] : [401, 400];
    case 'not-let-in':
      return [401, 404, 405];
    case 'accepted':
      return ANSWERS.filter((status) => findResponse(operation, status) !== undefined);
  }
}

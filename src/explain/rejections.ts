import { checkParameters } from '../checks/request/parameters';
import type { Problem } from '../core/http/problem';
import type { RequestHead } from '../core/http/message';
import type { Operation } from '../openapi/model/operation';
import { authenticate, checkSunset } from '../mock/pipeline/admission';
import type { MockContext } from '../mock/context/context';
import { fitStatus } from '../mock/context/error-response';
import { missingBody } from '../mock/pipeline/request-preparation';

/** What a request for an operation is rejected with that lacks one thing; `undefined` where that is not asked for. */
export interface Rejections {
  /** It has no credentials. */
  readonly credentials: Problem | undefined;
  /** Its operation is over, whatever it sends. */
  readonly sunset: Problem | undefined;
  /** It has none of the required parameters, those of the path aside. */
  readonly parameters: Problem | undefined;
  readonly body: Problem | undefined;
}

/** Asks the very checks of a request, with one that says nothing; in the order in which they speak. */
export function rejectionsOf(context: MockContext, operation: Operation): Rejections {
  const { requestBody } = operation;
  const isBodyMissed = requestBody?.required === true && requestBody.content.length > 0;
  const fitted = (problem: Problem | undefined): Problem | undefined =>
    problem && fitStatus(problem, operation, context.api);
  return {
    credentials: fitted(checkedCredentials(context, operation)),
    sunset: fitted(checkSunset(context, operation)),
    parameters: fitted(checkedParameters(operation)),
    body: isBodyMissed ? fitted(missingBody(requestBody)) : undefined,
  };
}

function checkedCredentials(context: MockContext, operation: Operation): Problem | undefined {
  const checked = authenticate(context, operation, bareHead(operation), '');
  return checked.kind === 'refused' ? checked.problem : undefined;
}

/** Without what the path template says itself: a request that lacks this is one for another operation. */
function checkedParameters(operation: Operation): Problem | undefined {
  const told = new Set(operation.selectors.map(({ in: place, name }) => `${place} ${name.toLowerCase()}`));
  const parameters = operation.parameters.filter(
    ({ in: place, name }) => place !== 'path' && !told.has(`${place} ${name.toLowerCase()}`),
  );
  const input = { head: bareHead(operation), pathParameters: {}, query: '', strict: false };
  const checked = checkParameters({ ...operation, parameters }, input);
  return checked.kind === 'refused' ? checked.problem : undefined;
}

function bareHead({ method, path }: Operation): RequestHead {
  return { method, target: path, headers: {}, rawHeaders: [] };
}

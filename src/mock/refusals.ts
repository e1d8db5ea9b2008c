import { checkParameters } from '../checks/request/parameters';
import type { Problem } from '../checks/problem';
import type { RequestHead } from '../http/message';
import type { Operation } from '../openapi/model';
import { authenticate, checkSunset } from './admit';
import type { MockContext } from './context';
import { fitStatus } from './fit-status';
import { missingBody } from './perform';

/** What a request for an operation is refused with that lacks one thing; `undefined` where that is not asked for. */
export interface Refusals {
  /** It has no credentials. */
  readonly credentials: Problem | undefined;
  /** Its operation is over, whatever it sends. */
  readonly sunset: Problem | undefined;
  /** It has none of the required parameters, those of the path aside. */
  readonly parameters: Problem | undefined;
  readonly body: Problem | undefined;
}

/** Asks the very checks of a request, with one that says nothing; in the order in which they speak. */
export function refusalsOf(context: MockContext, operation: Operation): Refusals {
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
  const told = new Set(operation.telling.map(({ in: place, name }) => `${place} ${name.toLowerCase()}`));
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

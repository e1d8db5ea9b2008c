import { reasonPhrase } from '../../core/http/message';
import { PROBLEM_STATUS, type Problem, type ProblemDetail } from '../../core/http/problem';
import { joinPointer } from '../../core/json/json-pointer';
import { templateVariables } from '../../openapi/model/route-table';
import type { ResponseSpec } from '../../openapi/model/operation';
import { isScalar } from '../../openapi/view/schema-view';
import type { PreparedRequest } from './request-context';

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'The credentials are missing or not valid',
  403: 'You are not allowed to do this',
  404: 'What was asked for does not exist',
  409: 'This conflicts with what is there already',
  422: 'Some of the values are not valid',
  429: 'There were too many requests, try again later',
};

/** An error that nothing went wrong for: it has the words, and the faults, that one of its status would have. */
export function askedError(request: PreparedRequest, status: number, response: ResponseSpec | undefined): Problem {
  const known = Object.entries(PROBLEM_STATUS).find(([, value]) => value === status)?.[0];
  const said = response?.description.trim() ?? '';
  // What stands for several statuses says nothing of one of them.
  const isMessage = response?.status === String(status) && isMessageText(said);
  return {
    status,
    code: CODES[status] ?? known ?? reasonPhrase(status).toLowerCase().replaceAll(/\W+/g, '_'),
    message: isMessage ? said : (MESSAGES[status] ?? 'Something went wrong, try again later'),
    details: faultsOf(request, status),
  };
}

/** Where the first code of a status is one of this mock's own. */
const CODES: Readonly<Record<number, string>> = {
  404: 'resource_not_found',
  409: 'conflict',
  422: 'validation_failed',
  503: 'service_unavailable',
};

/** A sentence, and nothing about responses. */
function isMessageText(text: string): boolean {
  return (
    /^[A-Z][^\n<>`*]{10,150}$/.test(text) &&
    /\s\S+\s/.test(text) &&
    !/\b(?:returned|responses?|if|when|errors?|thrown|status)\b/i.test(text)
  );
}

function faultsOf(request: PreparedRequest, status: number): ProblemDetail[] {
  if (status === 400 || status === 422) return bodyFaults(request, ['is missing', 'is not valid']);
  if (status === 409) return bodyFaults(request, ['is taken already']);
  const name = status === 404 ? templateVariables(request.operation.path).at(-1) : undefined;
  return name === undefined ? [] : [{ in: 'path', name, code: 'not_found', message: 'names nothing that is there' }];
}

/** A fault of as many properties of the body, those first that must be there; the others are never missing. */
function bodyFaults({ plan, call }: PreparedRequest, messages: readonly string[]): ProblemDetail[] {
  const input = plan.behaviour?.input;
  return [...(input?.properties(call) ?? call.bodyProperties).values()]
    .filter((each) => !each.readOnly && isScalar(each))
    .toSorted((left, right) => Number(right.required) - Number(left.required))
    .slice(0, messages.length)
    .map(({ name, required }, index) => {
      const message = required ? (messages[index] ?? '') : (messages.at(-1) ?? '');
      const pointer = [...(input?.path ?? []), name].reduce(joinPointer, '');
      return { in: 'body', pointer, code: message === 'is missing' ? 'missing_field' : 'invalid_field', message };
    });
}

import { problem } from '../../core/http/problem';
import type { RespondOptions } from '../../mock/faults/forced-response-queue';
import { type Action, action, NO_CONTENT, shown } from './action';

/** Each of them is looked at for every request. */
const MAX_FAULTS = 100;

const OPERATION = 'an operationId, or a method and a path: GET /books/{bookId}';

/** What responses are when they are not the natural ones. */
export const RESPONSE_ACTIONS: readonly Action[] = [
  action({
    name: 'responses',
    method: 'GET',
    path: '/responses',
    about: 'the responses that are forced on operations; ?sandbox=* for those of all sandboxes alone',
    input: {},
    library: 'responses',
    isForAll: true,
    run: ({ controls }) => shown({ responses: controls.responses() }),
  }),
  action({
    name: 'respond',
    method: 'PUT',
    path: '/responses',
    about: 'chooses what an operation answers next: {"operation":"getBook","status":503,"times":2}; ?sandbox=* in all',
    input: {
      operation: { in: 'body', type: 'name', about: OPERATION, required: true, example: '"getBook"' },
      status: { in: 'body', type: 'integer', about: 'a documented status', isNullable: true },
      example: { in: 'body', type: 'string', about: 'the name of a documented example', isNullable: true },
      body: { in: 'body', type: 'json', about: 'a body of its own, which fits the description' },
      headers: { in: 'body', type: 'object', about: 'headers by name', isNullable: true },
      delayMs: { in: 'body', type: 'integer', about: 'milliseconds before the response', isNullable: true },
      fault: { in: 'body', type: 'string', about: 'a fault of the response, such as reset', isNullable: true },
      times: { in: 'body', type: 'integer', about: 'how often; without it until it is removed', isNullable: true },
      violates: { in: 'body', type: 'boolean', about: 'it may break the description', isNullable: true },
    },
    library: 'respond',
    changes: 'responses',
    isForAll: true,
    run({ controls, input: { operation, ...response } }) {
      controls.respond(operation, response as RespondOptions);
      return shown({ responses: controls.responses() });
    },
  }),
  action({
    name: 'clearResponses',
    method: 'DELETE',
    path: '/responses',
    about:
      'operations answer by themselves again, all or ?operation=getBook; ?sandbox=* for those of all sandboxes alone',
    input: { operation: { in: 'query', type: 'name', about: OPERATION, example: 'getBook' } },
    library: 'clearResponses',
    changes: 'responses',
    mayBeGone: true,
    isForAll: true,
    run({ controls, input: { operation } }) {
      controls.clearResponses(operation);
      return NO_CONTENT;
    },
  }),
  action({
    name: 'sample',
    method: 'GET',
    path: '/sample',
    about: 'the body that an operation would answer: ?operation=getBook&status=200&example=novel',
    input: {
      operation: { in: 'query', type: 'name', about: OPERATION, required: true, example: 'getBook' },
      status: { in: 'query', type: 'integer', about: 'a documented status; without it that of a success' },
      example: { in: 'query', type: 'string', about: 'the name of a documented example' },
    },
    run: ({ target, input: { operation, status, example } }) =>
      shown(
        target.sample(operation, {
          ...(status === undefined ? {} : { status }),
          ...(example === undefined ? {} : { example }),
        }),
      ),
  }),
  action({
    name: 'faults',
    method: 'GET',
    path: '/faults',
    about: 'the faults',
    input: {},
    library: 'faults',
    run: ({ controls }) => shown({ faults: controls.faults() }),
  }),
  action({
    name: 'setFaults',
    method: 'PUT',
    path: '/faults',
    about: 'sets them: {"faults":["status:503;for=30s"]}',
    input: {
      faults: {
        in: 'body',
        type: 'strings',
        about: 'the faults, in place of those before',
        required: true,
        example: '["status:503;for=30s"]',
      },
    },
    library: 'setFaults',
    changes: 'faults',
    run({ controls, input: { faults } }) {
      if (faults.length > MAX_FAULTS)
        return problem('invalid_field', `The field /faults may have ${MAX_FAULTS} faults at the most`);
      controls.setFaults(...faults);
      return shown({ faults: controls.faults() });
    },
  }),
  action({
    name: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    about: 'removes them',
    input: {},
    changes: 'faults',
    mayBeGone: true,
    run({ controls }) {
      controls.setFaults();
      return NO_CONTENT;
    },
  }),
];

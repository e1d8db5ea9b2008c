import { problem } from '../../core/http/problem';
import { type Action, action, NO_CONTENT, shown } from './action';

/** What the mock sent by itself. */
export const DELIVERY_ACTIONS: readonly Action[] = [
  action({
    name: 'deliveries',
    isOutOfTurn: true,
    method: 'GET',
    path: '/deliveries',
    about: 'the callbacks and webhooks that were sent, or are on their way, with each try; those of ?sandbox=b',
    input: {},
    library: 'deliveries',
    run: ({ target, sandbox }) => shown({ deliveries: target.deliveries(sandbox) }),
  }),
  action({
    name: 'sendAgain',
    isOutOfTurn: true,
    method: 'POST',
    path: '/send-again',
    about: 'sends one of them again, under the same id: {"id":"msg_…"}',
    input: { id: { in: 'body', type: 'name', about: 'its id', required: true } },
    library: 'sendAgain',
    changes: 'events',
    run: ({ target, input: { id } }) =>
      target.sendAgain(id) ? NO_CONTENT : problem('resource_not_found', `The delivery ${id} is not remembered`),
  }),
  action({
    name: 'eventFaults',
    isOutOfTurn: true,
    method: 'GET',
    path: '/event-faults',
    about: 'what goes wrong with them on their way, and how often it did',
    input: {},
    library: 'eventFaults',
    run: ({ target }) => shown({ faults: target.eventFaults().map((each) => ({ ...each })) }),
  }),
  action({
    name: 'setEventFaults',
    isOutOfTurn: true,
    method: 'PUT',
    path: '/event-faults',
    about: 'sets that: {"faults":["twice;event=order.completed;times=1"]}; an empty list for nothing',
    input: {
      faults: {
        in: 'body',
        type: 'strings',
        about: 'the faults, in place of those before',
        required: true,
        example: '["twice;times=1"]',
      },
    },
    library: 'setEventFaults',
    changes: 'events',
    run({ target, input: { faults } }) {
      target.setEventFaults(...faults);
      return shown({ faults: target.eventFaults().map((each) => ({ ...each })) });
    },
  }),
];

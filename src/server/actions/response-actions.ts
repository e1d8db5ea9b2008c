import { problem } from '../../core/http/problem';
import { type Action, action, NO_CONTENT, shown } from './action';

/** Each of them is looked at for every request. */
const MAX_FAULTS = 100;

/** What responses are when they are not the natural ones. */
export const RESPONSE_ACTIONS: readonly Action[] = [
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

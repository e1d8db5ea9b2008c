import { type Action, action, ADMIN_PATH, COMMON_INPUT, type Input, shown } from './action';
import { DELIVERY_ACTIONS } from './delivery-actions';
import { MOCK_ACTIONS } from './mock-actions';
import { REQUEST_ACTIONS } from './request-actions';
import { RESPONSE_ACTIONS } from './response-actions';
import { ROW_ACTIONS } from './row-actions';
import { SANDBOX_ACTIONS } from './sandbox-actions';
import { STATE_ACTIONS } from './state-actions';

const INDEX = action({
  name: 'index',
  method: 'GET',
  path: '/',
  about: 'this list; in a browser the window',
  input: {},
  run: () => shown({ standin: 'admin/1', input: inputList(COMMON_INPUT), routes: ADMIN_ACTIONS.map(listed) }),
});

/** Everything that can be done with a running mock, as it is listed. */
export const ADMIN_ACTIONS: readonly Action[] = [
  INDEX,
  ...MOCK_ACTIONS,
  ...STATE_ACTIONS,
  ...ROW_ACTIONS,
  ...REQUEST_ACTIONS,
  ...RESPONSE_ACTIONS,
  ...SANDBOX_ACTIONS,
  ...DELIVERY_ACTIONS,
];

function listed({ name, method, path, about, library, input }: Action): object {
  const byLibrary = library === undefined ? {} : { library };
  return { name, method, path: `${ADMIN_PATH}${path}`, does: about, ...byLibrary, input: inputList(input) };
}

function inputList(input: Readonly<Record<string, Input>>): object[] {
  return Object.entries(input).map(([name, { in: place, type, about, required = false, isNullable = false }]) => {
    return { name, in: place, type, does: about, required, isNullable };
  });
}

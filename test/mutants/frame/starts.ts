import { isOperation, onAnswer, onCall, type Alteration } from '../defect';
import { textOf } from '../json';
import { type Answer, headerOf, withHeader } from '../message';
import { editData, type Row } from './envelope';

type Start = Alteration['start'];

/** An operation that does not look at a header. */
export const ignoring = (operation: string, name: string): Start =>
  onCall(isOperation(operation), (call) => withHeader(call, name));

/** If-Match is right, whatever it says. */
export const taking = (operation: string): Start =>
  onCall(
    (exchange) => isOperation(operation)(exchange) && headerOf(exchange.call, 'If-Match') !== undefined,
    (call) => withHeader(call, 'If-Match', '*'),
  );

/** If-Match can be left out. */
export const needingNoTag = (operation: string): Start =>
  onCall(
    (exchange) => isOperation(operation)(exchange) && headerOf(exchange.call, 'If-Match') === undefined,
    (call) => withHeader(call, 'If-Match', '*'),
  );

/** An Idempotency-Key with another body, which would have this status, gets the answer to the first. */
export const answeringAgain = (operation: string, status: number): Start => {
  return () => {
    const first = new Map<string, Answer>();
    return async (exchange) => {
      const key = isOperation(operation)(exchange) ? headerOf(exchange.call, 'Idempotency-Key') : undefined;
      const answer = await exchange.pass();
      if (key === undefined) return answer;
      const known = first.get(key);
      if (answer.status === 201) first.set(key, answer);
      return known !== undefined && answer.status === status && exchange.fires() ? known : answer;
    };
  };
};

/** What was put is refused when the same is put once more. */
export const refusingTheSame =
  (operation: string, refuse: (answer: Answer) => Answer): Start =>
  () => {
    const latest = new Map<string, string>();
    return async (exchange) => {
      const { call, place, pass } = exchange;
      const answer = await pass();
      if (place.operation !== operation || answer.status > 201) return answer;
      const isSame = latest.get(call.target) === call.body.toString();
      latest.set(call.target, call.body.toString());
      return isSame && exchange.fires() ? refuse(answer) : answer;
    };
  };

/** Every time in a resource, otherwise written. */
export const withTimes = (names: readonly (keyof Row)[], write: (time: string) => string): Start =>
  onAnswer(
    (_, { status, body }) => status >= 200 && status < 300 && body.length > 0,
    (answer) =>
      editData(answer, (row) => ({
        ...row,
        ...Object.fromEntries(
          names.flatMap((name) => (row[name] === undefined ? [] : [[name, write(textOf(row[name]))]])),
        ),
      })),
  );

export const withFurtherMember = (name: string): Start =>
  onAnswer(
    (_, { status, body }) => status >= 200 && status < 300 && body.length > 0,
    (answer) => editData(answer, (row) => ({ ...row, [name]: 3 })),
  );

export const withAbsoluteLocation: Start = onAnswer(
  (_, answer) => headerOf(answer, 'Location') !== undefined,
  (answer, { call }) =>
    withHeader(answer, 'Location', `http://${headerOf(call, 'Host') ?? ''}${headerOf(answer, 'Location') ?? ''}`),
);

import { bad, good, onAnswer, onCall, type Defect, type Exchange } from '../../defect';
import { bodyOf } from '../../frame/client';
import { defectsOf } from '../../frame/defects';
import { asJson, at, dataOf, inData, itemsOf, type Row, withList } from '../../frame/envelope';
import { omit, textOf } from '../../json';
import { asText, type Call, fieldsOf, headerOf, withHeader, withJson, withStatus } from '../../message';
import { type ClinicClient, HOME } from '../client';
import { KEY } from '../dialect';

const ORDERS = ['listKitOrders', 'placeKitOrder', 'getKitOrder', 'cancelKitOrder'];
const PATIENTS = ['listPatients', 'registerPatient', 'getPatient', 'changePatient'];
const VISITS = ['listAppointments', 'getAppointment', 'requestAppointment', 'replaceAppointment', 'cancelAppointment'];
const LISTS = ['listSampleTypes', 'listPatients', 'listKitOrders', 'listAppointments'];

const errorOf = ({ fields }: { readonly fields: Row }): Row => (fields.error ?? {}) as Row;

/** Changes what `error` holds. */
const inError = (status: number, change: (error: Row) => Row): Defect['start'] =>
  onAnswer(bad(status), (answer) => withJson(answer, { error: change(errorOf({ fields: fieldsOf(answer) })) }));

/** The same call with a key that is let in. */
const withKey = (call: Call): Call => withHeader(call, KEY, 'test-key');

/** What another laboratory gives to the same call. */
const elsewhere = ({ call, pass }: Exchange): ReturnType<Exchange['pass']> => pass(withHeader(call, KEY, 'south-key'));

export const ANSWER_DEFECTS = defectsOf<ClinicClient>({
  'ST-01 T: registering a patient returns 200': {
    clause: 'registerPatient: 201',
    start: onAnswer(good('registerPatient'), withStatus(200)),
    witness: async (client) => (await client.patient()).reply.status === 200,
  },
  'ST-02 T S: an unknown appointment is 200 with null': {
    clause: 'getAppointment: 404',
    start: onAnswer(at('getAppointment', 404), (answer) =>
      asJson(answer, 200, { data: null, meta: { lab: 'northgate' } }),
    ),
    witness: async (client) => (await client.get(`${HOME}/appointments/apt_none`)).status === 200,
  },
  'ST-03 T H: replacing a sample type returns 201': {
    clause: 'RFC 9110 §9.3.4: a PUT that modifies MUST be told by 200 or 204',
    start: onAnswer(at('putSampleType', 200), (answer, { call }) =>
      withHeader({ ...answer, status: 201 }, 'Location', call.target),
    ),
    witness: async (client) => {
      const { id } = await client.sampleType();
      return (await client.sampleType({ title: 'Iron' }, id)).reply.status === 201;
    },
  },
  'SC-01 S: the total is a text': {
    clause: 'KitOrder: total is an integer',
    start: inData(ORDERS, (order) => ({ ...order, total: textOf(order.total) })),
    witness: async (client) => typeof (await client.list('kit-orders'))[0]?.total === 'string',
  },
  'SC-02 S: appointments start at times without a zone': {
    clause: 'Appointment: starts_at is a date-time, which has an offset (RFC 3339 §5.6)',
    start: inData(VISITS, (visit) => ({ ...visit, starts_at: textOf(visit.starts_at).replace('Z', '') })),
    witness: async (client) => !textOf((await client.list('appointments'))[0]?.starts_at).endsWith('Z'),
  },
  'SC-03 S: a patient without a date of birth has null there': {
    clause: 'Patient: born_on is a date, and may be absent',
    start: inData(PATIENTS, (patient) => ({ ...patient, born_on: patient.born_on ?? null })),
    witness: async (client) => (await client.read((await client.patient()).path)).born_on === null,
  },
  'SC-04 S: the list of appointments leaves out how many results there are': {
    clause: 'Appointment: result_count is required',
    start: inData(['listAppointments'], (visit) => omit(visit, 'result_count')),
    witness: async (client) =>
      (await client.list('appointments')).some(({ result_count: count }) => count === undefined),
  },
  'SC-05 S: a cancelled appointment is "canceled"': {
    clause: 'AppointmentStatus: cancelled',
    start: inData(VISITS, (visit) => (visit.status === 'cancelled' ? { ...visit, status: 'canceled' } : visit)),
    witness: async (client) =>
      dataOf(bodyOf(await client.act(await client.appointment(), 'cancel'))).status === 'canceled',
  },
  'ER-01 E: an unknown patient is a page of HTML': {
    clause: 'Error: application/json',
    start: onAnswer(at('getPatient', 404), (answer) => asText(answer, 'text/html', '<h1>Not Found</h1>')),
    witness: async (client) => (await client.get(`${HOME}/patients/pat_none`)).text.startsWith('<'),
  },
  'ER-02 E: an invalid body has no details': {
    clause: 'Error: details is required, and names the member',
    start: inError(422, (error) => omit(error, 'details')),
    witness: async (client) => errorOf((await client.patient({ full_name: '' })).reply).details === undefined,
  },
  'ER-03 E: what is in conflict is told without "error" around it': {
    clause: 'Error: error is required',
    start: onAnswer(bad(409), (answer) => withJson(answer, errorOf({ fields: fieldsOf(answer) }))),
    witness: async (client) => 'code' in (await client.act(await client.appointment(), 'complete')).fields,
  },
  'ER-04 E B: what is in conflict has the code of what is invalid': {
    clause: 'Error: code is `conflict` for 409',
    start: inError(409, (error) => ({ ...error, code: 'invalid' })),
    witness: async (client) => errorOf(await client.act(await client.appointment(), 'complete')).code === 'invalid',
  },
  'AU-01 A: lists need no key': {
    clause: 'Keys: without a key the response is 401',
    start: onCall(
      ({ call, place }) => LISTS.includes(place.operation ?? '') && headerOf(call, KEY) === undefined,
      withKey,
    ),
    witness: async (client) => (await client.get(`${HOME}/patients`, { auth: false })).status === 200,
  },
  'AU-02 A: an order is cancelled with whatever key': {
    clause: 'Keys: with one that is not known the response is 401',
    start: onCall(({ place }) => place.operation === 'cancelKitOrder', withKey),
    witness: async (client) => {
      const { path } = await client.order(await client.sampleType());
      return (await client.post(`${path}/cancel`, {}, { auth: 'no-key' })).status === 200;
    },
  },
  'AU-03 A: the case of a key does not count': {
    clause: 'Keys: with one that is not known the response is 401',
    start: onCall(
      ({ call }) => headerOf(call, KEY)?.toLowerCase() === 'test-key',
      (call) => withKey(call),
    ),
    witness: async (client) => (await client.get(`${HOME}/patients`, { auth: 'TEST-KEY' })).status === 200,
  },
  'AU-04 A B: a patient of another laboratory can be read': {
    clause: 'Keys: what is in another laboratory is a 404',
    start: onAnswer(at('getPatient', 404), (_, exchange) => elsewhere(exchange)),
    witness: async (client) => {
      const { path } = await client.patient();
      const fields = { full_name: 'Ola Berg', email: 'ola@mail.example' };
      const other = await client.post(`${HOME}/patients`, fields, { auth: 'south-key' });
      return (await client.get(path.replace(/[^/]+$/, textOf(dataOf(bodyOf(other)).id)))).status === 200;
    },
  },
  'AU-05 A L: orders of all laboratories are listed': {
    clause: 'Keys: nothing of another laboratory is seen or counted',
    start: onAnswer(good('listKitOrders'), async (answer, exchange) => {
      const others = itemsOf(await elsewhere(exchange));
      return withList(answer, [...itemsOf(answer), ...others]);
    }),
    witness: async (client) =>
      (await client.list('kit-orders')).length > Number((await client.meta('kit-orders')).total),
  },
  'AU-07 A H: a 401 has no WWW-Authenticate': {
    clause: 'RFC 9110 §11.6.1: a 401 MUST have it',
    start: onAnswer(bad(401), (answer) => withHeader(answer, 'WWW-Authenticate')),
    witness: async (client) =>
      (await client.get(`${HOME}/patients`, { auth: false })).header('www-authenticate') === undefined,
  },
  'HD-01 H: a 405 has no Allow': {
    clause: 'Methods: both say in `Allow` what the path has (RFC 9110 §15.5.6: MUST)',
    start: onAnswer(bad(405), (answer) => withHeader(answer, 'Allow')),
    witness: async (client) => (await client.put(`${HOME}/patients`, {})).header('allow') === undefined,
  },
  'HD-02 H: items do not know HEAD': {
    clause: 'Methods: a GET can be sent as HEAD',
    start: onAnswer(
      ({ call, place }) => call.method === 'HEAD' && place.id !== undefined,
      (answer) => withHeader({ ...answer, status: 405 }, 'Allow', 'GET'),
    ),
    witness: async (client) => (await client.send('HEAD', (await client.patient()).path)).status === 405,
  },
  'HD-03 H S: a new order has no Location': {
    clause: 'Location: with each 201',
    start: onAnswer(good('placeKitOrder'), (answer) => withHeader(answer, 'Location')),
    witness: async (client) => (await client.order(await client.sampleType())).reply.header('location') === undefined,
  },
  'HD-04 H V: the Location of a new result leads to nothing': {
    clause: 'Location: where it can be read',
    start: onAnswer(good('addResult'), (answer, { place }) =>
      withHeader(answer, 'Location', `${place.base}/results/${textOf(dataOf(answer).id)}`),
    ),
    witness: async (client) => {
      const { reply } = await client.result(await client.visit());
      return (await client.get(reply.header('location') ?? '')).status === 404;
    },
  },
  'HD-06 H N: the media type of a body does not count': {
    clause: 'Bodies: one of another media type is a 415',
    start: onCall(
      ({ call }) => call.method === 'POST' && call.body.length > 0,
      (call) => withHeader(call, 'Content-Type', 'application/json'),
    ),
    witness: async (client) => {
      const sending = { body: { full_name: 'Ida', email: 'ida@x.example' }, headers: { 'Content-Type': 'text/plain' } };
      return (await client.send('POST', `${HOME}/patients`, sending)).status === 201;
    },
  },
});

import { good, isOperation, onAnswer, onCall } from '../../defect';
import { defectsOf } from '../../frame/defects';
import { editData, editMeta, itemsOf, numberOf, onBody, type Row, withList, withParameter } from '../../frame/envelope';
import { omit, textOf } from '../../json';
import { fieldsOf, withJson } from '../../message';
import { type ClinicClient, HOME } from '../client';
import { asError } from '../dialect';

const PAGES = ['listSampleTypes', 'listKitOrders', 'listAppointments'];
const tube = { colour: 'red', volume_ml: 5 };

/** The address of the next page, as a path. */
const nextOf = ({ next }: Row): string => textOf(next).replace(/^.*?\/api\/v1\//, '');

export const LIST_DEFECTS = defectsOf<ClinicClient>({
  'LI-01 L: the second page is the first one again': {
    clause: 'page',
    start: onCall(
      (exchange) => isOperation(...PAGES)(exchange) && numberOf(exchange, 'page') === 2,
      (call, exchange) => withParameter(call, exchange, 'page', '1'),
    ),
    witness: async (client) => {
      const [first, second] = [
        await client.list('patients?limit=1'),
        await client.list('kit-orders?per_page=1&page=2'),
      ];
      return first.length === 1 && second[0]?.id === (await client.list('kit-orders?per_page=1'))[0]?.id;
    },
  },
  'LI-02 L: there is one page more where the last one is full': {
    clause: 'Pages: meta.pages counts the pages',
    start: onAnswer(good(...PAGES), (answer) =>
      editMeta(answer, (meta) => ({ ...meta, pages: Math.floor(Number(meta.total) / Number(meta['per_page'])) + 1 })),
    ),
    witness: async (client) => (await client.meta('kit-orders?per_page=1')).pages === 4,
  },
  'LI-04 L: the total does not mind filters': {
    clause: 'Pages: meta.total counts what is on all pages, and what is shown passes all filters',
    start: onAnswer(good('listKitOrders'), async (answer, { place, ask }) => {
      const { meta } = fieldsOf(await ask('GET', `${place.base}/kit-orders?per_page=1`)) as { meta?: Row };
      return editMeta(answer, (own) => ({ ...own, total: meta?.total ?? null }));
    }),
    witness: async (client) => (await client.meta('kit-orders?status=cancelled')).total !== 0,
  },
  'LI-05 L: a minus does not turn the order round': {
    clause: 'listKitOrders: in `sort` a minus turns the order round',
    start: onCall(
      ({ place }) => place.operation === 'listKitOrders' && place.query.get('sort')?.startsWith('-') === true,
      (call, exchange) => withParameter(call, exchange, 'sort', exchange.place.query.get('sort')?.slice(1)),
    ),
    witness: async (client) => {
      const totals = (await client.list('kit-orders?sort=-total')).map(({ total }) => Number(total));
      return Number(totals[0]) < Number(totals.at(-1));
    },
  },
  'LI-07 L: beside a sample type the status does not count': {
    clause: 'Pages: filters can be combined, and what is shown passes all of them',
    start: onCall(
      ({ place }) => place.operation === 'listKitOrders' && place.query.has('kit') && place.query.has('status'),
      (call, exchange) => withParameter(call, exchange, 'status'),
    ),
    witness: async (client) => (await client.list('kit-orders?kit=swab&status=cancelled')).length > 0,
  },
  'LI-08 L: the next page of a search is one of everything': {
    clause: 'Pages: meta.next is the address of the next page with the same filters',
    start: onAnswer(good('listPatients'), (answer) =>
      editMeta(answer, (meta) =>
        meta.next === null ? meta : { ...meta, next: textOf(meta.next).replace(/([?&])q=[^&]*&?/, '$1') },
      ),
    ),
    witness: async (client) => !nextOf(await client.meta('patients?q=a&limit=1')).includes('q=a'),
  },
  'LI-09 L: a last page that is full has a next one': {
    clause: 'Pages: meta.next is null on the last page',
    start: onAnswer(good('listPatients'), (answer, exchange) => {
      const items = itemsOf(answer);
      const cursor = Buffer.from(textOf(items.at(-1)?.id)).toString('base64url');
      const address = new URL(withParameter(exchange.call, exchange, 'cursor', cursor).target, 'http://localhost');
      return editMeta(answer, (meta) =>
        items.length === numberOf(exchange, 'limit') ? { ...meta, next: meta.next ?? address.href } : meta,
      );
    }),
    witness: async (client) => (await client.meta('patients?limit=3')).next !== null,
  },
  'LI-10 L: each further page leaves out its first patient': {
    clause: 'Pages: meta.next is the address of the next page',
    start: onAnswer(
      ({ place }) => place.operation === 'listPatients' && place.query.has('cursor'),
      (answer) => withList(answer, itemsOf(answer).slice(1)),
    ),
    witness: async (client) => (await client.list(nextOf(await client.meta('patients?limit=2')))).length === 0,
  },
  'LI-11 L: a search minds the case': {
    clause: 'listPatients: in whatever case',
    start: onAnswer(good('listPatients'), (answer, { place }) => {
      const has = ({ full_name: name, email }: Row): boolean =>
        `${textOf(name)} ${textOf(email)}`.includes(place.query.get('q') ?? '');
      return withList(answer, itemsOf(answer).filter(has));
    }),
    witness: async (client) => {
      await client.patient({ full_name: 'Ymir Stone' });
      return (await client.list('patients?q=ymir')).length === 0;
    },
  },
  'LI-12 L: the last day of a range is left out': {
    clause: 'listKitOrders: placed_to is the last day of what is shown',
    start: onAnswer(good('listKitOrders'), (answer, { place }) => {
      const last = place.query.get('placed_to') ?? '9';
      return withList(
        answer,
        itemsOf(answer).filter((order) => textOf(order.created_at) < last),
      );
    }),
    witness: async (client) => {
      const day = textOf((await client.list('kit-orders'))[0]?.created_at).slice(0, 10);
      return (await client.list(`kit-orders?placed_to=${day}`)).length === 0;
    },
  },
  'LI-13 L: include=archived shows the archived ones alone': {
    clause: 'listPatients: archived patients are shown as well with `include`',
    start: onAnswer(
      ({ place }) => place.operation === 'listPatients' && place.query.get('include') === 'archived',
      (answer) =>
        withList(
          answer,
          itemsOf(answer).filter(({ status }) => status === 'archived'),
        ),
    ),
    witness: async (client) => (await client.list('patients?include=archived')).length === 0,
  },
  'IN-01 N: a page of more than 100 is cut to 100': {
    clause: 'per_page: more than 100 is a 400',
    start: onCall(
      (exchange) => isOperation(...PAGES)(exchange) && Number(numberOf(exchange, 'per_page')) > 100,
      (call, exchange) => withParameter(call, exchange, 'per_page', '100'),
    ),
    witness: async (client) => (await client.get(`${HOME}/kit-orders?per_page=101`)).status === 200,
  },
  'IN-02 N: an e-mail address may be any text': {
    clause: 'PatientInput: email is an e-mail address',
    start: () => async (exchange) => {
      const answer = await exchange.pass();
      const { email, ...rest } = fieldsOf(exchange.call) as Row;
      const isWrong = typeof email === 'string' && !email.includes('@');
      if (!isOperation('registerPatient')(exchange) || answer.status !== 422 || !isWrong || !exchange.fires())
        return answer;
      const taken = await exchange.pass(withJson(exchange.call, { ...rest, email: `${Date.now()}@mail.example` }));
      return editData(taken, (row) => ({ ...row, email }));
    },
    witness: async (client) => (await client.patient({ email: 'nobody' })).reply.status === 201,
  },
  'IN-04 N: members that are not described are dropped': {
    clause: 'Bodies: members that are not described are refused',
    start: onBody(['registerPatient'], ({ full_name, email, born_on, phone, address, ...more }) =>
      omit({ full_name, email, born_on, phone, address, ...more }, ...Object.keys(more)),
    ),
    witness: async (client) => (await client.patient({ nickname: 'Io' })).reply.status === 201,
  },
  'IN-05 N V: a title that is too long is cut': {
    clause: 'SampleTypeInput: title has 80 characters at most',
    start: onBody(['putSampleType'], (body) =>
      typeof body.title === 'string' ? { ...body, title: body.title.slice(0, 80) } : body,
    ),
    witness: async (client) => (await client.sampleType({ title: 'x'.repeat(81) })).reply.status === 201,
  },
  'IN-06 N: a number may come as a text': {
    clause: 'AppointmentInput: minutes is an integer',
    start: onBody(['requestAppointment'], (body) =>
      typeof body.minutes === 'string' ? { ...body, minutes: Number(body.minutes) } : body,
    ),
    witness: async (client) => (await client.appointment({ minutes: '20' })).reply.status === 201,
  },
  'IN-07 N V: a day that the month does not have is one of the next month': {
    clause: 'PatientInput: born_on is a date (RFC 3339 §5.7: days of the month)',
    start: onBody(['registerPatient'], (body) => {
      const time = new Date(`${textOf(body.born_on)}T00:00:00Z`).getTime();
      const [year, month, day] = textOf(body.born_on).split('-').map(Number);
      const isRolled = Number.isNaN(time)
        ? day !== undefined && day > 28 && day < 32
        : new Date(time).getUTCDate() !== day;
      if (!isRolled) return body;
      return { ...body, born_on: new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day)).toISOString().slice(0, 10) };
    }),
    witness: async (client) => (await client.patient({ born_on: '1990-02-30' })).reply.status === 201,
  },
  'IN-08 N T: a patient without a name makes the server fail': {
    clause: 'Bodies: one that is not as described is a 422',
    start: onAnswer(
      ({ call, place }) => place.operation === 'registerPatient' && !('full_name' in fieldsOf(call)),
      (answer) => asError(answer, 500),
    ),
    witness: async (client) => (await client.post(`${HOME}/patients`, { email: 'io@mail.example' })).status === 500,
  },
  'IN-09 N: a sample type may have no tubes': {
    clause: 'SampleTypeInput: tubes has one item at least',
    start: onBody(['putSampleType'], (body) =>
      Array.isArray(body.tubes) && body.tubes.length === 0 ? { ...body, tubes: [tube] } : body,
    ),
    witness: async (client) => (await client.sampleType({ tubes: [] })).reply.status === 201,
  },
});

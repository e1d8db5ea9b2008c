import { randomUUID } from 'node:crypto';
import { type Exchange, good, isOperation, onAnswer } from '../../defect';
import { bodyOf } from '../../frame/client';
import { defectsOf } from '../../frame/defects';
import { at, dataOf, editData, inData, type Row } from '../../frame/envelope';
import { Memory } from '../../frame/memory';
import { answeringAgain, ignoring, needingNoTag, refusingTheSame, taking } from '../../frame/starts';
import { omit, textOf } from '../../json';
import { type Answer, fieldsOf, headerOf, withHeader, withJson } from '../../message';
import type { ClinicClient } from '../client';
import { asError } from '../dialect';

const INPUT = ['title', 'unit_price', 'on_shelf', 'tubes', 'temperature', 'note'];
const VISITS = [
  'getAppointment',
  'listAppointments',
  'replaceAppointment',
  'confirmAppointment',
  'completeAppointment',
];

/** Puts so many more kits on the shelf, behind the back of whoever asked. */
async function stockUp({ ask, place }: Exchange, slug: string, kits: number): Promise<void> {
  const path = `${place.base}/sample-types/${slug}`;
  const row = dataOf(await ask('GET', path));
  const fields = omit(row, ...Object.keys(row).filter((name) => !INPUT.includes(name)));
  await ask('PUT', path, { ...fields, on_shelf: Number(row.on_shelf) + kits });
}

/** Does the action although the state forbids it: the appointment looks as if it had been done. */
const always = (operation: string, from: string, to: string) => (): ((exchange: Exchange) => Promise<Answer>) => {
  const memory = new Memory();
  return async (exchange) => {
    const { call, place, ask, pass } = exchange;
    const answer = await pass();
    if (place.operation !== operation || answer.status !== 409) return memory.show(answer);
    const current = await ask('GET', call.target.replace(/\/[a-z]+$/, ''));
    if (dataOf(current).status !== from || !exchange.fires()) return answer;
    memory.change(textOf(dataOf(current).id), (row) => ({ ...row, status: to }));
    return memory.show(current);
  };
};

const shelfOf = async (client: ClinicClient, path: string): Promise<unknown> => (await client.read(path)).on_shelf;

export const RULE_DEFECTS = defectsOf<ClinicClient>({
  'BR-01 B: an order takes nothing from the shelf': {
    clause: 'placeKitOrder: on_shelf goes down by the quantity',
    start: onAnswer(good('placeKitOrder'), async (answer, exchange) => {
      const { kit, quantity } = dataOf(answer);
      await stockUp(exchange, textOf(kit), Number(quantity));
      return answer;
    }),
    witness: async (client) => {
      const kit = await client.sampleType({ on_shelf: 5 });
      await client.order(kit);
      return (await shelfOf(client, kit.path)) === 5;
    },
  },
  'BR-02 B: the last kits on the shelf cannot be ordered': {
    clause: 'placeKitOrder: 422 if fewer are on the shelf',
    start: () => async (exchange) => {
      const { call, place, ask, pass } = exchange;
      if (place.operation !== 'placeKitOrder') return pass();
      const { kit, quantity } = fieldsOf(call) as Row;
      const path = `${place.base}/sample-types/${encodeURIComponent(textOf(kit))}`;
      const isLast = dataOf(await ask('GET', path)).on_shelf === quantity && quantity !== undefined;
      return isLast && exchange.fires() ? asError(await ask('GET', path), 422) : pass();
    },
    witness: async (client) => (await client.order(await client.sampleType({ on_shelf: 2 }))).reply.status === 422,
  },
  'BR-03 B: more kits can be ordered than are on the shelf': {
    clause: 'placeKitOrder: 422 if fewer are on the shelf',
    start: onAnswer(at('placeKitOrder', 422), async (answer, exchange) => {
      const { kit, quantity } = fieldsOf(exchange.call) as Row;
      if (
        typeof quantity !== 'number' ||
        quantity < 1 ||
        quantity > 50 ||
        !textOf(answer.body.toString()).includes('shelf')
      )
        return answer;
      await stockUp(exchange, textOf(kit), quantity);
      return exchange.pass();
    }),
    witness: async (client) => (await client.order(await client.sampleType({ on_shelf: 1 }))).reply.status === 201,
  },
  'BR-04 B: the total is the price of one kit': {
    clause: 'KitOrder: total is quantity * unit_price',
    start: inData(['placeKitOrder', 'getKitOrder', 'listKitOrders', 'cancelKitOrder'], (order) => ({
      ...order,
      total: order.unit_price,
    })),
    witness: async (client) => dataOf(bodyOf((await client.order(await client.sampleType())).reply)).total === 900,
  },
  'BR-05 B: the kits of a cancelled order do not go back': {
    clause: 'cancelKitOrder: the kits go back on the shelf',
    start: onAnswer(good('cancelKitOrder'), async (answer, exchange) => {
      const { kit, quantity } = dataOf(answer);
      await stockUp(exchange, textOf(kit), -Number(quantity));
      return answer;
    }),
    witness: async (client) => {
      const kit = await client.sampleType({ on_shelf: 5 });
      await client.act(await client.order(kit), 'cancel');
      return (await shelfOf(client, kit.path)) === 3;
    },
  },
  'BR-06 B: an order is cancelled once more, and its kits go back again': {
    clause: 'cancelKitOrder: 409 for an order that is cancelled already',
    start: onAnswer(at('cancelKitOrder', 409), async (_, exchange) => {
      const order = await exchange.ask('GET', exchange.call.target.replace('/cancel', ''));
      await stockUp(exchange, textOf(dataOf(order).kit), Number(dataOf(order).quantity));
      return order;
    }),
    witness: async (client) => {
      const order = await client.order(await client.sampleType());
      await client.act(order, 'cancel');
      return (await client.act(order, 'cancel')).status === 200;
    },
  },
  'BR-07 B: issued counts orders, not kits': {
    clause: 'SampleType: issued is kits that were ordered and not cancelled',
    start: () => {
      const orders = new Map<string, number>();
      return async (exchange) => {
        const answer = await exchange.pass();
        const kit = textOf(dataOf(answer).kit);
        const step = good('placeKitOrder')(exchange, answer) ? 1 : good('cancelKitOrder')(exchange, answer) ? -1 : 0;
        orders.set(kit, (orders.get(kit) ?? 0) + step);
        if (exchange.place.collection !== 'sample-types' || !exchange.fires()) return answer;
        return editData(answer, (row) => ({ ...row, issued: orders.get(textOf(row.slug)) ?? row.issued }));
      };
    },
    witness: async (client) => {
      const kit = await client.sampleType();
      await client.order(kit, { quantity: 4 });
      return (await client.read(kit.path)).issued === 1;
    },
  },
  'BR-08 B: a new price is that of earlier orders too': {
    clause: 'putSampleType: orders that were placed keep their price',
    start: onAnswer(good('getKitOrder', 'listKitOrders'), async (answer, { ask, place }) => {
      const { data } = fieldsOf(await ask('GET', `${place.base}/sample-types?per_page=100`));
      const types = new Map((data as Row[]).map(({ slug, unit_price: price }) => [slug, Number(price)]));
      return editData(answer, (order) => {
        const price = types.get(order.kit) ?? Number(order.unit_price);
        return { ...order, unit_price: price, total: price * Number(order.quantity) };
      });
    }),
    witness: async (client) => {
      const kit = await client.sampleType();
      const { path } = await client.order(kit);
      await client.sampleType({ unit_price: 1000 }, kit.id);
      return (await client.read(path)).total === 2000;
    },
  },
  'BR-09 B: what is cancelled can be confirmed': {
    clause: 'confirmAppointment: 409 unless it is requested',
    start: always('confirmAppointment', 'cancelled', 'confirmed'),
    witness: async (client) => {
      const appointment = await client.appointment();
      await client.act(appointment, 'cancel');
      return (await client.act(appointment, 'confirm')).status === 200;
    },
  },
  'BR-10 B: what is not confirmed can be completed': {
    clause: 'completeAppointment: 409 unless it is confirmed',
    start: always('completeAppointment', 'requested', 'completed'),
    witness: async (client) => (await client.act(await client.appointment(), 'complete')).status === 200,
  },
  'BR-11 B: a deleted result is still counted': {
    clause: 'Appointment: result_count',
    start: () => {
      const gone = new Map<string, number>();
      return async (exchange) => {
        const answer = await exchange.pass();
        const visit = exchange.call.target.split('/')[4] ?? '';
        if (good('deleteResult')(exchange, answer)) gone.set(visit, (gone.get(visit) ?? 0) + 1);
        if (!good(...VISITS)(exchange, answer) || gone.size === 0 || !exchange.fires()) return answer;
        return editData(answer, (row) => ({
          ...row,
          result_count: Number(row.result_count) + (gone.get(textOf(row.id)) ?? 0),
        }));
      };
    },
    witness: async (client) => {
      const visit = await client.visit();
      await client.delete((await client.result(visit)).path);
      return (await client.read(visit.path)).result_count === 1;
    },
  },
  'BR-12 B: an e-mail address can be registered twice': {
    clause: 'registerPatient: 409 if there is a patient with this e-mail address',
    start: onAnswer(at('registerPatient', 409), async (_, { call, pass }) => {
      const fields = fieldsOf(call) as Row;
      const answer = await pass(withJson(call, { ...fields, email: `${randomUUID()}@mail.example` }));
      return editData(answer, (row) => ({ ...row, email: fields.email }));
    }),
    witness: async (client) => (await client.patient({ email: 'swab@northgate.example' })).reply.status === 201,
  },
  'BR-13 B: an e-mail address in capitals is another one': {
    clause: 'registerPatient: case does not count',
    start: onAnswer(
      ({ call, place }, { status }) =>
        place.operation === 'registerPatient' && status === 409 && /[A-Z]/.test(textOf((fieldsOf(call) as Row).email)),
      async (_, { call, pass }) => {
        const fields = fieldsOf(call) as Row;
        const answer = await pass(withJson(call, { ...fields, email: `${randomUUID()}@mail.example` }));
        return editData(answer, (row) => ({ ...row, email: fields.email }));
      },
    ),
    witness: async (client) => (await client.patient({ email: 'SWAB@northgate.example' })).reply.status === 201,
  },
  'BR-14 B T: a patient cannot keep the e-mail address in a change': {
    clause: 'changePatient: 409 if it is the one of another patient',
    start: () => async (exchange) => {
      const { call, place, ask, pass } = exchange;
      if (place.operation !== 'changePatient') return pass();
      const { email } = fieldsOf(call) as Row;
      const current = await ask('GET', call.target);
      const isOwn = email !== undefined && dataOf(current).email === email;
      return isOwn && exchange.fires() ? asError(current, 409) : pass();
    },
    witness: async (client) => {
      const patient = await client.patient();
      const { email = null } = await client.read(patient.path);
      return (await client.change(patient, { email, full_name: 'Ida Moe' })).status === 409;
    },
  },
  'BR-15 T B: an order of an unknown sample type is a 404': {
    clause: 'placeKitOrder: 422 if there is no such sample type or patient',
    start: onAnswer(
      (exchange, answer) => at('placeKitOrder', 422)(exchange, answer) && answer.body.includes('no such sample type'),
      (answer) => asError(answer, 404),
    ),
    witness: async (client) =>
      (await client.order({ ...(await client.sampleType()), id: 'no-such-kit' })).reply.status === 404,
  },
  'CO-01 H Q: whatever entity tag a replacement names, it is done': {
    clause: 'replaceAppointment: 412 if the appointment has another one by now',
    start: taking('replaceAppointment'),
    witness: async (client) => (await client.replace(await client.appointment(), {}, '"old"')).status === 200,
  },
  'CO-02 H N: a replacement needs no entity tag': {
    clause: 'replaceAppointment: 428 without If-Match (RFC 6585 §3)',
    start: needingNoTag('replaceAppointment'),
    witness: async (client) => {
      const { path } = await client.appointment();
      const { for_patient: patient = null } = await client.read(path);
      const fields = { for_patient: patient, starts_at: '2026-05-05T08:00:00Z', minutes: 20 };
      return (await client.put(path, fields)).status === 200;
    },
  },
  'CO-03 H V: an action leaves the entity tag as it is': {
    clause: 'ETag: another one after each change (RFC 9110 §8.8.1)',
    start: () => async (exchange) => {
      const { call, place, ask, pass } = exchange;
      const isAction = isOperation('confirmAppointment', 'completeAppointment', 'cancelAppointment')(exchange);
      const before = isAction ? headerOf(await ask('GET', `${place.base}/appointments/${place.id ?? ''}`), 'ETag') : '';
      const answer = await pass(call);
      return isAction && answer.status === 200 && exchange.fires() ? withHeader(answer, 'ETag', before) : answer;
    },
    witness: async (client) => {
      const appointment = await client.appointment();
      return (await client.act(appointment, 'confirm')).header('etag') === appointment.reply.header('etag');
    },
  },
  'CO-04 H: an appointment that is known is sent once more': {
    clause: 'getAppointment: 304 where it is the one with this entity tag (RFC 9110 §13.1.2)',
    start: ignoring('getAppointment', 'If-None-Match'),
    witness: async (client) => {
      const { path, reply } = await client.appointment();
      return (await client.get(path, { headers: { 'If-None-Match': reply.header('etag') ?? '' } })).status === 200;
    },
  },
  'ID-01 Q: the same order with the same key is placed twice': {
    clause: 'Idempotency-Key: is placed once',
    start: ignoring('placeKitOrder', 'Idempotency-Key'),
    witness: async (client) => {
      const [kit, { id }, headers] = [
        await client.sampleType(),
        await client.patient(),
        { 'Idempotency-Key': randomUUID() },
      ];
      const first = await client.order(kit, { for_patient: id }, { headers });
      return (await client.order(kit, { for_patient: id }, { headers })).id !== first.id;
    },
  },
  'ID-02 Q N: another order with the same key is the first one': {
    clause: 'Idempotency-Key: another order with the same key is a 409',
    start: answeringAgain('placeKitOrder', 409),
    witness: async (client) => {
      const [kit, { id }, headers] = [
        await client.sampleType(),
        await client.patient(),
        { 'Idempotency-Key': randomUUID() },
      ];
      await client.order(kit, { for_patient: id }, { headers });
      return (await client.order(kit, { for_patient: id, quantity: 1 }, { headers })).reply.status === 201;
    },
  },
  'ID-03 Q T: the same sample type put once more is a 409': {
    clause: 'RFC 9110 §9.2.2: PUT is idempotent',
    start: refusingTheSame('putSampleType', (answer) => asError(answer, 409)),
    witness: async (client) => {
      const { id } = await client.sampleType();
      return (await client.sampleType({}, id)).reply.status === 409;
    },
  },
});

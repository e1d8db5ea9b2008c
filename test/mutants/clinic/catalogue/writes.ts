import { randomUUID } from 'node:crypto';
import { good, isOperation, onAnswer, onCall } from '../../defect';
import { type Made } from '../../frame/client';
import { defectsOf } from '../../frame/defects';
import { asJson, at, dataOf, editData, inData, itemsOf, onBody, type Row, rowOf, withList } from '../../frame/envelope';
import { Memory } from '../../frame/memory';
import { textOf } from '../../json';
import { fieldsOf, withJson } from '../../message';
import { type ClinicClient, HOME } from '../client';
import { asError } from '../dialect';

/** A patient that is archived. */
async function archived(client: ClinicClient): Promise<Made> {
  const patient = await client.patient();
  await client.delete(patient.path);
  return patient;
}

export const WRITE_DEFECTS = defectsOf<ClinicClient>({
  'WR-01 V: a change of the city takes the rest of the address away': {
    clause: 'changePatient: a JSON merge patch (RFC 7396 §2: objects are merged)',
    start: () => {
      const memory = new Memory();
      return async (exchange) => {
        const answer = await exchange.pass();
        const { address } = fieldsOf(exchange.call) as Row;
        const isChange = good('changePatient')(exchange, answer) && address !== undefined;
        if (isChange && exchange.fires()) memory.change(textOf(dataOf(answer).id), (row) => ({ ...row, address }));
        return memory.show(answer);
      };
    },
    witness: async (client) => {
      const patient = await client.patient({ address: { city: 'Oslo', street: 'Main 1' } });
      await client.change(patient, { address: { city: 'Bergen' } });
      return rowOf((await client.read(patient.path)).address)['street'] === undefined;
    },
  },
  'WR-02 V: null in a change does nothing': {
    clause: 'changePatient: a JSON merge patch (RFC 7396 §2: null takes a member away)',
    start: onBody(['changePatient'], (body) => ({
      ...body,
      phone: body.phone ?? undefined,
      born_on: body.born_on ?? undefined,
    })),
    witness: async (client) => {
      const patient = await client.patient({ phone: '+4712345678' });
      await client.change(patient, { phone: null });
      return (await client.read(patient.path)).phone !== undefined;
    },
  },
  'WR-04 V: what a replacement leaves out stays': {
    clause: 'putSampleType: what is not in the body is not there afterwards',
    start: () => async (exchange) => {
      const { call, place, ask, pass } = exchange;
      if (place.operation !== 'putSampleType' || !exchange.fires()) return pass();
      const { note, temperature } = dataOf(await ask('GET', call.target));
      return pass(call.body.length === 0 ? call : withJson(call, { note, temperature, ...fieldsOf(call) }));
    },
    witness: async (client) => {
      const { id, path } = await client.sampleType({ note: 'Keep dark' });
      await client.sampleType({}, id);
      return (await client.read(path)).note === 'Keep dark';
    },
  },
  'WR-05 V: a replacement is created anew': {
    clause: 'putSampleType: created_at stays',
    start: () => {
      const memory = new Memory();
      return async (exchange) => {
        const answer = await exchange.pass();
        const at = new Date().toISOString();
        if (isOperation('putSampleType')(exchange) && answer.status === 200 && exchange.fires())
          memory.change(textOf(dataOf(answer).slug), (row) => ({ ...row, created_at: at }));
        return memory.show(answer);
      };
    },
    witness: async (client) => {
      const before = await client.read(`${HOME}/sample-types/swab`);
      await client.sampleType({}, 'swab');
      return (await client.read(`${HOME}/sample-types/swab`)).created_at !== before.created_at;
    },
  },
  'WR-06 V: letters beyond ASCII become question marks': {
    clause: 'Bodies: texts are kept as they are sent',
    start: onBody(['registerPatient'], (body) =>
      typeof body.full_name === 'string' ? { ...body, full_name: body.full_name.replace(/[^ -~]/g, '?') } : body,
    ),
    witness: async (client) =>
      (await client.read((await client.patient({ full_name: 'Åse' })).path)).full_name === '?se',
  },
  'WR-07 V: results are rounded to two decimals': {
    clause: 'ResultInput: value as it was measured; it is not rounded',
    start: onBody(['addResult'], (body) =>
      typeof body.value === 'number' ? { ...body, value: Math.round(body.value * 100) / 100 } : body,
    ),
    witness: async (client) => {
      const { path } = await client.result(await client.visit(), { value: 0.125 });
      return (await client.read(path)).value === 0.13;
    },
  },
  'WR-08 V: tubes are kept by their colour': {
    clause: 'SampleTypeInput: tubes in the order in which they are filled',
    start: inData(['getSampleType', 'listSampleTypes', 'putSampleType'], (row) => {
      const tubes = Array.isArray(row.tubes) ? row.tubes : [];
      const colourOf = (tube: (typeof tubes)[number]): string => textOf(rowOf(tube)['colour']);
      return { ...row, tubes: tubes.toSorted((left, right) => (colourOf(left) < colourOf(right) ? -1 : 1)) };
    }),
    witness: async (client) => {
      const tubes = ['red', 'blue'].map((colour) => ({ colour, volume_ml: 2 }));
      const kept = (await client.read((await client.sampleType({ tubes })).path)).tubes;
      return Array.isArray(kept) && rowOf(kept[0])['colour'] === 'blue';
    },
  },
  'WR-09 V: the offset of a time is cut off': {
    clause: 'Times are answered in UTC, whatever zone they were sent in',
    start: onBody(['requestAppointment'], (body) =>
      typeof body.starts_at === 'string' ? { ...body, starts_at: body.starts_at.replace(/[+-]\d\d:\d\d$/, 'Z') } : body,
    ),
    witness: async (client) => {
      const { path } = await client.appointment({ starts_at: '2026-05-04T08:15:00+02:00' });
      return textOf((await client.read(path)).starts_at).includes('T08:15');
    },
  },
  'WR-10 V: the response to a replacement is the appointment before it': {
    clause: 'replaceAppointment: the appointment, with what is agreed now',
    start: () => async (exchange) => {
      const { call, place, ask, pass } = exchange;
      const before = place.operation === 'replaceAppointment' ? dataOf(await ask('GET', call.target)) : undefined;
      const answer = await pass();
      if (before === undefined || answer.status !== 200 || !exchange.fires()) return answer;
      return editData(answer, () => before);
    },
    witness: async (client) => {
      const reply = await client.replace(await client.appointment(), { minutes: 45 });
      return textOf(reply.text).includes('"minutes":15');
    },
  },
  'DE-01 T V: an archived patient is gone': {
    clause: 'archivePatient: the patient can still be read',
    start: onAnswer(
      ({ place }, answer) => place.operation === 'getPatient' && dataOf(answer).status === 'archived',
      (answer) => asError(answer, 404),
    ),
    witness: async (client) => (await client.get((await archived(client)).path)).status === 404,
  },
  'DE-02 L: archived patients stay in the list': {
    clause: 'listPatients: archived patients are left out',
    start: onCall(
      ({ place }) => place.operation === 'listPatients' && !place.query.has('include'),
      (call) => ({ ...call, target: `${call.target}${call.target.includes('?') ? '&' : '?'}include=archived` }),
    ),
    witness: async (client) => {
      const { id } = await archived(client);
      return (await client.list('patients')).some((patient) => patient.id === id);
    },
  },
  'DE-03 V B: an archived patient is still active': {
    clause: 'archivePatient: with the status `archived`',
    start: inData(['getPatient', 'listPatients'], (row) => ({ ...row, status: 'active' })),
    witness: async (client) => (await client.read((await archived(client)).path)).status === 'active',
  },
  'DE-04 V L: a deleted result is still listed': {
    clause: 'deleteResult: for good',
    start: () => {
      const gone = new Map<string, Row[]>();
      return async (exchange) => {
        const { call, place, ask, pass } = exchange;
        const list = call.target.replace(/(\/results).*/, '$1');
        const before = place.operation === 'deleteResult' ? dataOf(await ask('GET', call.target)) : {};
        const answer = await pass();
        if (answer.status === 204 && before.id !== undefined) gone.set(list, [...(gone.get(list) ?? []), before]);
        const left = gone.get(list) ?? [];
        if (!good('listResults')(exchange, answer) || left.length === 0 || !exchange.fires()) return answer;
        return withList(answer, [...itemsOf(answer), ...left]);
      };
    },
    witness: async (client) => {
      const visit = await client.visit();
      await client.delete((await client.result(visit)).path);
      return (await client.list(`appointments/${visit.id}/results`)).length === 1;
    },
  },
  'DE-07 T B: an archived patient can be changed': {
    clause: 'changePatient: 409 for an archived patient',
    start: onAnswer(at('changePatient', 409), async (answer, { call, ask }) => {
      const patient = dataOf(await ask('GET', call.target));
      const changed = { ...patient, ...fieldsOf(call) };
      return patient.status === 'archived'
        ? asJson(answer, 200, { data: changed, meta: { lab: 'northgate' } })
        : answer;
    }),
    witness: async (client) =>
      (await client.change(await archived(client), { full_name: randomUUID() })).status === 200,
  },
});

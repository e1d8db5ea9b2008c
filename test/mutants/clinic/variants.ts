import { type Exchange, good, onAnswer, type Variant } from '../defect';
import { editData, editMeta, itemsOf, type Row, rowOf, withList } from '../frame/envelope';
import { withAbsoluteLocation, withFurtherMember, withTimes } from '../frame/starts';
import { isFields, textOf } from '../json';
import { type Answer, fieldsOf, headerOf, succeeded, withHeader, withJson } from '../message';
import { type ClinicClient, HOME } from './client';

const hasBody = (_: Exchange, { body }: Answer): boolean => body.length > 0;
const hasData = (_: Exchange, answer: Answer): boolean => succeeded(answer) && answer.body.length > 0;

/** What is about ids, the other way round in requests and in responses. */
const swapCase = (text: string): string =>
  text.replace(/\b(pat|ord|apt|res)_([0-9a-f]{10}|[0-9A-F]{10})\b/g, (_, kind: string, rest: string) => {
    const other = rest === rest.toUpperCase() ? rest.toLowerCase() : rest.toUpperCase();
    return `${kind}_${other}`;
  });

const swapIn = (body: Buffer): Buffer => Buffer.from(swapCase(body.toString('latin1')), 'latin1');

/** Whether a list has everything on one page. */
const isWhole = (answer: Answer): boolean => rowOf((fieldsOf(answer) as Row).meta).total === itemsOf(answer).length;

const LIST = `GET ${HOME}/patients HTTP/1.1\r\nHost: x\r\nX-Access-Token: test-key\r\nConnection: close\r\n\r\n`;

export const CLINIC_VARIANTS: readonly Variant<ClinicClient>[] = [
  {
    id: 'header-order',
    title: 'header fields come in another order, with names in lower case',
    basis: 'RFC 9110 §5.1, §5.3: names do not depend on case, nor does the order of fields with different names count',
    start: onAnswer(
      () => true,
      (answer) => ({
        ...answer,
        headers: answer.headers.map(([name, value]) => [name.toLowerCase(), value] as const).toReversed(),
      }),
    ),
    witness: async (client) => (await client.raw(LIST)).includes('\ncontent-type:'),
  },
  {
    id: 'further-members',
    title: 'resources have members that are not described',
    basis: 'Bodies: responses may get further members',
    start: withFurtherMember('revision'),
    witness: async (client) => 'revision' in (await client.read((await client.patient()).path)),
  },
  {
    id: 'further-details',
    title: 'errors have an id, and other words',
    basis: 'Error: further members are not forbidden, and message is any text',
    start: onAnswer(
      (_, { status, body }) => status >= 400 && body.length > 0,
      (answer) => {
        const { error } = fieldsOf(answer) as Row;
        return withJson(answer, { error: isFields(error) ? { ...error, message: 'Nein.', id: 'e7' } : null });
      },
    ),
    witness: async (client) => (await client.get(`${HOME}/patients/pat_none`)).text.includes('Nein'),
  },
  {
    id: 'capital-ids',
    title: 'ids have capitals',
    basis: 'Ids: the rest is ours to choose',
    start: () => async (exchange) => {
      const call = { ...exchange.call, target: swapCase(exchange.call.target), body: swapIn(exchange.call.body) };
      const answer = await exchange.pass(call);
      if (!exchange.fires()) return answer;
      const headers = answer.headers.map(([name, value]) => [name, swapCase(value)] as const);
      return { ...answer, headers, body: swapIn(answer.body) };
    },
    witness: async (client) => {
      const { id, path } = await client.patient();
      return (
        /_(?=.*[A-F0-9])[A-F0-9]{10}$/.test(id) && id !== id.toLowerCase() && (await client.get(path)).status === 200
      );
    },
  },
  {
    id: 'lower-email',
    title: 'e-mail addresses are kept in lower case',
    basis: 'PatientInput: the case of an e-mail address may not be kept',
    start: onAnswer(hasData, (answer) =>
      editData(answer, (row) => (row.email === undefined ? row : { ...row, email: textOf(row.email).toLowerCase() })),
    ),
    witness: async (client) =>
      (await client.read((await client.patient({ email: 'Ida.Lund@Mail.example' })).path)).email ===
      'ida.lund@mail.example',
  },
  {
    id: 'zero-offset',
    title: 'times have an offset of zero in place of Z, and no fractions',
    basis: 'RFC 3339 §5.6: time-numoffset; time-secfrac is optional; +00:00 is UTC',
    start: withTimes(['created_at', 'starts_at'], (time) => time.replace(/(\.\d+)?Z$/, '+00:00')),
    witness: async (client) => textOf((await client.list('appointments'))[0]?.starts_at).endsWith('00+00:00'),
  },
  {
    id: 'order-of-equals',
    title: 'appointments that start at the same time come in another order',
    basis: 'listAppointments: the earliest first, and nothing about those that are equal',
    start: onAnswer(
      ({ place }, answer) => place.operation === 'listAppointments' && succeeded(answer) && isWhole(answer),
      (answer) =>
        withList(
          answer,
          itemsOf(answer)
            .toReversed()
            .toSorted((left, right) => Date.parse(textOf(left.starts_at)) - Date.parse(textOf(right.starts_at))),
        ),
    ),
    witness: async (client) => {
      const times = (await client.list('appointments')).map(({ created_at: time }) => textOf(time));
      const { id } = await client.appointment({ starts_at: '2026-03-02T08:30:00Z' });
      return times.length === 3 && (await client.list('appointments'))[0]?.id === id;
    },
  },
  {
    id: 'cursor-form',
    title: 'cursors have another form, and come first in an address',
    basis: 'listPatients: a cursor comes from meta.next, and nothing is said about its form',
    start: () => async (exchange) => {
      const { call, pass } = exchange;
      const answer = await pass({ ...call, target: call.target.replace(/([?&]cursor=)p-/, '$1') });
      const turn = (next: string): string => next.replace(/\?(.*?)&?cursor=([^&]*)/, '?cursor=p-$2&$1');
      if (!good('listPatients')(exchange, answer) || !exchange.fires()) return answer;
      return editMeta(answer, (meta) => (meta.next === null ? meta : { ...meta, next: turn(textOf(meta.next)) }));
    },
    witness: async (client) => textOf((await client.meta('patients?limit=1')).next).includes('?cursor=p-'),
  },
  {
    id: 'charset',
    title: 'the media type has a charset',
    basis: 'RFC 9110 §8.3.1: parameters are allowed',
    start: onAnswer(hasBody, (answer) => withHeader(answer, 'Content-Type', 'application/json;charset="UTF-8"')),
    witness: async (client) =>
      (await client.get(`${HOME}/patients`)).header('content-type')?.includes('UTF-8') ?? false,
  },
  {
    id: 'location-absolute',
    title: 'Location is absolute',
    basis: 'RFC 9110 §10.2.2: a URI-reference, which an absolute one is as well',
    start: withAbsoluteLocation,
    witness: async (client) => (await client.patient()).reply.header('location')?.startsWith('http://') ?? false,
  },
  {
    id: 'other-tags',
    title: 'entity tags have a comma and are long',
    basis: 'RFC 9110 §8.8.3: an opaque-tag is any of etagc, and a comma is one of them',
    start: () => async (exchange) => {
      const back = (value: string): string => value.replaceAll(/"v1,(.*?),x{40}"/g, '"$1"');
      const headers = exchange.call.headers.map(([name, value]) => [name, back(value)] as const);
      const answer = await exchange.pass({ ...exchange.call, headers });
      const tag = headerOf(answer, 'ETag');
      return tag === undefined || !exchange.fires()
        ? answer
        : withHeader(answer, 'ETag', tag.replace(/"(.*)"/, `"v1,$1,${'x'.repeat(40)}"`));
    },
    witness: async (client) => (await client.appointment()).reply.header('etag')?.startsWith('"v1,') ?? false,
  },
];

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Row } from '../frame/envelope';
import { oneOfQuery, Problem, wholeNumber } from '../frame/input';
import * as service from '../frame/service';
import { type Answer, type Asking, byText, none, now, type Routes, tagsIn } from '../frame/service';
import { isFields, textOf, type Json } from '../json';
import { CODES } from './dialect';
import * as input from './input';

interface Appointment {
  readonly results: Map<string, Row>;
  row: Row;
  version: number;
}

interface Lab {
  readonly slug: string;
  readonly sampleTypes: Map<string, Row>;
  readonly patients: Map<string, Row>;
  readonly orders: Map<string, Row>;
  readonly appointments: Map<string, Appointment>;
  /** Orders by their Idempotency-Key. */
  readonly placed: Map<string, { readonly order: string; readonly answer: Answer }>;
}

interface Asked extends Asking {
  readonly lab: Lab;
}

const BASE = '/api/v1';
const KEYS: Readonly<Record<string, string>> = { 'test-key': 'northgate', 'south-key': 'southbank' };

const idOf = (kind: string): string => `${kind}_${randomBytes(5).toString('hex')}`;

function find<Item>(items: ReadonlyMap<string, Item>, id: string | undefined, what: string): Item {
  const item = items.get(id ?? '');
  if (item === undefined) throw none(what);
  return item;
}

/** If-Match takes strong tags alone, If-None-Match weak ones as well (RFC 9110 §13.1). */
function requireMatch({ header }: Asking, tag: string | undefined, isThere = true): void {
  const [match, noMatch] = [header('if-match'), header('if-none-match')];
  const has = (tags: readonly string[]): boolean => (isThere && tags.includes('*')) || tags.includes(tag ?? '');
  if (match !== undefined && !has(tagsIn(match))) throw new Problem(412, 'It has been changed.');
  if (noMatch !== undefined && has(tagsIn(noMatch.replaceAll('W/', '')))) throw new Problem(412, 'It is there.');
}

const one = ({ slug }: Lab, data: Json, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  body: { data, meta: { lab: slug } },
  ...more,
});

const made = (lab: Lab, data: Row, path: string, headers: Answer['headers'] = {}): Answer =>
  one(lab, data, { status: 201, headers: { Location: path, ...headers } });

function pageOf(rows: readonly Row[], { query, lab }: Asked): Answer {
  const page = wholeNumber(query, 'page', 100_000) ?? 1;
  const perPage = wholeNumber(query, 'per_page', 100) ?? 20;
  const meta = { lab: lab.slug, page, per_page: perPage, total: rows.length, pages: Math.ceil(rows.length / perPage) };
  return { status: 200, body: { data: rows.slice((page - 1) * perPage, page * perPage), meta } };
}

/** The value of a parameter, which has to be of this form. */
function formOf(query: URLSearchParams, name: string, isRight: (value: string) => boolean): string | undefined {
  const value = query.get(name) ?? undefined;
  if (value !== undefined && !isRight(value)) throw new Problem(400, `${name} has another form.`);
  return value;
}

function shownType({ orders }: Lab, sampleType: Row): Row {
  const own = [...orders.values()].filter(({ kit, status }) => kit === sampleType.slug && status === 'placed');
  return { ...sampleType, issued: own.reduce((sum, { quantity }) => sum + Number(quantity), 0) };
}

function listSampleTypes(asked: Asked): Answer {
  const { lab, query } = asked;
  const temperature = oneOfQuery(query, 'temperature', input.TEMPERATURES);
  const rows = [...lab.sampleTypes.values()].filter((row) => row.temperature === (temperature ?? row.temperature));
  const bySlug = rows.toSorted((left, right) => byText(textOf(left.slug), textOf(right.slug)));
  return pageOf(
    bySlug.map((row) => shownType(lab, row)),
    asked,
  );
}

const findType = ({ lab, names }: Asked): Row => find(lab.sampleTypes, names[0], 'sample type');

function putSampleType(asked: Asked): Answer {
  const { lab, names, path, body } = asked;
  const slug = names[0] ?? '';
  if (!input.isSlug(slug))
    throw new Problem(400, 'A slug has 2 to 40 small letters and digits, in parts with hyphens.');
  const before = lab.sampleTypes.get(slug);
  requireMatch(asked, undefined, before !== undefined);
  const row = { slug, ...input.readSampleType(body()), created_at: before?.created_at ?? now() };
  lab.sampleTypes.set(slug, row);
  return before === undefined ? made(lab, shownType(lab, row), path) : one(lab, shownType(lab, row));
}

function deleteSampleType(asked: Asked): Answer {
  const { slug } = findType(asked);
  if ([...asked.lab.orders.values()].some(({ kit }) => kit === slug)) throw new Problem(409, 'It was ordered.');
  requireMatch(asked, undefined);
  asked.lab.sampleTypes.delete(textOf(slug));
  return { status: 204 };
}

const appointmentsOf = ({ appointments }: Lab, patient: Row): Row[] =>
  [...appointments.values()].map(({ row }) => row).filter(({ for_patient: id }) => id === patient.id);

function listPatients({ lab, query, header, path }: Asked): Answer {
  const limit = wholeNumber(query, 'limit', 100) ?? 25;
  const isAll = oneOfQuery(query, 'include', ['archived']) !== undefined;
  const cursor = query.get('cursor');
  const wanted = formOf(query, 'q', (value) => Array.from(value).length <= 80)?.toLowerCase() ?? '';
  const has = (name: Json | undefined): boolean => textOf(name).toLowerCase().includes(wanted);
  const all = [...lab.patients.values()];
  const start = all.findIndex(({ id }) => id === Buffer.from(cursor ?? '', 'base64url').toString()) + 1;
  if (cursor !== null && start === 0) throw new Problem(400, 'No page has this cursor.');
  const left = all
    .slice(start)
    .filter(({ status, full_name: name, email }) => (isAll || status === 'active') && (has(name) || has(email)));
  const shown = left.slice(0, limit);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', Buffer.from(textOf(shown.at(-1)?.id)).toString('base64url'));
  const next = left.length > limit ? `http://${header('host') ?? 'localhost'}${path}?${parameters.toString()}` : null;
  return { status: 200, body: { data: shown, meta: { lab: lab.slug, next } } };
}

const findPatient = ({ lab, names }: Asked): Row => find(lab.patients, names[0], 'patient');

function requireFreeAddress({ patients }: Lab, address: Json | undefined, own?: Json): void {
  const isSame = ({ id, email }: Row): boolean =>
    id !== own && textOf(email).toLowerCase() === textOf(address).toLowerCase();
  if ([...patients.values()].some(isSame)) throw new Problem(409, 'Another patient has this e-mail address.');
}

function registerPatient({ lab, path, body }: Asked): Answer {
  const fields = input.readPatient(body());
  requireFreeAddress(lab, fields.email);
  const id = idOf('pat');
  const patient: Row = { id, ...fields, status: 'active', created_at: now() };
  lab.patients.set(id, patient);
  return made(lab, patient, `${path}/${id}`);
}

/** RFC 7396 §2. */
function merge(row: Row, patch: Row): Row {
  const changed = Object.entries(patch).map(([name, value]) => {
    const before = row[name];
    return [name, isFields(value) ? merge(isFields(before) ? before : {}, value) : value] as const;
  });
  const merged = Object.entries({ ...row, ...Object.fromEntries(changed) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}

function changePatient(asked: Asked): Answer {
  const { lab, body } = asked;
  const patient = findPatient(asked);
  if (patient.status === 'archived') throw new Problem(409, 'The patient is archived.');
  requireMatch(asked, undefined);
  const patch = input.readPatch(body('application/merge-patch+json'));
  if (patch.email !== undefined) requireFreeAddress(lab, patch.email, patient.id);
  const changed = merge(patient, patch);
  lab.patients.set(textOf(patient.id), changed);
  return one(lab, changed);
}

function archivePatient(asked: Asked): Answer {
  const patient = findPatient(asked);
  const isOpen = ({ status }: Row): boolean => status === 'requested' || status === 'confirmed';
  if (appointmentsOf(asked.lab, patient).some(isOpen)) throw new Problem(409, 'There is an open appointment.');
  requireMatch(asked, undefined);
  asked.lab.patients.set(textOf(patient.id), { ...patient, status: 'archived' });
  return { status: 204 };
}

function requireActive({ patients }: Lab, id: Json | undefined): void {
  if (patients.get(textOf(id))?.status !== 'active')
    throw new Problem(422, 'There is no such patient.', '/for_patient');
}

function listKitOrders(asked: Asked): Answer {
  const { lab, query } = asked;
  const status = oneOfQuery(query, 'status', ['placed', 'cancelled']);
  const kit = formOf(query, 'kit', input.isSlug);
  const [from, to] = [formOf(query, 'placed_from', input.isDay), formOf(query, 'placed_to', input.isDay)];
  const isWanted = (order: Row): boolean => {
    const day = textOf(order.created_at).slice(0, 10);
    const isThen = day >= (from ?? day) && day <= (to ?? day);
    return isThen && order.status === (status ?? order.status) && order.kit === (kit ?? order.kit);
  };
  const orders = [...lab.orders.values()].filter(isWanted);
  const sort = oneOfQuery(query, 'sort', ['created_at', '-created_at', 'total', '-total']) ?? '-created_at';
  const byTotal = (left: Row, right: Row): number => Number(left.total) - Number(right.total);
  // They are kept by created_at.
  const ascending = sort.endsWith('total') ? orders.toSorted(byTotal) : orders;
  return pageOf(sort.startsWith('-') ? ascending.toReversed() : ascending, asked);
}

/** Puts kits on the shelf, or takes them from it. */
function move({ sampleTypes }: Lab, slug: Json | undefined, kits: number): void {
  const row = sampleTypes.get(textOf(slug)) ?? {};
  sampleTypes.set(textOf(slug), { ...row, on_shelf: Number(row.on_shelf) + kits });
}

function placeKitOrder({ lab, header, body, path }: Asked): Answer {
  const key = header('idempotency-key');
  if (key !== undefined && (key.length < 8 || key.length > 64))
    throw new Problem(400, 'Idempotency-Key has 8 to 64 characters.');
  const fields = input.readOrder(body());
  const known = lab.placed.get(key ?? '');
  if (known !== undefined && known.order !== JSON.stringify(fields))
    throw new Problem(409, 'The key came with another order before.');
  if (known !== undefined) return known.answer;
  const [sampleType, quantity] = [lab.sampleTypes.get(textOf(fields.kit)), Number(fields.quantity)];
  if (sampleType === undefined) throw new Problem(422, 'There is no such sample type.', '/kit');
  requireActive(lab, fields.for_patient);
  if (quantity > Number(sampleType.on_shelf)) throw new Problem(422, 'So many are not on the shelf.', '/quantity');
  const price = Number(sampleType.unit_price);
  move(lab, fields.kit, -quantity);
  const order: Row = { ...fields, unit_price: price, total: price * quantity, status: 'placed', created_at: now() };
  const id = idOf('ord');
  lab.orders.set(id, { id, ...order });
  const answer = made(lab, { id, ...order }, `${path}/${id}`);
  if (key !== undefined) lab.placed.set(key, { order: JSON.stringify(fields), answer });
  return answer;
}

const findOrder = ({ lab, names }: Asked): Row => find(lab.orders, names[0], 'order');

function cancelKitOrder(asked: Asked): Answer {
  const order = findOrder(asked);
  if (order.status === 'cancelled') throw new Problem(409, 'The order is cancelled already.');
  const cancelled = { ...order, status: 'cancelled' };
  asked.lab.orders.set(textOf(order.id), cancelled);
  move(asked.lab, order.kit, Number(order.quantity));
  return one(asked.lab, cancelled);
}

const shownAppointment = ({ row, results }: Appointment): Row => ({ ...row, result_count: results.size });
const tagOf = ({ row, version }: Appointment): string => `"${textOf(row.id).slice(4)}.${version}"`;
const appointmentAnswer = (lab: Lab, appointment: Appointment): Answer =>
  one(lab, shownAppointment(appointment), { headers: { ETag: tagOf(appointment) } });

function listAppointments(asked: Asked): Answer {
  const { lab, query } = asked;
  const status = oneOfQuery(query, 'status', ['requested', 'confirmed', 'completed', 'cancelled']);
  const patient = query.get('for_patient');
  const isWanted = (row: Row): boolean =>
    row.status === (status ?? row.status) && row.for_patient === (patient ?? row.for_patient);
  const rows = [...lab.appointments.values()].map(shownAppointment).filter(isWanted);
  return pageOf(
    rows.toSorted((left, right) => byText(textOf(left.starts_at), textOf(right.starts_at))),
    asked,
  );
}

function readAppointment({ lab, body }: Asked): Row {
  const fields = input.readAppointment(body());
  requireActive(lab, fields.for_patient);
  return { ...fields, starts_at: input.utcOf(textOf(fields.starts_at)) ?? null };
}

function requestAppointment(asked: Asked): Answer {
  const fields = readAppointment(asked);
  const id = idOf('apt');
  const row = { id, ...fields, status: 'requested', created_at: now() };
  const appointment: Appointment = { row, version: 1, results: new Map() };
  asked.lab.appointments.set(id, appointment);
  return made(asked.lab, shownAppointment(appointment), `${asked.path}/${id}`, { ETag: tagOf(appointment) });
}

const findAppointment = ({ lab, names }: Asked): Appointment => find(lab.appointments, names[0], 'appointment');

function requireStatus({ row: { status } }: Appointment, ...statuses: readonly string[]): void {
  if (!statuses.includes(textOf(status))) throw new Problem(409, `The appointment is ${textOf(status)}.`);
}

function change({ lab }: Asked, appointment: Appointment, row: Row): Answer {
  appointment.row = row;
  appointment.version += 1;
  return appointmentAnswer(lab, appointment);
}

function replaceAppointment(asked: Asked): Answer {
  const appointment = findAppointment(asked);
  requireStatus(appointment, 'requested', 'confirmed');
  if (asked.header('if-match') === undefined)
    throw new Problem(428, 'Send If-Match with the entity tag that was read.');
  requireMatch(asked, tagOf(appointment));
  const { id, status, created_at: createdAt } = appointment.row;
  return change(asked, appointment, { id, ...readAppointment(asked), status, created_at: createdAt });
}

/** An action that takes an appointment from one of these statuses to another. */
const advance =
  (to: string, ...from: readonly string[]) =>
  (asked: Asked): Answer => {
    const appointment = findAppointment(asked);
    requireStatus(appointment, ...from);
    return change(asked, appointment, { ...appointment.row, status: to });
  };

function addResult(asked: Asked): Answer {
  const appointment = findAppointment(asked);
  requireStatus(appointment, 'confirmed', 'completed');
  const id = idOf('res');
  const result = { id, ...input.readResult(asked.body()), created_at: now() };
  appointment.results.set(id, result);
  appointment.version += 1;
  return made(asked.lab, result, `${asked.path}/${id}`);
}

const findResult = (asked: Asked): Row => find(findAppointment(asked).results, asked.names[1], 'result');

function deleteResult(asked: Asked): Answer {
  const appointment = findAppointment(asked);
  const { id } = findResult(asked);
  requireMatch(asked, undefined);
  appointment.results.delete(textOf(id));
  appointment.version += 1;
  return { status: 204 };
}

const ROUTES: Routes<Asked> = {
  'sample-types': { GET: listSampleTypes },
  'sample-types/*': {
    GET: (asked) => one(asked.lab, shownType(asked.lab, findType(asked))),
    PUT: putSampleType,
    DELETE: deleteSampleType,
  },
  patients: { GET: listPatients, POST: registerPatient },
  'patients/*': {
    GET: (asked) => one(asked.lab, findPatient(asked)),
    PATCH: changePatient,
    DELETE: archivePatient,
  },
  'kit-orders': { GET: listKitOrders, POST: placeKitOrder },
  'kit-orders/*': { GET: (asked) => one(asked.lab, findOrder(asked)) },
  'kit-orders/*/cancel': { POST: cancelKitOrder },
  appointments: { GET: listAppointments, POST: requestAppointment },
  'appointments/*': { GET: (asked) => appointmentAnswer(asked.lab, findAppointment(asked)), PUT: replaceAppointment },
  'appointments/*/confirm': { POST: advance('confirmed', 'requested') },
  'appointments/*/complete': { POST: advance('completed', 'confirmed') },
  'appointments/*/cancel': { POST: advance('cancelled', 'requested', 'confirmed') },
  'appointments/*/results': {
    GET: (asked) => one(asked.lab, [...findAppointment(asked).results.values()]),
    POST: addResult,
  },
  'appointments/*/results/*': { GET: (asked) => one(asked.lab, findResult(asked)), DELETE: deleteResult },
};

/** The answer to a GET, or that it is known (RFC 9110 §13.1.2). */
function unlessKnown(asked: Asked, answer: Answer): Answer {
  const tag = answer.headers?.['ETag'];
  if (tag === undefined) return answer;
  const header = (name: string): string | undefined => (name === 'if-match' ? asked.header(name) : undefined);
  requireMatch({ ...asked, header }, tag);
  const known = tagsIn((asked.header('if-none-match') ?? '').replaceAll('W/', ''));
  return known.includes('*') || known.includes(tag) ? { status: 304, headers: { ETag: tag } } : answer;
}

function answerTo(request: IncomingMessage, text: string, labs: ReadonlyMap<string, Lab>): Answer {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (!pathname.startsWith(`${BASE}/`)) throw none('path');
  const parts = pathname.slice(BASE.length + 1).split('/');
  const { names, methods } = service.findRoute(ROUTES, parts.map(service.decode));
  const { method = 'GET' } = request;
  if (method === 'OPTIONS') return { status: 204, headers: { Allow: service.allowed(methods) } };
  const asking = service.askingOf(request, text, names);
  const lab = labs.get(new Map(Object.entries(KEYS)).get(asking.header('x-access-token') ?? '') ?? '');
  if (lab === undefined) throw new Problem(401, 'Send a key that is known in X-Access-Token.');
  const asked: Asked = { ...asking, lab };
  const answer = service.handlerOf(methods, method)(asked);
  return method === 'GET' || method === 'HEAD' ? unlessKnown(asked, answer) : answer;
}

function errorAnswer({ status, message, pointer, allow }: Problem): Answer {
  const details = pointer === undefined ? [] : [{ field: pointer.slice(1), issue: message }];
  const headers = {
    ...(allow === undefined ? {} : { Allow: allow }),
    ...(status === 401 ? { 'WWW-Authenticate': 'AccessToken realm="labdesk"' } : {}),
  };
  return { status, headers, body: { error: { code: CODES[status] ?? 'internal', message, details } } };
}

function openLab(slug: string): Lab {
  const lab: Lab = {
    slug,
    sampleTypes: new Map(),
    patients: new Map(),
    orders: new Map(),
    appointments: new Map(),
    placed: new Map(),
  };
  const asked = (path: string, body: Json, ...names: string[]): Asked => {
    const query = new URLSearchParams();
    return { path: `${BASE}/${path}`, lab, names, query, header: () => undefined, text: '', body: () => body };
  };
  const idIn = ({ headers }: Answer): string => headers?.['Location']?.split('/').at(-1) ?? '';
  for (const [kit, title, unitPrice] of [
    ['blood-count', 'Blood count', 1250],
    ['swab', 'Throat swab', 480],
    ['urine', 'Urine, midstream', 350],
  ] as const) {
    const fields = { title, unit_price: unitPrice, on_shelf: 40, temperature: 'chilled' };
    putSampleType(asked(`sample-types/${kit}`, { ...fields, tubes: [{ colour: 'red', volume_ml: 4.5 }] }, kit));
    const patient = { full_name: `Pat of ${title}`, email: `${kit}@${slug}.example`, address: { city: 'Ghent' } };
    const id = idIn(registerPatient(asked('patients', patient)));
    placeKitOrder(asked('kit-orders', { kit, for_patient: id, quantity: 2 }));
    const visit = { for_patient: id, starts_at: '2026-03-02T09:30:00+01:00', minutes: 20 };
    const appointment = idIn(requestAppointment(asked('appointments', visit)));
    if (kit === 'swab') advance('confirmed', 'requested')(asked('appointments', {}, appointment));
  }
  return lab;
}

/** The API of clinic.yaml, with a few rows in each laboratory. It listens, and resolves to its address without the base path. */
export function startClinic(): ReturnType<typeof service.startService> {
  const labs = new Map(Object.values(KEYS).map((slug) => [slug, openLab(slug)]));
  return service.startService((request, text) => answerTo(request, text, labs), errorAnswer);
}

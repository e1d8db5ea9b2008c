import { type Alteration, type Exchange, good, isOperation, onAnswer, onCall } from '../defect';
import type { Dialect } from '../dialect';
import { isFields, type Fields, type Json, textOf, writeJson } from '../json';
import { type Answer, type Call, fieldsOf, type Place, withHeader, withJson, withQuery } from '../message';

/** The members that bodies have in the APIs with `data` and `meta`, and any other. */
export type Row = Fields & { readonly [Name in Member]?: Json | undefined };
type Member =
  | 'address'
  | 'appointment_count'
  | 'author'
  | 'born_on'
  | 'category'
  | 'createdAt'
  | 'created_at'
  | 'creditLimit'
  | 'dailyRate'
  | 'data'
  | 'days'
  | 'deletedAt'
  | 'delta'
  | 'deposit'
  | 'detail'
  | 'details'
  | 'email'
  | 'error'
  | 'errors'
  | 'fee'
  | 'for_patient'
  | 'fullName'
  | 'full_name'
  | 'handle'
  | 'temperature'
  | 'issue'
  | 'issued'
  | 'joinedOn'
  | 'kit'
  | 'lab'
  | 'lentAt'
  | 'member'
  | 'meta'
  | 'minutes'
  | 'movedAt'
  | 'next'
  | 'nextCursor'
  | 'note'
  | 'on_shelf'
  | 'pages'
  | 'phone'
  | 'reason'
  | 'result_count'
  | 'returnedAt'
  | 'slug'
  | 'starts_at'
  | 'state'
  | 'stock'
  | 'tags'
  | 'text'
  | 'title'
  | 'toolId'
  | 'total'
  | 'tubes'
  | 'unit_price'
  | 'updatedAt'
  | 'value';

/** The resource of an answer; an empty one where there is none. */
export const dataOf = (message: Pick<Answer, 'body'>): Row => rowOf((fieldsOf(message) as Row).data);

/** The resources of the list in an answer. */
export function itemsOf(message: Pick<Answer, 'body'>): Row[] {
  const { data } = fieldsOf(message) as Row;
  return Array.isArray(data) ? data.map(rowOf) : [];
}

export const rowOf = (json: Json | undefined): Row => (isFields(json) ? json : {});

/** Changes the resource in an answer, or each one of its list. */
export function editData(answer: Answer, change: (row: Row) => Row): Answer {
  const body = fieldsOf(answer) as Row;
  if (Array.isArray(body.data)) return withList(answer, itemsOf(answer).map(change));
  return isFields(body.data) ? withJson(answer, { ...body, data: change(body.data) }) : answer;
}

/** Successful answers of these operations, with each resource in them changed. */
export const inData = (operations: readonly string[], change: (row: Row) => Row): Alteration['start'] =>
  onAnswer(good(...operations), (answer) => editData(answer, change));

export const withList = (answer: Answer, data: Row[]): Answer => withJson(answer, { ...fieldsOf(answer), data });

export const editMeta = (answer: Answer, change: (meta: Row) => Row): Answer => {
  const body = fieldsOf(answer) as Row;
  return isFields(body.meta) ? withJson(answer, { ...body, meta: change(body.meta) }) : answer;
};

/** Another body reaches the server, where these operations get one that the change makes another of. */
export const onBody = (operations: readonly string[], change: (body: Row) => Row): Alteration['start'] =>
  onCall(
    (exchange) => {
      const body = fieldsOf(exchange.call);
      return isOperation(...operations)(exchange) && writeJson(change(body)) !== writeJson(body);
    },
    (call) => withJson(call, change(fieldsOf(call))),
  );

export const asJson = (answer: Answer, status: number, body: Json): Answer =>
  withJson(withHeader({ ...answer, status }, 'Content-Type', 'application/json'), body);

/** An answer of this operation with this status. */
export const at =
  (operation: string, status: number) =>
  ({ place }: Exchange, answer: Answer): boolean =>
    place.operation === operation && answer.status === status;

/** The same call with another value of a parameter, or without it. */
export function withParameter(call: Call, { place }: Exchange, name: string, value?: string): Call {
  const query = new URLSearchParams(place.query);
  if (value === undefined) query.delete(name);
  else query.set(name, value);
  return withQuery(call, query);
}

export const numberOf = ({ place }: Exchange, name: string): number | undefined => {
  const value = place.query.get(name);
  return value !== null && /^[1-9]\d*$/.test(value) ? Number(value) : undefined;
};

/** By paths behind the base, `*` for a name: the collection and the operations by method. */
export type Operations = Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>>;

/**
 * @param base - a pattern with the base path, and what is behind it, as its groups
 * @param nested - collections below an item of another, whose id is the second name in a path
 */
export function createDialect(
  operationsOf: Operations,
  base: RegExp,
  nested: readonly string[],
  keyHeader: string,
): Dialect {
  const placeOf = ({ method, target }: Call): Place => {
    const [path = '', query = ''] = target.split(/\?(.*)/s);
    const [, start = '', rest = ''] = base.exec(path) ?? [];
    const parts = rest.split('/');
    const pattern = parts.map((part, index) => (index % 2 === 1 ? '*' : part)).join('/');
    const [collection, operations] = operationsOf[pattern] ?? [];
    return {
      base: start,
      collection,
      id: nested.includes(collection ?? '') ? parts[3] : parts[1],
      query: new URLSearchParams(query),
      operation: operations?.[method === 'HEAD' ? 'GET' : method],
    };
  };
  return {
    placeOf,
    resourceOf: (operation) =>
      Object.values(operationsOf).find(([, names]) => Object.values(names).includes(operation ?? ''))?.[0],
    subjectOf: (call, { collection = '', id }, answer) => {
      const made = answer === undefined ? call.body.toString() : textOf(dataOf(answer).id);
      return `${collection}/${id ?? (call.method === 'POST' ? made : call.target)}`;
    },
    credential: (key) => [keyHeader, key],
  };
}

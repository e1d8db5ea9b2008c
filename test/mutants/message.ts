import { isFields, parseJson, writeJson, type Fields, type Json } from './json';

export type Header = readonly [name: string, value: string];

export interface Call {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: Buffer;
  /** The connection is cut instead of answered. */
  readonly cut?: true;
}

/** What a call addresses, whatever the path the service is mounted under. */
export interface Place {
  readonly base: string;
  readonly collection: string | undefined;
  readonly id: string | undefined;
  readonly query: URLSearchParams;
  readonly operation: string | undefined;
}

export const headerOf = ({ headers }: Pick<Call, 'headers'>, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];

type Message = Pick<Call, 'headers'>;

/** One field of that name with this value, or none of it. */
export function withHeader<Kind extends Message>(message: Kind, name: string, value?: string): Kind {
  const others = message.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return { ...message, headers: value === undefined ? others : [...others, [name, value]] };
}

export const withQuery = (call: Call, query: URLSearchParams): Call => {
  const path = call.target.split('?')[0] ?? '';
  const text = query.toString();
  return { ...call, target: text === '' ? path : `${path}?${text}` };
};

export const jsonOf = ({ body }: Pick<Call, 'body'>): Json | undefined =>
  body.length === 0 ? undefined : parseJson(body.toString());

export const fieldsOf = (message: Pick<Call, 'body'>): Fields => {
  const json = jsonOf(message);
  return isFields(json) ? json : {};
};

export const withJson = <Kind extends Pick<Call, 'body'>>(message: Kind, json: Json): Kind => ({
  ...message,
  body: Buffer.from(writeJson(json)),
});

/** Changes the object in the body, or each object of the list there; other bodies stay. */
export function editFields<Kind extends Pick<Call, 'body'>>(message: Kind, change: (fields: Fields) => Fields): Kind {
  const json = jsonOf(message);
  if (Array.isArray(json))
    return withJson(
      message,
      json.map((item) => (isFields(item) ? change(item) : item)),
    );
  return isFields(json) ? withJson(message, change(json)) : message;
}

/** Members that are undefined are left out when the object is written. */
export const edited =
  (change: (fields: Fields) => Fields) =>
  (answer: Answer): Answer =>
    editFields(answer, change);

export const withStatus =
  (status: number) =>
  (answer: Answer): Answer => ({ ...answer, status });

/** An error keeps its body's `status` equal to the one of the response, unless that is the defect. */
export const asError = (answer: Answer, status: number, code: string): Answer =>
  withJson(withHeader({ ...answer, status }, 'Content-Type', 'application/json'), {
    code,
    message: 'Refused.',
    status,
  });

export const asText = (answer: Answer, type: string, text: string): Answer => ({
  ...withHeader(answer, 'Content-Type', type),
  body: Buffer.from(text),
});

export const succeeded = ({ status }: Answer): boolean => status >= 200 && status < 300;

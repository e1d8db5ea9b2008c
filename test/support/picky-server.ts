import express, { type Express } from 'express';
import { list, object, ref, smallApi, text, whole } from './small-api';

/** What is wrong with a property, in words. */
export interface Complaint {
  readonly field: string;
  readonly message: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A constraint that no description tells: what is wrong with a new thing beside those that are there. */
export type Rule = (body: Fields, others: readonly Fields[]) => Complaint | undefined;

/** How a service tells what is wrong. */
export type ErrorStyle = (complaints: readonly Complaint[]) => { status: number; type?: string; body: unknown };

/** Errors as some frameworks write them. */
export const STYLES = {
  fastapi: (all) => ({
    status: 422,
    body: { detail: all.map(({ field, message }) => ({ loc: ['body', field], msg: message, type: 'value_error' })) },
  }),
  rails: (all) => ({
    status: 422,
    body: { errors: Object.fromEntries(all.map(({ field, message }) => [field, [message]])) },
  }),
  problem: (all) => ({
    status: 400,
    type: 'application/problem+json',
    body: {
      type: 'about:blank',
      title: 'Your request is not valid',
      status: 400,
      errors: all.map(({ field, message }) => ({ pointer: `#/${field}`, detail: message })),
    },
  }),
  invalidParams: (all) => ({
    status: 400,
    type: 'application/problem+json',
    body: { title: 'Not valid', 'invalid-params': all.map(({ field, message }) => ({ name: field, reason: message })) },
  }),
  ajv: (all) => ({
    status: 400,
    body: { errors: all.map(({ field, message }) => ({ instancePath: `/${field}`, keyword: 'format', message })) },
  }),
  sentence: (all) => ({
    status: 422,
    body: { error: all.map(({ field, message }) => `The field '${field}' ${message}`).join('. ') },
  }),
  plain: (all) => ({
    status: 400,
    type: 'text/plain',
    body: all.map((each) => `${each.field}: ${each.message}`).join('; '),
  }),
  silent: () => ({ status: 400, body: {} }),
} satisfies Record<string, ErrorStyle>;

const box = object({
  id: { type: 'string', readOnly: true },
  label: text,
  code: text,
  grade: text,
  depth: whole,
});

/** Boxes that stand on shelves. @param more - of the schema of a box */
export function boxesApi(more: Readonly<Record<string, object>> = {}): string {
  const { properties } = box as { properties: Record<string, object> };
  return smallApi(
    {
      'GET /boxes': { answers: { 200: list(ref('Box')) } },
      'POST /boxes': { body: ref('Box'), answers: { 201: ref('Box'), 400: null, 409: null, 422: null } },
      'GET /boxes/{boxId}': { answers: { 200: ref('Box'), 404: null } },
      'PUT /boxes/{boxId}': { body: ref('Box'), answers: { 200: ref('Box'), 400: null, 404: null, 422: null } },
      'DELETE /boxes/{boxId}': { answers: { 204: null, 404: {} } },
    },
    { Box: { ...box, properties: { ...properties, ...more } } },
  );
}

const DECLARED: ReadonlySet<string> = new Set(['id', 'label', 'code', 'grade']);

/** A service that takes less than its description says. */
export class PickyServer {
  readonly app: Express = express();
  readonly boxes = new Map<string, Fields>();
  /** Bodies that were sent to make something, in their order. */
  readonly posted: Fields[] = [];
  readonly requests: string[] = [];
  private counter = 0;

  /** @param broken - the status that a request is answered with, whatever it is; `undefined` for none */
  constructor(
    rules: readonly Rule[],
    style: ErrorStyle,
    broken: (method: string, path: string) => number | undefined = () => undefined,
  ) {
    const { app, boxes } = this;
    app.use(express.json({ strict: false }));
    app.use((request, _, next) => {
      this.requests.push(`${request.method} ${request.url} ${JSON.stringify(request.body ?? null)}`);
      next();
    });
    app.use((request, response, next) => {
      const status = broken(request.method, request.path);
      if (status === undefined) next();
      else response.status(status).json({});
    });
    const wrong = (body: Fields, id?: string): Complaint[] => {
      const others = [...boxes].flatMap(([key, each]) => (key === id ? [] : [each]));
      return rules.flatMap((rule) => rule(body, others) ?? []);
    };
    const refuse = (response: express.Response, complaints: readonly Complaint[]): void => {
      const { status, type = 'application/json', body } = style(complaints);
      response
        .status(status)
        .type(type)
        .send(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const isTyped = (body: unknown): body is Fields =>
      typeof body === 'object' &&
      body !== null &&
      !Array.isArray(body) &&
      Object.entries(body).every(([name, value]) =>
        name === 'depth' ? Number.isInteger(value) : typeof value === 'string' || !DECLARED.has(name),
      );
    app.get('/boxes', (_, response) => void response.json([...boxes.values()]));
    app.post('/boxes', (request, response) => {
      const body: unknown = request.body;
      if (!isTyped(body)) {
        refuse(response, []);
        return;
      }
      this.posted.push(body);
      const complaints = wrong(body);
      if (complaints.length > 0) {
        refuse(response, complaints);
        return;
      }
      this.counter += 1;
      const made = { ...body, id: `b${this.counter}` };
      boxes.set(made.id, made);
      response.status(201).json(made);
    });
    app
      .route('/boxes/:id')
      .get(({ params: { id } }, response) => {
        const found = boxes.get(id);
        response.status(found === undefined ? 404 : 200).json(found ?? {});
      })
      .put((request, response) => {
        const { id } = request.params;
        const body: unknown = request.body;
        if (!boxes.has(id)) {
          response.status(404).json({});
          return;
        }
        const complaints = isTyped(body) ? wrong(body, id) : [];
        if (!isTyped(body) || complaints.length > 0) {
          refuse(response, complaints);
          return;
        }
        const changed = { ...body, id };
        boxes.set(id, changed);
        response.json(changed);
      })
      .delete(({ params: { id } }, response) => {
        if (boxes.delete(id)) response.status(204).end();
        else response.status(404).json({});
      });
    // What is no JSON. Express takes a function of four parameters for one of errors.
    app.use((_: unknown, __: unknown, response: express.Response, next: () => void) => {
      if (response.headersSent) next();
      else refuse(response, []);
    });
  }
}

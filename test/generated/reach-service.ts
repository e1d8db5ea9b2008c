import express, { type Express } from 'express';
import type { FamilyId } from '../../src/generated/generate-contracts';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import type { Mode, RunResult } from '../../src/runner/result/run-result';
import { list, smallApi } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';
import { failureLines } from '../support/failure-lines';

export const folder = temporaryFolder();
export const whole = { type: 'integer' };
export type Item = Readonly<Record<string, unknown>>;
export type Answer = readonly [status: number, body?: unknown];

/** A service of collections by name. `create` and `act` answer what the collection does in its own way. */
export class Service {
  readonly stored = new Map<string, Map<string, Item>>();
  readonly calls: string[] = [];
  private counter = 0;
  /** Answers a creation; `undefined` to store it as it is. */
  create: (name: string, body: Item) => Answer | undefined = () => undefined;
  /** Answers what stands below an item. */
  act: (item: Item, verb: string, body: Item) => Answer = () => [404, {}];
  /** Answers a PATCH; `undefined` where there is none. */
  change: (name: string, item: Item, body: Item) => Answer | undefined = () => undefined;
  /** Answers for a collection below an item; `undefined` where there is none. */
  below: ((above: string, method: string, name: string, key: string | undefined, body: Item) => Answer) | undefined;
  /** Answers a removal; `undefined` to remove the item. */
  remove: (name: string, item: Item) => Answer | undefined = () => undefined;
  /** Answers a creation before it is stored, by its headers; `undefined` to go on. */
  before: (name: string, body: Item, headers: Readonly<Record<string, unknown>>) => Answer | undefined = () =>
    undefined;

  of(name: string): Map<string, Item> {
    const rows = this.stored.get(name) ?? new Map<string, Item>();
    this.stored.set(name, rows);
    return rows;
  }

  store(name: string, item: Item, key = this.keyOf(item)): Item {
    const row = { id: key, ...item };
    this.of(name).set(key, row);
    return row;
  }

  private keyOf({ id }: Item): string {
    if (typeof id === 'string') return id;
    this.counter += 1;
    return String(this.counter);
  }

  get app(): Express {
    const app = express();
    app.use(express.json({ strict: false }));
    app.use((request, response) => {
      const [, name = '', key, verb, inner] = request.path.split('/');
      const [status, body] = this.answer(request.method, name, {
        key,
        verb,
        inner,
        body: request.body as Item,
        headers: request.headers,
      });
      this.calls.push(
        `${request.method} ${name}${key === undefined ? '' : `/{id}${verb === undefined ? '' : `/${verb}`}`} ${status}`,
      );
      if (body === undefined) response.status(status).end();
      else response.status(status).json(body);
    });
    // What is no JSON.
    app.use((_error: unknown, _request: unknown, response: express.Response, _next: unknown) => {
      response.status(400).json({});
    });
    return app;
  }

  private answer(method: string, name: string, asked: Asked): Answer {
    const { key, verb, inner, body, headers } = asked;
    if (key !== undefined && verb !== undefined && this.below !== undefined)
      return this.below(key, method, verb, inner, body);
    if (key !== undefined) return this.answerForItem(method, name, { ...asked, key });
    if (method === 'GET') return [200, [...this.of(name).values()]];
    if (method !== 'POST') return [405, {}];
    return this.before(name, body, headers) ?? this.create(name, body) ?? [201, this.store(name, body)];
  }

  private answerForItem(method: string, name: string, { key, verb, body }: Asked & { readonly key: string }): Answer {
    const rows = this.of(name);
    const item = rows.get(key);
    if (method === 'PUT') return [item === undefined ? 201 : 200, this.store(name, { ...body, id: key })];
    if (item === undefined) return [404, {}];
    if (verb !== undefined) return this.act(item, verb, body);
    if (method === 'PATCH') return this.change(name, item, body) ?? [405, {}];
    if (method !== 'DELETE') return [200, item];
    const refused = this.remove(name, item);
    if (refused === undefined) rows.delete(key);
    return refused ?? [204];
  }
}

interface Asked {
  readonly key: string | undefined;
  readonly verb: string | undefined;
  readonly inner: string | undefined;
  readonly body: Item;
  readonly headers: Readonly<Record<string, unknown>>;
}

export type Sketches = Parameters<typeof smallApi>[0];

/** A collection as most are: listed, made, read and removed. */
export function collection(name: string, item: object, body: object = item): Sketches {
  return {
    [`GET /${name}`]: { answers: { 200: list(item) } },
    [`POST /${name}`]: { body, answers: { 201: item, 400: null, 409: null, 422: null } },
    [`GET /${name}/{id}`]: { answers: { 200: item, 404: null } },
    [`DELETE /${name}/{id}`]: { answers: { 204: null, 404: null } },
  };
}

export const ID = { id: { type: 'string', readOnly: true } };

export async function run(
  service: Service,
  sketches: Sketches,
  generate: readonly FamilyId[] = ['lifecycle'],
  mode: Mode = 'own',
  within: Readonly<Record<string, string>> = {},
): Promise<{ result: RunResult; called: Set<string>; learnt: string }> {
  const description = folder.write('reach.json', smallApi(sketches));
  const result = await runContract({ app: service.app, description, seed: 1, mode, generate, within });
  const called = new Set(
    result.coverage.flatMap(({ operation, statuses }) => (statuses.some((each) => each < 300) ? [operation] : [])),
  );
  return { result, called, learnt: (result.learnt ?? []).map(({ message }) => message).join('\n') };
}

export const failed = (result: RunResult): string[] =>
  failureLines(result, ({ name }, { message }) => `${name}: ${message}`);

/** Steps that a service did otherwise than the words of the description say. */
export const told = (result: RunResult): string[] =>
  allSteps(result).flatMap(({ name, warnings }) => (warnings.some(({ check }) => check === 'refused') ? [name] : []));

export const left = (service: Service): Item[] => [...service.stored.values()].flatMap((rows) => [...rows.values()]);

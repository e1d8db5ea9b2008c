import type { HttpRequest, HttpResponse } from '../../../src/core/http/message';
import { isJsonObject, type JsonValue } from '../../../src/core/json/json-value';
import { inferResourceModel } from '../../../src/resources/infer-resource-model';
import type { Behaviour, Binding, ResourceModel } from '../../../src/resources/model/binding';
import type { ResourceDescription } from '../../../src/resources/model/resource';
import { foldedName } from '../../../src/core/text/inflection';
import type { Operation } from '../../../src/openapi/model/operation';
import type { ApiModel } from '../../../src/openapi/model/api-model';
import { createServerParts } from '../../../src/library/create-mock-server';
import type { CreateMockServerOptions } from '../../../src/library/mock-options';
import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { valueMaker } from '../../corpus/make-value';
import { itemsOf, keyIn, keyOf } from '../../corpus/read-answer';
import { requestFor } from '../../corpus/request-for';
import { recorded } from '../recorded';

const ORIGIN = 'http://localhost:4010';

/** Sends one request somewhere. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

export interface Traffic {
  readonly api: ApiModel;
  readonly model: ResourceModel;
  readonly exchanges: readonly CleanExchange[];
}

/** What a client of a mock of the description sends that uses all of it: lists, creates, reads, changes and removes. */
export async function trafficOf(options: CreateMockServerOptions): Promise<Traffic> {
  const { api, mock } = await createServerParts(options);
  return drive(api, async (request) => mock.engine.handle(request));
}

export async function drive(api: ApiModel, send: Send): Promise<Traffic> {
  const model = inferResourceModel(api);
  const client = new Client(api, model, send);
  const resources = inOrder(model.resources);
  for (const resource of resources) await client.fill(resource);
  await client.callOthers();
  for (const resource of resources.reverse()) await client.empty(resource);
  return { api, model, exchanges: client.exchanges };
}

/** What others refer to, and what they lie below, comes before them. */
function inOrder(resources: readonly ResourceDescription[]): ResourceDescription[] {
  const sorted: ResourceDescription[] = [];
  const add = (resource: ResourceDescription, waiting: readonly ResourceDescription[]): void => {
    if (sorted.includes(resource) || waiting.includes(resource)) return;
    const needed = [
      ...resource.references.map(({ to }) => to),
      ...resource.scope.flatMap(({ parent }) => parent ?? []),
    ];
    for (const other of resources) if (needed.includes(other.path)) add(other, [...waiting, resource]);
    sorted.push(resource);
  };
  for (const resource of resources) add(resource, []);
  return sorted;
}

class Client {
  readonly exchanges: CleanExchange[] = [];
  private readonly made = new Map<ResourceDescription, JsonValue[]>();
  private readonly makeValue: ReturnType<typeof valueMaker>;

  private readonly api: ApiModel;
  private readonly model: ResourceModel;
  private readonly send: Send;

  constructor(api: ApiModel, model: ResourceModel, send: Send) {
    this.api = api;
    this.model = model;
    this.send = send;
    this.makeValue = valueMaker(api);
  }

  /** Lists, creates three, reads, changes and reads again. */
  async fill(resource: ResourceDescription): Promise<void> {
    const keys: JsonValue[] = [];
    this.made.set(resource, keys);
    await this.list(resource, keys);
    for (const seed of ['one', 'two', 'three']) await this.create(resource, keys, seed);
    await this.list(resource, keys);
    for (const behaviour of ['read', 'replace', 'update', 'read', 'upsert'] as const)
      for (const key of resource.kind === 'singleton' ? [undefined] : keys.slice(0, 3))
        await this.call(this.bound(resource, behaviour), key, behaviour);
  }

  private async list(resource: ResourceDescription, keys: JsonValue[]): Promise<void> {
    const list = this.bound(resource, 'list');
    const listed = await this.call(list, undefined);
    for (const item of (listed === undefined ? undefined : itemsOf(list?.response, listed)) ?? []) {
      const key = keyIn(item, resource);
      if (key !== undefined && !keys.includes(key)) keys.push(key);
    }
  }

  private async create(resource: ResourceDescription, keys: JsonValue[], seed: string): Promise<void> {
    const create = this.bound(resource, 'create');
    const response = await this.call(create, undefined, seed);
    if (create === undefined || response === undefined || response.status >= 300) return;
    const key = keyOf(resource, create, response);
    if (key !== undefined) keys.unshift(key);
  }

  /** Calls what is no reading and no change of one item. */
  async callOthers(): Promise<void> {
    for (const operation of this.api.operations) {
      const binding = this.model.bindings.get(operation);
      if (binding !== undefined && CRUD.has(binding.behaviour)) continue;
      const key = binding === undefined ? undefined : this.made.get(binding.resource)?.[0];
      await this.sendTo(operation, binding, key, 'one');
    }
  }

  /** Removes two, and finds them gone. */
  async empty(resource: ResourceDescription): Promise<void> {
    for (const key of this.made.get(resource)?.slice(0, 2) ?? []) {
      await this.call(this.bound(resource, 'remove'), key);
      await this.call(this.bound(resource, 'read'), key);
    }
  }

  private bound(resource: ResourceDescription, wanted: Behaviour): Binding | undefined {
    return [...this.model.bindings.values()].find(
      ({ resource: bound, behaviour }) => bound === resource && behaviour === wanted,
    );
  }

  private call(
    binding: Binding | undefined,
    key: JsonValue | undefined,
    seed = 'one',
  ): Promise<HttpResponse | undefined> {
    if (binding === undefined) return Promise.resolve(undefined);
    return this.sendTo(binding.operation, binding, key, seed);
  }

  private async sendTo(
    operation: Operation,
    binding: Binding | undefined,
    key: JsonValue | undefined,
    seed: string,
  ): Promise<HttpResponse | undefined> {
    const path: Record<string, JsonValue> = {};
    for (const { name, in: place } of operation.parameters)
      if (place === 'path') path[name] = (name === binding?.keyParameter ? key : undefined) ?? this.keyCalled(name);
    const { api, makeValue } = this;
    const made = requestFor(api, operation, ORIGIN, makeValue, { path, seed });
    if (made.kind === 'not-made') return undefined;
    const body = this.withKnown(made.body, binding);
    const again = body === made.body ? made : requestFor(api, operation, ORIGIN, makeValue, { path, seed, body });
    return again.kind === 'made' ? this.exchange(again.request) : undefined;
  }

  /** The key of something that a variable names: `shelfId` of a shelf. */
  private keyCalled(variable: string): JsonValue {
    for (const [{ name, path }, [key]] of this.made) {
      const noun = foldedName(path.split('/').findLast((word) => !word.includes('{')) ?? name);
      if (key !== undefined && foldedName(variable).startsWith(noun)) return key;
    }
    return 42;
  }

  /** With references to what is there. */
  private withKnown(body: JsonValue | undefined, binding: Binding | undefined): typeof body {
    if (!isJsonObject(body) || binding?.request?.path.length !== 0) return body;
    const known: Record<string, JsonValue> = {};
    for (const { property, to, form } of binding.resource.references) {
      const key = [...this.made].find(([{ path }]) => path === to)?.[1].at(-1);
      if (form === 'key' && key !== undefined && body[property] !== undefined) known[property] = key;
    }
    return Object.keys(known).length === 0 ? body : { ...body, ...known };
  }

  private async exchange(request: HttpRequest): Promise<HttpResponse> {
    const length = request.body.length === 0 ? [] : ['Content-Length', String(request.body.length)];
    const rawHeaders = [...request.rawHeaders, ...length];
    const headers = Object.fromEntries(
      rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1]]] : [])),
    );
    const sent: HttpRequest = { ...request, headers, rawHeaders };
    const response = await this.send(sent);
    this.exchanges.push(recorded(sent, response, ORIGIN));
    return response;
  }
}

const CRUD: ReadonlySet<Behaviour> = new Set(['list', 'create', 'read', 'replace', 'update', 'remove', 'upsert']);

import type { HttpRequest, HttpResponse } from '../../../src/core/http/message';
import type { JsonValue } from '../../../src/core/json/json-value';
import { inferResourceModel } from '../../../src/resources/infer-resource-model';
import type { Behaviour, Binding, ResourceModel } from '../../../src/resources/model/binding';
import type { ResourceDescription } from '../../../src/resources/model/resource';
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
  const client = new Client(api, send);
  const model = inferResourceModel(api);
  const byDepth = [...model.resources].sort((left, right) => left.scope.length - right.scope.length);
  for (const resource of byDepth) await client.fill(model, resource);
  await client.callOthers(model);
  for (const resource of byDepth.reverse()) await client.empty(model, resource);
  return { api, model, exchanges: client.exchanges };
}

class Client {
  readonly exchanges: CleanExchange[] = [];
  private readonly made = new Map<string, { readonly scope: readonly JsonValue[]; readonly keys: JsonValue[] }>();
  private readonly makeValue: ReturnType<typeof valueMaker>;

  constructor(
    private readonly api: ApiModel,
    private readonly send: Send,
  ) {
    this.makeValue = valueMaker(api);
  }

  async fill(model: ResourceModel, resource: ResourceDescription): Promise<void> {
    const scope = resource.scope.map(({ parent }) => this.made.get(parent ?? '')?.keys[0] ?? 'one');
    const keys: JsonValue[] = [];
    this.made.set(resource.path, { scope, keys });
    const bound = bindingsOf(model, resource);
    const list = bound('list');
    await this.call(list, scope, undefined);
    for (const seed of ['one', 'two', 'three']) {
      const create = bound('create');
      const response = await this.call(create, scope, undefined, seed);
      const key =
        create !== undefined && response !== undefined && response.status < 300
          ? keyOf(resource, create, response)
          : undefined;
      if (key !== undefined) keys.push(key);
    }
    const listed = await this.call(list, scope, undefined);
    const items = listed === undefined ? undefined : itemsOf(list?.response, listed);
    for (const item of items ?? []) {
      const key = keyIn(item, resource);
      if (key !== undefined && !keys.includes(key)) keys.push(key);
    }
    for (const behaviour of ['read', 'replace', 'update', 'read', 'upsert'] as const)
      for (const key of resource.kind === 'singleton' ? [undefined] : keys.slice(0, 3))
        await this.call(bound(behaviour), scope, key, behaviour);
  }

  async callOthers(model: ResourceModel): Promise<void> {
    for (const operation of this.api.operations) {
      const binding = model.bindings.get(operation);
      const isCrud = binding !== undefined && CRUD.has(binding.behaviour);
      if (isCrud) continue;
      const known = binding === undefined ? undefined : this.made.get(binding.resource.path);
      const path: Record<string, JsonValue> = {};
      binding?.scopeParameters.forEach((name, index) => (path[name] = known?.scope[index] ?? 'one'));
      const key = known?.keys[0];
      if (binding?.keyParameter !== undefined && key !== undefined) path[binding.keyParameter] = key;
      const made = requestFor(this.api, operation, ORIGIN, this.makeValue, { path });
      if (made.kind === 'made') await this.exchange(made.request);
    }
  }

  async empty(model: ResourceModel, resource: ResourceDescription): Promise<void> {
    const { scope, keys } = this.made.get(resource.path) ?? { scope: [], keys: [] };
    const bound = bindingsOf(model, resource);
    for (const key of keys.slice(0, 2)) {
      await this.call(bound('remove'), scope, key);
      await this.call(bound('read'), scope, key);
    }
  }

  private async call(
    binding: Binding | undefined,
    scope: readonly JsonValue[],
    key: JsonValue | undefined,
    seed = 'one',
  ): Promise<HttpResponse | undefined> {
    if (binding === undefined) return undefined;
    const path: Record<string, JsonValue> = {};
    binding.scopeParameters.forEach((name, index) => (path[name] = scope[index] ?? 'one'));
    if (binding.keyParameter !== undefined && key !== undefined) path[binding.keyParameter] = key;
    const { api, makeValue } = this;
    let made = requestFor(api, binding.operation, ORIGIN, makeValue, { path, seed });
    if (made.kind === 'not-made') return undefined;
    const { body } = made;
    const known: Record<string, JsonValue> = {};
    for (const { property, to, form } of binding.resource.references) {
      const other = this.made.get(to)?.keys.at(-1);
      if (form === 'key' && other !== undefined) known[property] = other;
    }
    if (typeof body === 'object' && body !== null && !Array.isArray(body) && binding.request?.path.length === 0)
      made = requestFor(api, binding.operation, ORIGIN, makeValue, { path, seed, body: { ...body, ...known } });
    return made.kind === 'made' ? this.exchange(made.request) : undefined;
  }

  private async exchange(request: HttpRequest): Promise<HttpResponse> {
    const headers: Record<string, string> = {};
    const raw =
      request.body.length === 0
        ? request.rawHeaders
        : [...request.rawHeaders, 'Content-Length', String(request.body.length)];
    raw.forEach((name, index) => {
      if (index % 2 === 0) headers[name.toLowerCase()] = raw[index + 1] ?? '';
    });
    const sent = { ...request, headers, rawHeaders: raw };
    const response = await this.send(sent);
    this.exchanges.push(recorded(sent, response, ORIGIN));
    return response;
  }
}

const CRUD: ReadonlySet<Behaviour> = new Set(['list', 'create', 'read', 'replace', 'update', 'remove', 'upsert']);

function bindingsOf(model: ResourceModel, resource: ResourceDescription): (wanted: Behaviour) => Binding | undefined {
  return (wanted) =>
    [...model.bindings.values()].find(({ resource: bound, behaviour }) => bound === resource && behaviour === wanted);
}

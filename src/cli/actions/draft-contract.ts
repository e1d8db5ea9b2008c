import { stemOf } from '../../traffic/contract/placeholder-order';
import { type SourceFinding, StandinError } from '../../core/errors/standin-error';
import { headerValue } from '../../core/http/headers';
import type { HttpResponse } from '../../core/http/message';
import { joinPointer } from '../../core/json/json-pointer';
import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { CONTRACT_FORMAT } from '../../formats/contract/contract';
import { readContract } from '../../formats/contract/contract-reader';
import type { TellProgress } from '../../core/text/progress';
import type { ServerParts } from '../../library/create-mock-server';
import type { OperationPlan } from '../../mock/plans/operation-plan';
import type { Resource } from '../../mock/state/prepared-resource';
import { firstKey } from '../../explain/route';
import { createInProcessTransport } from '../../network/target';
import { type Run, startRun } from '../../runner/exchange/run-state';
import { prepareStep } from '../../runner/steps/step-request';
import {
  type CapturedKey,
  type Draft,
  draftBodies,
  type DraftStep,
  type DraftVariable,
  pathParameters,
  requiredParameters,
  stepValue,
} from './draft';

/** Key that the mock takes when it is given none. */
const API_KEY = 'test-key';
const RUN_ID = '1a2b3c4d';

/**
 * One step for each operation: first what makes things, parents before what is below them, then all else as the
 * description has it, and the removals last, in the other order. Each is tried at the mock as it is drafted: things that a step made are
 * named by what it captured, other ones by variables whose default leads to an item of the mock.
 */
export async function draftContract(parts: ServerParts, tell?: TellProgress): Promise<Draft> {
  const drafting = new ContractDrafter(parts);
  const steps: DraftStep[] = [];
  const plans = inOrder(parts);
  for (const [done, plan] of plans.entries()) {
    tell?.({ phase: 'trying', what: 'operations', done, total: plans.length });
    steps.push(await drafting.step(plan));
  }
  const used = new Set(
    JSON.stringify(
      steps.map((step) => [step.parameters, step.body]),
      plain,
    ).match(/\$\{\w+\}/g),
  );
  const variables = drafting.names.variables.filter(({ name }) => used.has(`\${${name}}`));
  return { title: parts.api.title, variables, steps };
}

function plain(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function inOrder({ mock }: ServerParts): OperationPlan[] {
  const plans = mock.context.plans.all();
  const creations = new Set(
    plans.flatMap(({ behaviour }) => (behaviour?.kind === 'create' ? [behaviour.resource.path] : [])),
  );
  const rank = (plan: OperationPlan): number => {
    const { operation, behaviour } = plan;
    const depth = operation.path.split('/').length;
    const needs =
      behaviour === undefined ? depth : needsOf(behaviour.resource, creations, mock.resources) * DEEPEST + depth;
    if (operation.method === 'DELETE') return LAST - needs;
    return behaviour?.kind === 'create' ? needs : MIDDLE;
  };
  return plans
    .map((plan) => ({ plan, rank: rank(plan) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ plan }) => plan);
}

/** Of ranks: paths have fewer segments, and creations refer to each other over fewer others. */
const DEEPEST = 1000;
const MIDDLE = 1_000_000;
const LAST = 2_000_000;

/** How many creations have to come before one, one after the other: of its parents, and of what it refers to. */
function needsOf(
  { path, references, scope }: Resource,
  creations: ReadonlySet<string>,
  resources: readonly Resource[],
  above: readonly string[] = [],
): number {
  if (above.includes(path)) return 0;
  const needed = [...references.map(({ to }) => to), ...scope.map(({ parent }) => parent)];
  const levels = resources.flatMap((each) => {
    if (each.path === path || !needed.includes(each.path) || !creations.has(each.path)) return [];
    return [1 + needsOf(each, creations, resources, [...above, path])];
  });
  return Math.max(0, ...levels);
}

class ContractDrafter {
  readonly names = new DraftNames();
  private readonly parts: ServerParts;
  private readonly run: Run;
  /** By path of the resource. */
  private readonly made = new Map<string, CapturedKey>();
  private readonly values = new Map<string, JsonValue>([['runId', RUN_ID]]);

  constructor(parts: ServerParts) {
    this.parts = parts;
    const { api, mock } = parts;
    const transport = createInProcessTransport(mock.engine);
    const baseUrl = `http://127.0.0.1:4010${mock.context.basePath}`;
    this.run = startRun({ version: '', api, transport, baseUrl, apiKey: API_KEY, runId: RUN_ID, mode: 'full' });
  }

  async step(plan: OperationPlan): Promise<DraftStep> {
    const { operation } = plan;
    let first: DraftStep | undefined;
    for (const step of this.attempts(plan)) {
      const response = await this.send(step);
      if (typeof response !== 'string' && response.status < 400) return this.settled(plan, step, response);
      first ??= { ...step, pending: typeof response === 'string' ? response : rejectionReason(response) };
    }
    const nothing = { parameters: {}, body: undefined, status: plan.successStatus, capture: undefined };
    return first ?? { operation, ...nothing, pending: 'no request could be made up for it' };
  }

  /** Requests to try, the best first: at what earlier steps made, then at rows of the mock. */
  private *attempts(plan: OperationPlan): Generator<DraftStep> {
    const { operation } = plan;
    const required = requiredParameters(this.parts, operation);
    for (const usesMade of this.made.size === 0 ? [false] : [true, false]) {
      const chosen = pathParameters(this.parts, plan, usesMade ? this.made : new Map<string, CapturedKey>());
      const path = Object.fromEntries(
        chosen.map(({ key, placeholder, value }) => {
          if (placeholder !== undefined) return [key, placeholder];
          const name = this.names.variable(key, value);
          this.values.set(name, value);
          return [key, `\${${name}}`];
        }),
      );
      for (const body of draftBodies(this.parts, plan, (to) => this.made.get(to) ?? this.seeded(to))) {
        const parameters = { ...path, ...required };
        yield { operation, parameters, body, status: plan.successStatus, capture: undefined, pending: undefined };
      }
      if (chosen.every(({ placeholder }) => placeholder === undefined)) return;
    }
  }

  /** An item of the mock for what no step makes, as a variable. */
  private seeded(path: string): CapturedKey | undefined {
    const key = firstKey(this.parts, path);
    if (key === undefined) return undefined;
    const value = typeof key === 'bigint' ? String(key) : key;
    const name = this.names.variable(keyParameterOf(this.parts, path) ?? 'id', value);
    this.values.set(name, value);
    return { name, value };
  }

  /** @returns why there is no response, in place of it */
  private async send(step: DraftStep): Promise<HttpResponse | string> {
    const variables = Object.fromEntries([...this.values].filter(([name]) => name !== 'runId'));
    const root = { standin: CONTRACT_FORMAT, name: 'draft', variables, steps: [stepValue(step)] };
    const document = { file: 'draft', root, locationOf: () => undefined };
    const findings: SourceFinding[] = [];
    const contract = readContract(document, this.parts.api.operations, findings);
    const [read] = contract?.steps ?? [];
    if (contract === undefined || read === undefined) return findings[0]?.message ?? 'it cannot be written';
    try {
      return await this.run.transport.send(prepareStep(this.run, contract, read, this.values).request);
    } catch (error) {
      if (error instanceof StandinError) return error.message;
      throw error;
    }
  }

  private settled({ behaviour }: OperationPlan, step: DraftStep, answer: HttpResponse): DraftStep {
    const settled = { ...step, status: answer.status };
    if (behaviour?.kind !== 'create' || this.made.has(behaviour.resource.path)) return settled;
    const { resource } = behaviour;
    const found = keyIn(answer, resource.keyMember);
    if (found === undefined) return settled;
    const parameter = keyParameterOf(this.parts, resource.path) ?? resource.keyMember;
    const name = this.names.capture(parameter);
    this.made.set(resource.path, { name, value: found.value });
    this.values.set(name, found.value);
    return { ...settled, capture: { name, from: found.from } };
  }
}

function keyParameterOf({ mock }: ServerParts, path: string): string | undefined {
  const plan = mock.context.plans.all().find(({ behaviour }) => {
    return behaviour?.resource.path === path && behaviour.binding.keyParameter !== undefined;
  });
  return plan?.behaviour?.binding.keyParameter;
}

interface FoundKey {
  readonly value: JsonValue;
  readonly from: JsonValue;
}

/** Where a response to a creation shows the key: in its body, however deep, else at the end of its Location. */
function keyIn({ headers, body }: HttpResponse, property: string): FoundKey | undefined {
  const inBody = bodyOf(body);
  const found = inBody === undefined ? undefined : propertyIn(inBody, property.split('.').at(-1) ?? property, '');
  if (found !== undefined) return { value: found.value, from: `$response.body#${found.pointer}` };
  const [, last] = /([^/?#]+)\/?(?:[?#].*)?$/.exec(headerValue(headers, 'location') ?? '') ?? [];
  if (last === undefined) return undefined;
  return { value: decodeURIComponent(last), from: { from: '$response.header.Location', pattern: '([^/?#]+)/?$' } };
}

function bodyOf(body: HttpResponse['body']): JsonValue | undefined {
  if (body === undefined || body.length === 0) return undefined;
  try {
    return parseJson(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** The nearest property of the name, in the body itself or in objects of it. */
function propertyIn(
  body: JsonValue,
  name: string,
  pointer: string,
): { readonly value: JsonValue; readonly pointer: string } | undefined {
  let level: { readonly value: JsonValue; readonly pointer: string }[] = [{ value: body, pointer }];
  for (let depth = 0; depth < 4; depth++) {
    for (const { value, pointer: at } of level) {
      const own = isJsonObject(value) ? value[name] : undefined;
      if (typeof own === 'string' || typeof own === 'number' || typeof own === 'bigint')
        return { value: own, pointer: joinPointer(at, name) };
    }
    level = level.flatMap(({ value, pointer: at }) =>
      isJsonObject(value)
        ? Object.entries(value).map(([key, property]) => ({ value: property, pointer: joinPointer(at, key) }))
        : [],
    );
  }
  return undefined;
}

/** `404 not_found: There is none`, as far as the response says so. */
function rejectionReason({ status, body }: HttpResponse): string {
  const value = bodyOf(body);
  const texts = isJsonObject(value ?? null) ? Object.values(value as JsonObject) : [];
  const said = texts
    .flatMap((text) => (typeof text === 'string' ? [text] : []))
    .sort((one, other) => other.length - one.length)[0];
  return `the mock returned ${status}${said === undefined ? '' : `: ${said}`}`;
}

/** Gives names to what placeholders stand for, each another one. */
class DraftNames {
  readonly variables: DraftVariable[] = [];
  private readonly used = new Set(['runId']);

  /** Of a captured key. @param parameter - that holds it in paths */
  capture(parameter: string): string {
    return this.free(nameOf(parameter));
  }

  /** Of something that no step makes: one variable for one value of one name. */
  variable(parameter: string, value: JsonValue): string {
    const stem = nameOf(parameter);
    const same = this.variables.find((each) => stemOf(each.name) === stem && equalJson(each.value, value));
    if (same !== undefined) return same.name;
    const name = this.free(stem);
    this.variables.push({ name, value });
    return name;
  }

  private free(stem: string): string {
    let name = stem;
    for (let number = 2; this.used.has(name); number++) name = `${stem}_${number}`;
    this.used.add(name);
    return name;
  }
}

function nameOf(parameter: string): string {
  const plain = parameter.replace(/[^A-Za-z0-9_]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
  const name = plain.replace(/_\d+$/, '');
  return /^[A-Za-z]/.test(name) ? name : `value${name}`;
}

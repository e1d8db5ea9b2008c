import type { SourceFinding } from '../errors/source-finding';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { joinPointer } from '../json/json-pointer';
import type { ApiModel, Operation } from '../openapi/model';
import type { SourceDocument } from '../openapi/source-document';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { Binding, ResourceDescription, ResourceModel } from '../resources/resource-model';
import type { OperationStatement, Overrides, ResourceStatement } from '../resources/statements';
import { FormatJudge } from './member-reader';
import { operationNamed, RULE } from './overrides';

/** Every statement asks for the model without it: more of them than this are not tried one by one. */
const MOST_TRIED = 100;

/**
 * What overrides say that comes to nothing: a member that items do not have, a resource that is not kept, and what is
 * read so without being said. Whoever writes them believes that they act.
 *
 * @param document - the overrides, which were read without a finding
 */
export function overridesWithoutEffect(document: SourceDocument, api: ApiModel, overrides: Overrides): SourceFinding[] {
  const judge = new FormatJudge(document, RULE);
  const model = inferResourceModel(api, overrides);
  const effects = new Effects(api, overrides, model);
  for (const [path, statement] of overrides.resources) {
    const pointer = joinPointer('/resources', path);
    const resource = model.resources.find((each) => each.path === path);
    if (statement.isStateless) {
      if (effects.isIdle({ resources: without(overrides.resources, path) }))
        judge.refuse(pointer, `Nothing is kept at ${path}, said or not`, undefined, 'Leave it out.');
      continue;
    }
    if (statement.sameAs !== undefined)
      judgeJoined({ path, other: statement.sameAs }, joinPointer(pointer, 'sameAs'), effects, judge);
    else if (resource === undefined) judge.refuseName(pointer, `Nothing is kept at ${path}`, path, paths(model), KEPT);
    else judgeResource(resource, statement, pointer, effects, judge);
  }
  for (const { name, pointer } of entriesOf(document)) {
    const operation = operationNamed(api, name);
    const statement = operation === undefined ? undefined : overrides.operations.get(operation);
    if (operation === undefined || statement === undefined) continue;
    judgeOperation(operation, statement, pointer, effects, judge);
  }
  return [...judge.findings];
}

const KEPT = 'What is kept has operations that create, list or read it; standin explain shows them.';

/** What is said to be another collection must be one, and say which items of the other it means. */
function judgeJoined(
  { path, other }: { readonly path: string; readonly other: string },
  pointer: string,
  effects: Effects,
  judge: FormatJudge,
): void {
  const { overrides, model } = effects;
  const further = overrides.resources.get(other)?.sameAs;
  if (further !== undefined)
    judge.refuse(pointer, `${other} is itself said to be the same as ${further}`, undefined, `Say ${further} here.`);
  else if (!paths(model).includes(other))
    judge.refuseName(pointer, `Nothing is kept at ${other}`, other, paths(model), KEPT);
  else if (paths(model).includes(path)) judge.refuse(pointer, `${path} is a single record, not a collection`);
  else {
    const isHere = ({ path: at }: Operation): boolean => at === path || at.startsWith(`${path}/{`);
    const lost = [...model.unbound.keys()].find(isHere);
    if (lost !== undefined && ![...model.bindings.keys()].some(isHere))
      judge.refuse(pointer, `${lost.method} ${lost.path} cannot act on ${other}: ${model.unbound.get(lost) ?? ''}`);
    else if (effects.isIdle({ resources: without(overrides.resources, path) }))
      judge.refuse(pointer, `${path} is the same as ${other} anyway`, undefined, 'Leave it out.');
  }
}

function judgeResource(
  resource: ResourceDescription,
  statement: ResourceStatement,
  pointer: string,
  effects: Effects,
  judge: FormatJudge,
): void {
  const { path, key, properties } = resource;
  const members = [...properties.keys()];
  const before = judge.findings.length;
  if (statement.key !== undefined && members.length > 0 && !hasKey(resource, statement.key))
    judge.refuseName(
      joinPointer(pointer, 'key'),
      `Items of ${path} have no member "${statement.key}"`,
      statement.key,
      members,
      key.shownAt.length > 0 ? 'A member of a member is written with dots: metadata.name.' : undefined,
    );
  for (const [member, target] of statement.references) {
    const at = joinPointer(joinPointer(pointer, 'references'), member);
    if (members.length > 0 && !properties.has(member))
      judge.refuseName(at, `Items of ${path} have no member "${member}"`, member, members);
    else if (target !== false && !paths(effects.model).includes(target))
      judge.refuseName(at, `No items are kept at ${target}`, target, paths(effects.model));
  }
  if (judge.findings.length > before) return;
  if (effects.isIdle({ resources: without(effects.overrides.resources, path) }))
    judge.refuse(pointer, `What is said of ${path} changes nothing: it is read so anyway`, undefined, 'Leave it out.');
}

/** Does a key lead to a member of the items? */
function hasKey({ key, properties }: ResourceDescription, stated: string): boolean {
  if (properties.has(stated)) return true;
  return key.shownAt.length > 0 && key.property !== undefined;
}

function judgeOperation(
  operation: Operation,
  statement: OperationStatement,
  pointer: string,
  effects: Effects,
  judge: FormatJudge,
): void {
  const binding = effects.model.bindings.get(operation);
  const { resource, behaviour, filters, accept } = statement;
  if (resource !== undefined && binding?.resource.path !== resource)
    refuseResource(operation, resource, pointer, effects.model, judge);
  else if (behaviour !== undefined && binding?.behaviour !== behaviour) {
    const why = binding === undefined ? effects.model.unbound.get(operation) : `it is "${binding.behaviour}"`;
    const message = `${operation.id} cannot be "${behaviour}": ${why ?? 'nothing is kept there'}`;
    judge.refuse(
      joinPointer(pointer, 'behaviour'),
      message,
      undefined,
      'Say on which resource too: resource: /things.',
    );
  } else if (badFilter(binding, filters, pointer, judge)) return;
  // How media types are negotiated is no matter of the model.
  else if (accept === undefined && effects.isIdle({ operations: without(effects.overrides.operations, operation) })) {
    const message = `What is said of ${operation.id} changes nothing: it is read so anyway`;
    judge.refuse(pointer, message, undefined, 'Leave it out.');
  }
}

function refuseResource(
  operation: Operation,
  resource: string,
  pointer: string,
  model: ResourceModel,
  judge: FormatJudge,
): void {
  const at = joinPointer(pointer, 'resource');
  const kept = paths(model);
  const acting = model.bindings.get(operation)?.resource.path;
  if (acting === undefined || !kept.includes(resource))
    judge.refuseName(at, `Nothing is kept at ${resource}`, resource, kept, KEPT);
  else judge.refuseName(at, `${operation.id} acts on ${acting} all the same, not on ${resource}`, resource, kept);
}

/** Tells of filters by members that items do not have. @returns whether there are any */
function badFilter(
  binding: Binding | undefined,
  filters: OperationStatement['filters'],
  pointer: string,
  judge: FormatJudge,
): boolean {
  const members = [...(binding?.resource.properties.keys() ?? [])];
  const bad = [...filters].filter(
    ([, member]) => member !== false && members.length > 0 && !members.includes(member.split('.')[0] ?? ''),
  );
  for (const [name, member] of bad)
    judge.refuseName(
      joinPointer(joinPointer(pointer, 'filters'), name),
      `Items of ${binding?.resource.path ?? ''} have no member "${String(member)}"`,
      String(member),
      members,
    );
  return bad.length > 0;
}

/** What a model is, and what it would be without one of the statements. */
class Effects {
  readonly overrides: Overrides;
  readonly model: ResourceModel;
  private readonly api: ApiModel;
  private readonly whole: string;
  private tried = 0;

  constructor(api: ApiModel, overrides: Overrides, model: ResourceModel) {
    this.api = api;
    this.overrides = overrides;
    this.model = model;
    this.whole = outline(model);
  }

  /** Would everything be the same with these statements alone? */
  isIdle(statements: Partial<Overrides>): boolean {
    this.tried += 1;
    if (this.tried > MOST_TRIED) return false;
    return outline(inferResourceModel(this.api, { ...this.overrides, ...statements })) === this.whole;
  }
}

/** What a model comes to, without the reasons for it. */
function outline({ resources, bindings, unbound }: ResourceModel): string {
  return JSON.stringify(
    [
      resources.map(({ path, kind, key, schema, references, counts, scope, confidence }) => [
        path,
        kind,
        [key.member, key.shownAt],
        schema.pointer,
        references,
        counts,
        scope,
        confidence,
      ]),
      [...bindings].map(([{ id }, binding]) => [
        id,
        binding.behaviour,
        binding.resource.path,
        binding.action ?? null,
        binding.parameters,
        binding.keyParameter,
        binding.confidence,
      ]),
      [...unbound.keys()].map(({ id }) => id),
    ],
    plain,
  );
}

/** Maps and large integers as JSON can write them. */
function plain(_: string, value: unknown): unknown {
  if (value instanceof Map) return [...(value as ReadonlyMap<unknown, unknown>)];
  return typeof value === 'bigint' ? String(value) : value;
}

function without<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Map<Key, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

function paths({ resources }: ResourceModel): string[] {
  return resources.map(({ path }) => path);
}

/** The operations of the document, as they are written. */
function entriesOf({ root }: SourceDocument): { readonly name: string; readonly pointer: string }[] {
  const operations: JsonValue | undefined = isJsonObject(root) ? root['operations'] : undefined;
  if (!isJsonObject(operations)) return [];
  return Object.keys(operations).map((name) => ({ name, pointer: joinPointer('/operations', name) }));
}

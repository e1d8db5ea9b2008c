import type { SourceFinding } from '../core/errors/standin-error';
import { isJsonObject, type JsonValue } from '../core/json/json-value';
import { joinPointer } from '../core/json/json-pointer';
import type { Operation } from '../openapi/model/operation';
import type { ApiModel } from '../openapi/model/api-model';
import type { SourceDocument } from '../openapi/read/source-document';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { ResourceDescription } from '../resources/model/resource';
import type { Binding, ResourceModel } from '../resources/model/binding';
import type { OperationStatement, Overrides, ResourceStatement } from '../resources/overrides/statements';

import { FormatDiagnostics } from './decode';
import { operationNamed, OVERRIDES_RULE } from './overrides';

/** Every statement asks for the model without it: more of them than this are not tried one by one. */
const MAX_TRIED = 100;

/**
 * What overrides say that comes to nothing: a property that items do not have, a resource that is not kept, and what is
 * read so without being said. Who writes them believes that they act.
 *
 * @param document - the overrides, which were read without a finding
 */
export function overridesWithoutEffect(document: SourceDocument, api: ApiModel, overrides: Overrides): SourceFinding[] {
  const validate = new FormatDiagnostics(document, OVERRIDES_RULE);
  const model = inferResourceModel(api, overrides);
  const effects = new Effects(api, overrides, model);
  for (const [path, statement] of overrides.resources) {
    const pointer = joinPointer('/resources', path);
    const resource = model.resources.find((each) => each.path === path);
    if (statement.isStateless) {
      if (effects.hasNoEffect({ resources: without(overrides.resources, path) }))
        validate.add(pointer, `Nothing is kept at ${path}, said or not`, undefined, 'Leave it out.');
      continue;
    }
    if (statement.sameAs !== undefined)
      checkSameAs({ path, other: statement.sameAs }, joinPointer(pointer, 'sameAs'), effects, validate);
    else if (resource === undefined)
      validate.addUnknownName(pointer, `Nothing is kept at ${path}`, path, paths(model), STATEFUL_HINT);
    else checkResource(resource, statement, pointer, effects, validate);
  }
  for (const { name, pointer } of entriesOf(document)) {
    const operation = operationNamed(api, name);
    const statement = operation === undefined ? undefined : overrides.operations.get(operation);
    if (operation === undefined || statement === undefined) continue;
    checkOperation(operation, statement, pointer, effects, validate);
  }
  return [...validate.findings];
}

const STATEFUL_HINT = 'What is kept has operations that create, list or read it; standin explain shows them.';

/** What is said to be another collection must be one, and say which items of the other it means. */
function checkSameAs(
  { path, other }: { readonly path: string; readonly other: string },
  pointer: string,
  effects: Effects,
  validate: FormatDiagnostics,
): void {
  const { overrides, model } = effects;
  const further = overrides.resources.get(other)?.sameAs;
  if (further !== undefined)
    validate.add(pointer, `${other} is itself said to be the same as ${further}`, undefined, `Say ${further} here.`);
  else if (!paths(model).includes(other))
    validate.addUnknownName(pointer, `Nothing is kept at ${other}`, other, paths(model), STATEFUL_HINT);
  else if (paths(model).includes(path)) validate.add(pointer, `${path} is a single record, not a collection`);
  else {
    const isHere = ({ path: at }: Operation): boolean => at === path || at.startsWith(`${path}/{`);
    const lost = [...model.unboundReasons.keys()].find(isHere);
    if (lost !== undefined && ![...model.bindings.keys()].some(isHere))
      validate.add(
        pointer,
        `${lost.method} ${lost.path} cannot act on ${other}: ${model.unboundReasons.get(lost) ?? ''}`,
      );
    else if (effects.hasNoEffect({ resources: without(overrides.resources, path) }))
      validate.add(pointer, `${path} is the same as ${other} anyway`, undefined, 'Leave it out.');
  }
}

function checkResource(
  resource: ResourceDescription,
  statement: ResourceStatement,
  pointer: string,
  effects: Effects,
  validate: FormatDiagnostics,
): void {
  const { path, key, properties } = resource;
  const members = [...properties.keys()];
  const before = validate.findings.length;
  if (statement.key !== undefined && members.length > 0 && !hasKey(resource, statement.key))
    validate.addUnknownName(
      joinPointer(pointer, 'key'),
      `Items of ${path} have no property "${statement.key}"`,
      statement.key,
      members,
      key.propertyPath.length > 0 ? 'A property of a property is written with dots: metadata.name.' : undefined,
    );
  for (const [property, target] of statement.references) {
    const at = joinPointer(joinPointer(pointer, 'references'), property);
    if (members.length > 0 && !properties.has(property))
      validate.addUnknownName(at, `Items of ${path} have no property "${property}"`, property, members);
    else if (target !== false && !paths(effects.model).includes(target))
      validate.addUnknownName(at, `No items are kept at ${target}`, target, paths(effects.model));
  }
  if (validate.findings.length > before) return;
  if (effects.hasNoEffect({ resources: without(effects.overrides.resources, path) }))
    validate.add(pointer, `What is said of ${path} changes nothing: it is read so anyway`, undefined, 'Leave it out.');
}

/** Does a key lead to a property of the items? */
function hasKey({ key, properties }: ResourceDescription, stated: string): boolean {
  if (properties.has(stated)) return true;
  return key.propertyPath.length > 0 && key.property !== undefined;
}

function checkOperation(
  operation: Operation,
  statement: OperationStatement,
  pointer: string,
  effects: Effects,
  validate: FormatDiagnostics,
): void {
  const binding = effects.model.bindings.get(operation);
  const { resource, behaviour, filters, accept } = statement;
  if (resource !== undefined && binding?.resource.path !== resource)
    addWrongResource(operation, resource, pointer, effects.model, validate);
  else if (behaviour !== undefined && binding?.behaviour !== behaviour) {
    const why = binding === undefined ? effects.model.unboundReasons.get(operation) : `it is "${binding.behaviour}"`;
    const message = `${operation.id} cannot be "${behaviour}": ${why ?? 'nothing is kept there'}`;
    validate.add(
      joinPointer(pointer, 'behaviour'),
      message,
      undefined,
      'Say on which resource too: resource: /things.',
    );
  } else if (checkFilters(binding, filters, pointer, validate)) return;
  // How media types are negotiated is no matter of the model.
  else if (
    accept === undefined &&
    effects.hasNoEffect({ operations: without(effects.overrides.operations, operation) })
  ) {
    const message = `What is said of ${operation.id} changes nothing: it is read so anyway`;
    validate.add(pointer, message, undefined, 'Leave it out.');
  }
}

function addWrongResource(
  operation: Operation,
  resource: string,
  pointer: string,
  model: ResourceModel,
  validate: FormatDiagnostics,
): void {
  const at = joinPointer(pointer, 'resource');
  const stored = paths(model);
  const acting = model.bindings.get(operation)?.resource.path;
  if (acting === undefined || !stored.includes(resource))
    validate.addUnknownName(at, `Nothing is kept at ${resource}`, resource, stored, STATEFUL_HINT);
  else
    validate.addUnknownName(at, `${operation.id} acts on ${acting} all the same, not on ${resource}`, resource, stored);
}

/** Tells of filters by properties that items do not have. @returns whether there are any */
function checkFilters(
  binding: Binding | undefined,
  filters: OperationStatement['filters'],
  pointer: string,
  validate: FormatDiagnostics,
): boolean {
  const properties = [...(binding?.resource.properties.keys() ?? [])];
  const bad = [...filters].filter(
    ([, property]) => property !== false && properties.length > 0 && !properties.includes(property.split('.')[0] ?? ''),
  );
  for (const [name, member] of bad)
    validate.addUnknownName(
      joinPointer(joinPointer(pointer, 'filters'), name),
      `Items of ${binding?.resource.path ?? ''} have no property "${String(member)}"`,
      String(member),
      properties,
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
  hasNoEffect(statements: Partial<Overrides>): boolean {
    this.tried += 1;
    if (this.tried > MAX_TRIED) return false;
    return outline(inferResourceModel(this.api, { ...this.overrides, ...statements })) === this.whole;
  }
}

/** What a model comes to, without the reasons for it. */
function outline({ resources, bindings, unboundReasons }: ResourceModel): string {
  return JSON.stringify(
    [
      resources.map(({ path, kind, key, schema, references, counts, scope, confidence }) => [
        path,
        kind,
        [key.name, key.propertyPath],
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
      [...unboundReasons.keys()].map(({ id }) => id),
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

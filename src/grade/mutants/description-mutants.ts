import { getAtPointer, joinPointer, parsePointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import { getOrCreate } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation, Parameter } from '../../openapi/model/operation';
import { samplerOf } from '../../payload/sampler/sampler';
import type { SchemaNode } from '../../payload/sampler/schema-node';
import type { GradedApi, Mutant } from './mutant';
import { placesOf } from './places';

/** A document without what stands at a pointer, or with something else there. */
function editPointer(root: JsonValue, pointer: string, value: JsonValue | undefined): JsonValue {
  return editAlong(root, parsePointer(pointer), value);
}

function editAlong(at: JsonValue, [name, ...inner]: readonly string[], value: JsonValue | undefined): JsonValue {
  if (name === undefined) return value ?? null;
  if (Array.isArray(at)) {
    const kept = at.map((item, index) => (String(index) === name ? next(item, inner, value) : item));
    return kept.filter((item) => item !== undefined);
  }
  if (!isJsonObject(at)) return at;
  const copy: Record<string, JsonValue> = {};
  for (const [each, content] of Object.entries(at)) {
    const changed = each === name ? next(content, inner, value) : content;
    if (changed !== undefined) setProperty(copy, each, changed);
  }
  if (inner.length === 0 && value !== undefined) setProperty(copy, name, value);
  return copy;
}

function next(at: JsonValue, inner: readonly string[], value: JsonValue | undefined): JsonValue | undefined {
  return inner.length === 0 ? value : editAlong(at, inner, value);
}

/** What a schema demands of a value, and what a service does that does not look. */
const DEMANDS: Readonly<Record<string, (value: string) => string>> = {
  enum: (value) => `other values than ${value} are accepted`,
  const: (value) => `other values than ${value} are accepted`,
  minimum: (value) => `less than ${value} is accepted`,
  maximum: (value) => `more than ${value} is accepted`,
  exclusiveMinimum: () => `the least value is not looked at`,
  exclusiveMaximum: () => `the greatest value is not looked at`,
  multipleOf: (value) => `what is no multiple of ${value} is accepted`,
  minLength: (value) => `texts shorter than ${value} are accepted`,
  maxLength: (value) => `texts longer than ${value} are accepted`,
  pattern: (value) => `texts that do not match ${value} are accepted`,
  format: (value) => `what is no ${value} is accepted`,
  minItems: (value) => `lists of fewer than ${value} are accepted`,
  maxItems: (value) => `lists of more than ${value} are accepted`,
  uniqueItems: () => `lists with the same item twice are accepted`,
  additionalProperties: () => 'properties that nothing declares are accepted',
  nullable: () => 'null is refused',
  readOnly: () => 'clients may set it',
  default: (value) => `the default ${value} is not set`,
  type: (value) => `what is no ${value} is accepted`,
};
/** Of things that are both: without a type nothing is known of what is in them. */
const CONTAINERS = new Set(['object', 'array']);

interface Asked {
  readonly pointer: string;
  readonly schema: { readonly [name: string]: JsonValue };
  readonly name: string;
  /** Is it the text of a parameter, which has every type? */
  readonly isText: boolean;
  readonly operations: Set<string>;
}

/** A service that does not look at something that its description demands of requests. */
export function* uncheckedDemands({ api }: GradedApi): Generator<Mutant> {
  const asked = new Map<string, Asked>();
  for (const operation of api.operations) {
    for (const { name, node, isText } of askedOf(api, operation)) {
      for (const { pointer, value } of node.places) {
        if (!isJsonObject(value)) continue;
        const known = getOrCreate(asked, pointer, () => ({
          ...{ pointer, name, isText, schema: value },
          operations: new Set<string>(),
        }));
        known.operations.add(operation.id);
      }
    }
  }
  for (const each of asked.values()) yield* demandsOf(each);
  yield* demandedPresence(api.operations);
}

type AskedNode = Pick<Asked, 'name' | 'isText'> & { readonly node: SchemaNode };

function* askedOf(api: ApiModel, operation: Operation): Generator<AskedNode> {
  const sampler = samplerOf(api);
  for (const { schema, name, contentType } of operation.parameters)
    if (schema !== undefined && contentType === undefined)
      yield* withPlaces(name, sampler.nodeOf(schema, 'request'), true);
  for (const { schema } of operation.requestBody?.content ?? [])
    if (schema !== undefined) yield* withPlaces('the body', sampler.nodeOf(schema, 'request'), false);
}

function* withPlaces(name: string, node: SchemaNode, isText: boolean): Generator<AskedNode> {
  yield { name, node, isText };
  for (const place of placesOf(node)) yield { name: place.path.join('.'), node: place.node, isText };
}

function* demandsOf(asked: Asked): Generator<Mutant> {
  const { pointer, schema, name, operations } = asked;
  for (const [keyword, words] of Object.entries(DEMANDS)) {
    const value = schema[keyword];
    if (value === undefined || (value === false) !== (keyword === 'additionalProperties')) continue;
    if (isImplied(keyword, asked)) continue;
    // The format of a number is a bound as well.
    const alike = BOUNDS.has(keyword) && INTEGERS.has(formatOf(schema)) ? [joinPointer(pointer, 'format')] : [];
    yield edited([joinPointer(pointer, keyword), ...alike], `of ${name}, ${words(previewValue(value))}`, operations);
  }
  const { required } = schema;
  if (!Array.isArray(required)) return;
  for (const [index, property] of required.entries())
    yield edited(
      [joinPointer(joinPointer(pointer, 'required'), String(index))],
      `${previewValue(property)} of ${name} may be missing`,
      operations,
    );
}

function formatOf(schema: Asked['schema']): string {
  const { format } = schema;
  return typeof format === 'string' ? format : '';
}

const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']);
const INTEGERS = new Set(['int32', 'int64']);

/** Does something else that the schema says demand the same? Then a service that does not look at it makes no mistake. */
function isImplied(keyword: string, { schema, isText }: Asked): boolean {
  if (keyword === 'type') {
    const type = schema['type'];
    const isListed = schema['enum'] !== undefined || schema['const'] !== undefined;
    return typeof type !== 'string' || CONTAINERS.has(type) || isListed || (isText && type === 'string');
  }
  const isBound = keyword === 'format' && INTEGERS.has(formatOf(schema));
  return isBound && [...BOUNDS].some((each) => schema[each] !== undefined);
}

function edited(pointers: readonly [string, ...string[]], words: string, operations: ReadonlySet<string>): Mutant {
  const edit = (root: JsonValue): JsonValue => pointers.reduce((at, each) => editPointer(at, each, undefined), root);
  const [pointer] = pointers;
  return { id: `unchecked ${pointer}`, words, pointer, operations, defect: { kind: 'mock', edit } };
}

/** Parameters and bodies that have to be there. */
function* demandedPresence(operations: readonly Operation[]): Generator<Mutant> {
  const parameters = new Map<string, { readonly parameter: Parameter; readonly operations: Set<string> }>();
  for (const { id, parameters: own, requestBody } of operations) {
    for (const parameter of own.filter(({ in: place, required }) => required && place !== 'path'))
      getOrCreate(parameters, parameter.pointer, () => ({ parameter, operations: new Set<string>() })).operations.add(
        id,
      );
    if (requestBody?.required === true)
      yield edited([joinPointer(requestBody.pointer, 'required')], 'its body may be missing', new Set([id]));
  }
  for (const { parameter, operations: ids } of parameters.values())
    yield edited([joinPointer(parameter.pointer, 'required')], `the parameter ${parameter.name} may be missing`, ids);
}

/** Operations that let anybody in, and a service that takes any key for a good one. */
export function* openDoors({ api }: GradedApi): Generator<Mutant> {
  const secured = api.operations.filter(({ security }) => security.length > 0);
  if (secured.length === 0) return;
  yield {
    id: 'any-key',
    words: 'any key is accepted',
    pointer: '/components/securitySchemes',
    operations: undefined,
    defect: { kind: 'mock', options: { auth: 'any' } },
  };
  for (const { id, pointer } of secured) {
    if (getAtPointer(api.document.root, pointer) === undefined) continue;
    yield {
      id: `open ${id}`,
      words: 'it lets anybody in, without a key',
      pointer: joinPointer(pointer, 'security'),
      operations: new Set([id]),
      defect: { kind: 'mock', edit: (root) => editPointer(root, joinPointer(pointer, 'security'), []) },
    };
  }
}

import { pointerTo } from '../../core/json/json-pointer';
import { type JsonObject, type JsonValue, pickProperties, setProperty } from '../../core/json/json-value';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Schema } from '../../openapi/model/operation';
import { keyText } from '../../runner/ownership/item-routes';
import { jsonEntry, successes } from '../../openapi/view/operation-bodies';
import { inferResourceModel } from '../../resources/infer-resource-model';
import type { Binding } from '../../resources/model/binding';
import type { ResourceDescription } from '../../resources/model/resource';
import { type Call, isSuccess } from '../flow/call';
import { keyPath, shownItems } from '../flow/producers';
import { inWords, withArticle } from './names';
import { literal, nameByRun } from './run-names';

/** A step that the recording does not have: it makes or looks up what was there before. */
export interface PreparingStep {
  readonly value: JsonObject;
  readonly comment: string;
}

/** Something that the recording used and did not make. */
export interface FoundThing {
  readonly api: ApiModel;
  readonly calls: readonly Call[];
  readonly resource: ResourceDescription;
  readonly key: string;
}

/** The placeholder for the key of another thing that one refers to; `undefined` where it stays literal. */
export type Refer = (resource: string, key: string, property: string) => string | undefined;

/**
 * A step that makes such a thing, with what the recording shows of it.
 *
 * @param nameKey - gives the name under which the key is captured
 * @returns `undefined` where nothing creates it, or the recording does not show enough of it
 */
export function creationStep(thing: FoundThing, nameKey: () => string, refer: Refer): PreparingStep | undefined {
  const { api, resource, key } = thing;
  const creation = bindingOf(api, resource, 'create');
  const path = creation?.response?.path;
  if (creation === undefined || path === undefined || resource.scope.length > 0) return undefined;
  const body = bodyLike(thing, creation, refer);
  if (body === undefined) return undefined;
  const noun = inWords(resource.name);
  return {
    value: {
      name: `add ${withArticle(noun)} to work on`,
      operation: creation.operation.id,
      body,
      expect: { status: statusOf(successes(creation.operation)[0]?.status, 201) },
      capture: { [nameKey()]: `$response.body#${pointerTo([...path, ...keyPath(resource)])}` },
    },
    comment: `The recording changed the ${noun} ${key}, which was there before: a contract makes its own.`,
  };
}

/** What a creation takes, from what the recording shows of a thing; `undefined` where that is not enough. */
function bodyLike(thing: FoundThing, { operation, request }: Binding, refer: Refer): JsonObject | undefined {
  const schema = jsonEntry(operation.requestBody?.content ?? [])?.schema;
  if (schema === undefined || request?.item === undefined) return undefined;
  const sent = writableProperties(thing, request.item);
  if (sent === undefined || !schema.accepts(wrapped(request.path, sent), 'request')) return undefined;
  const written = withReferences(thing.resource, sent, refer);
  const named = nameByRun(schema, request.path, sent);
  if (named !== undefined) setProperty(written, named.property, named.text);
  return wrapped(request.path, written);
}

function withReferences(
  { references }: ResourceDescription,
  sent: JsonObject,
  refer: Refer,
): Record<string, JsonValue> {
  const written: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(sent)) {
    const to = references.find((each) => each.property === name && each.form === 'key')?.to;
    const key = to === undefined ? undefined : keyText(value);
    const placeholder = to === undefined || key === undefined ? undefined : refer(to, key, name);
    setProperty(written, name, placeholder ?? literal(value));
  }
  return written;
}

/** Of a thing, as the recording showed it first, what a client may send of it. */
function writableProperties({ api, calls, resource, key }: FoundThing, item: Schema): JsonObject | undefined {
  const shown = calls
    .flatMap((call) => (call.binding?.resource.path === resource.path && isSuccess(call) ? shownItems(call) : []))
    .find((each) => each.key === key);
  if (shown === undefined) return undefined;
  const properties = api.propertiesOf(item);
  return pickProperties(shown.item, (name, value) => {
    const property = properties.get(name);
    return property !== undefined && !property.readOnly && value !== null && name !== resource.key.name;
  });
}

/**
 * A step that takes the key of an item that is there.
 *
 * @param place - which item of the list: 0 for the first
 */
export function lookUpStep(
  { api, resource, key }: Omit<FoundThing, 'calls'>,
  place: number,
  nameKey: () => string,
): PreparingStep | undefined {
  const list = bindingOf(api, resource, 'list');
  const shape = list?.response;
  const path = keyPath(resource);
  if (list === undefined || shape?.form !== 'list' || list.scopeParameters.length > 0 || path.length === 0)
    return undefined;
  if (list.operation.parameters.some(({ required }) => required)) return undefined;
  const noun = inWords(resource.name);
  const pointer = pointerTo([...shape.path, String(place), ...(shape.entryPath ?? []), ...path]);
  return {
    value: {
      name: `look up ${place === 0 ? withArticle(noun) : `another ${noun}`}`,
      operation: list.operation.id,
      expect: { status: statusOf(successes(list.operation)[0]?.status, 200) },
      capture: { [nameKey()]: `$response.body#${pointer}` },
    },
    comment: `The recording used the ${noun} ${key}, which was there before.`,
  };
}

/** The operation that lists, or makes, what a resource has. */
export function bindingOf(
  api: ApiModel,
  resource: ResourceDescription,
  behaviour: Binding['behaviour'],
): Binding | undefined {
  return [...inferResourceModel(api).bindings.values()].find(
    (binding) => binding.resource === resource && binding.behaviour === behaviour,
  );
}

export function statusOf(written: string | undefined, otherwise: number): number {
  const status = Number(written);
  return Number.isInteger(status) ? status : otherwise;
}

/** An object within the properties that lead to it. */
export function wrapped(path: readonly string[], inner: JsonObject): JsonObject {
  return path.reduceRight<JsonObject>((value, name) => ({ [name]: value }), inner);
}

import { isJsonObject, type JsonObject, type JsonValue, ownProperty, setProperty } from '../core/json/json-value';
import { scalarText } from '../core/json/stringify-json';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, Parameter, Property } from '../openapi/model/operation';
import type { FlatSchema } from '../payload/sampler/flat-schema';
import { samplerOf } from '../payload/sampler/sampler';
import { inferResourceModel } from '../resources/infer-resource-model';
import { literal } from '../traffic/contract/run-names';

/** Values for the parameters without which an operation rejects a request, but for those of its path. */
export function requiredParameters(api: ApiModel, { parameters }: Operation, seed: string): Record<string, JsonValue> {
  const values: Record<string, JsonValue> = {};
  for (const parameter of parameters) {
    if (!parameter.required || parameter.in === 'path') continue;
    const value = parameterValue(api, parameter, seed);
    if (value !== undefined) setProperty(values, parameter.name, literal(value));
  }
  return values;
}

/** A step whose parameters that are properties of another one, `size` of `pageable` and `filter[name]`, stand in that one. */
export function withObjectParameters(api: ApiModel, step: JsonObject): JsonObject {
  const { operation: id, parameters } = step;
  const operation = api.operations.find((each) => each.id === id);
  const exploded = operation && inferResourceModel(api).bindings.get(operation)?.parameters.exploded;
  if (exploded === undefined || exploded.size === 0 || !isJsonObject(parameters)) return step;
  const places = new Map([...exploded.values()].flat().map(({ name, explodedFrom }) => [name, explodedFrom]));
  const values: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(parameters)) {
    const place = places.get(name);
    const held = place === undefined ? undefined : (ownProperty(values, place.name) ?? parameters[place.name]);
    if (place === undefined) setProperty(values, name, ownProperty(values, name) ?? value);
    else setProperty(values, place.name, { ...(isJsonObject(held) ? held : {}), [place.property]: value });
  }
  return { ...step, parameters: values };
}

export function parameterValue(api: ApiModel, parameter: Parameter, seed: string): JsonValue | undefined {
  const { schema, name, defaultValue } = parameter;
  if (defaultValue !== undefined) return defaultValue;
  if (schema === undefined) return undefined;
  const made = samplerOf(api).sample(schema, { seed, direction: 'request', name });
  const value = made.kind === 'made' ? writable(made.value) : undefined;
  return value !== undefined && schema.accepts(value, 'request') ? value : undefined;
}

/** What of a value the styles of parameters have a form for: one level of properties (OAS 3.0.3 "Style Values"). */
function writable(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.every(isScalar) ? value : undefined;
  if (!isJsonObject(value)) return value ?? undefined;
  const flat = Object.entries(value).filter(([, inner]) => isScalar(inner) || isListOfScalars(inner));
  return Object.fromEntries(flat);
}

const isScalar = (value: JsonValue): boolean => value !== null && typeof value !== 'object';
const isListOfScalars = (value: JsonValue): boolean => Array.isArray(value) && value.every(isScalar);

/** What the schema of a parameter says. */
export function flatOf(api: ApiModel, { schema }: Pick<Parameter, 'schema'>): Partial<FlatSchema> {
  return schema === undefined ? {} : samplerOf(api).nodeOf(schema, 'request').flat;
}

/** The words that a parameter may have; none where it may have any. */
export function wordsOf(api: ApiModel, parameter: Pick<Parameter, 'schema' | 'items'> | undefined): string[] {
  if (parameter === undefined) return [];
  const ofItems = parameter.items?.['enum'];
  const values: readonly unknown[] = flatOf(api, parameter).values ?? (Array.isArray(ofItems) ? ofItems : []);
  return values.filter((word): word is string => typeof word === 'string');
}

function wordsOfProperty(api: ApiModel, property: Property | undefined): string[] {
  const schema = property === undefined ? undefined : api.schemaAt(property.pointer);
  return wordsOf(api, { schema, items: undefined });
}

/** What a filter may be asked for that stands for all values. */
const WILDCARD = /^(?:all|any|both|every|none|\*)$/i;

/**
 * The words of a parameter that the property that it filters by may be: `all` is none of its own. None where the property
 * has more words than that: one of the parameter may then stand for several.
 */
export function wordsFor(api: ApiModel, parameter: Parameter, property: Property | undefined): string[] {
  const [own, words] = [wordsOfProperty(api, property), wordsOf(api, parameter)];
  if (own.some((word) => !words.includes(word))) return [];
  return words.filter((word) => (own.length === 0 ? !WILDCARD.test(word) : own.includes(word)));
}

/** May a list be asked for whatever the property is? Not where the parameter has words that the property need not be. */
export function takesValuesOf(api: ApiModel, parameter: Parameter, property: Property | undefined): boolean {
  const [own, words] = [wordsOfProperty(api, property), wordsOf(api, parameter)];
  return words.length === 0 || (own.length > 0 && own.every((word) => words.includes(word)));
}

/** A value as a part of a path; what placeholders stand for is encoded when it is known. */
function segment(text: string): string {
  return text.replace(/\$\{\w+\}|[^$]+|\$/g, (part) => (part.startsWith('${') ? part : encodeURIComponent(part)));
}

/** Path of a request, for steps that name no operation; `undefined` where the operation needs parameters elsewhere. */
export function pathWith({ path, parameters }: Operation, { parameters: sent = {} }: JsonObject): string | undefined {
  if (!isJsonObject(sent) || parameters.some(({ required, in: place }) => required && place !== 'path'))
    return undefined;
  return path.replace(/\{([^{}]+)\}/g, (_, name: string) => segment(scalarText(sent[name] ?? '')));
}

import { isJsonObject, type JsonObject, type JsonValue, setProperty } from '../core/json/json-value';
import { scalarText } from '../core/json/stringify-json';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, Parameter } from '../openapi/model/operation';
import type { FlatSchema } from '../payload/sampler/flat-schema';
import { samplerOf } from '../payload/sampler/sampler';
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

export function parameterValue(api: ApiModel, parameter: Parameter, seed: string): JsonValue | undefined {
  const { schema, name, defaultValue } = parameter;
  if (defaultValue !== undefined) return defaultValue;
  if (schema === undefined) return undefined;
  const made = samplerOf(api).sample(schema, { seed, direction: 'request', name });
  return made.kind === 'made' ? made.value : undefined;
}

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

/** A value as a part of a path; what placeholders stand for is encoded when it is known. */
function segment(text: string): string {
  return text.replace(/\$\{\w+\}|[^$]+|\$/g, (part) => (part.startsWith('${') ? part : encodeURIComponent(part)));
}

/** Path of a request of an operation; `undefined` where it needs parameters elsewhere. */
export function pathWith({ path, parameters }: Operation, { parameters: sent = {} }: JsonObject): string | undefined {
  if (!isJsonObject(sent) || parameters.some(({ required, in: place }) => required && place !== 'path'))
    return undefined;
  return path.replace(/\{([^{}]+)\}/g, (_, name: string) => segment(scalarText(sent[name] ?? '')));
}

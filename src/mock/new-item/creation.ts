import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import { memberOf } from '../../json/member';
import { once } from '../../http/memo';
import type { ApiModel, Parameter, Property } from '../../openapi/model';
import { examplesOf } from '../../payload/choose-example';
import { jsonEntry, successes } from '../../resources/bodies';
import type { Binding } from '../../resources/resource-model';
import { meansAnything } from '../any-value';

/** What a description says of how an item comes to be, beside the schema of the item. */
export interface Creation {
  /** Summary and description of the operation that makes it. */
  readonly texts: readonly string[];
  /** Members that the body of that operation declares. */
  readonly sent: ReadonlyMap<string, Property>;
  /** The item of an example of its answer. */
  example(): JsonObject | undefined;
  /** The values that actions give to a member: no item begins with one. */
  reached(member: string): ReadonlySet<JsonValue>;
  /** Does the schema of the items say of no member that it must be there, so that leaving one out says nothing? */
  readonly isLoose: boolean;
  /** The words that a list of such items can be asked for by a parameter with the name of a member. */
  readonly asked: (member: string) => readonly string[];
}

const NO_PROPERTIES: ReadonlyMap<string, Property> = new Map();

/** @param bindings - of the same resource, those of actions among them */
export function creationOf(api: ApiModel, binding: Binding, bindings: () => readonly Binding[]): Creation {
  const { operation, request, response } = binding;
  const targets = once(() => {
    const values = new Map<string, Set<JsonValue>>();
    for (const { action } of bindings()) {
      for (const { member, value } of action?.sets ?? [])
        values.set(member, (values.get(member) ?? new Set()).add(value));
    }
    return values;
  });
  const filters = once(() =>
    bindings().flatMap(({ behaviour, operation: other }) =>
      behaviour === 'list' ? other.parameters.filter((each) => each.in === 'query') : [],
    ),
  );
  return {
    texts: [operation.summary, operation.description].filter((text) => text !== ''),
    sent: request?.item === undefined ? NO_PROPERTIES : api.propertiesOf(request.item),
    example: once(() => {
      if (response?.form !== 'item') return undefined;
      const bodies = successes(operation).flatMap(({ content }) => {
        const entry = jsonEntry(content);
        return entry === undefined ? [] : examplesOf(entry).map(({ value }) => follow(value, response.path));
      });
      return bodies.find(isJsonObject);
    }),
    reached: (member) => targets().get(member) ?? NO_VALUES,
    isLoose: isLoose(api, binding),
    asked: (member) => wordsAsked(filters(), member),
  };
}

/** A choice between several schemas says of each what the others may lack. */
function isLoose(api: ApiModel, { resource }: Binding): boolean {
  const own = [...api.propertiesOf(resource.schema).values()];
  return own.length > 0 && own.length === resource.properties.size && !own.some(({ required }) => required);
}

/** The words that parameters of this name list, but for those that mean whatever there is. */
function wordsAsked(parameters: readonly Parameter[], member: string): string[] {
  return parameters
    .filter(({ name }) => name === member)
    .flatMap(({ schema }): readonly JsonValue[] => (Array.isArray(schema?.value['enum']) ? schema.value['enum'] : []))
    .filter((word): word is string => typeof word === 'string' && !meansAnything(word));
}

const NO_VALUES: ReadonlySet<JsonValue> = new Set();

function follow(body: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const name of path) value = isJsonObject(value) ? memberOf(value, name) : undefined;
  return value;
}

/** Of an item that no operation made. */
export const NOTHING_SAID: Creation = {
  texts: [],
  sent: NO_PROPERTIES,
  example: () => undefined,
  reached: () => NO_VALUES,
  isLoose: false,
  asked: () => [],
};

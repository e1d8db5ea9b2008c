import { scalarText } from '../core/json/stringify-json';
import type { JsonValue } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import { readExamples } from '../openapi/model/examples';
import { valueAt } from '../openapi/read/source-document';
import { isSchemaObject } from '../schema/schema-object';
import { isScalar } from '../formats/contract/placeholders';
import { type SampleSchema, sampleWith } from '../mock/fitting/schema-fitting';
import type { Operation, Parameter } from '../openapi/model/operation';
import { SIGNATURE_HEADERS, SIGNATURE_SCHEMES, type SignatureScheme } from '../security/message-signature';
import type { MessageFacts } from './event-body';

const TYPE_HEADERS = /(?:^|-)(?:event|topic|event-?type|event-?name)$/i;
const ID_HEADERS = /(?:^|-)(?:delivery|id|uuid)$/i;
const TIME_HEADERS = /timestamp$/i;

/** The scheme whose header the description of an event has; `undefined` where it has none. */
export function documentedScheme({ parameters }: Operation): SignatureScheme | undefined {
  const names = new Set(parameters.map(({ name }) => name.toLowerCase()));
  return SIGNATURE_SCHEMES.find((scheme) => names.has(SIGNATURE_HEADERS[scheme].toLowerCase()));
}

/** Makes the headers that an event has beside those of every message. */
export class EventHeaders {
  private readonly api: ApiModel;
  private readonly sample: SampleSchema;

  constructor(api: ApiModel, seed: string) {
    this.api = api;
    this.sample = sampleWith(api, seed);
  }

  /** What says which event it is, its id and its time, and what the description requires; no signature. */
  make({ parameters }: Operation, type: string, facts: MessageFacts): [name: string, value: string][] {
    return parameters.flatMap((parameter): [string, string][] => {
      const { name, required } = parameter;
      if (parameter.in !== 'header' || /signature/i.test(name)) return [];
      const value = this.told(parameter, type, facts) ?? (required ? this.madeUp(parameter) : undefined);
      return isScalar(value) ? [[name, scalarText(value)]] : [];
    });
  }

  /** What the message itself says, where the schema allows it. */
  private told(parameter: Parameter, type: string, { id, nowMs }: MessageFacts): JsonValue | undefined {
    const { name, schema } = parameter;
    const allowed = (value: JsonValue): JsonValue | undefined =>
      schema?.accepts(value, 'response') === false ? undefined : value;
    // An example says how the service calls it.
    if (TYPE_HEADERS.test(name)) return this.exampleOf(parameter) ?? allowed(type);
    if (ID_HEADERS.test(name)) return allowed(id);
    return TIME_HEADERS.test(name) ? allowed(Math.floor(nowMs / 1000)) : undefined;
  }

  private madeUp(parameter: Parameter): JsonValue | undefined {
    const { schema, defaultValue } = parameter;
    return this.exampleOf(parameter) ?? defaultValue ?? (schema === undefined ? undefined : this.sample(schema));
  }

  private exampleOf({ pointer, schema }: Parameter): JsonValue | undefined {
    const { document } = this.api;
    const value = valueAt(document, pointer);
    const [example] = isSchemaObject(value) ? readExamples(document, { value, pointer }) : [];
    return example?.value ?? schema?.value['example'];
  }
}

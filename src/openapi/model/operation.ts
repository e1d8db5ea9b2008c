import type { JsonValue } from '../../core/json/json-value';
import type { Direction, SchemaObject } from '../../schema/schema-object';
import type { Validator } from '../../schema/validator';
import type { Lifecycle } from './lifecycle';
import type { TextShape } from '../parameters/text-shape';

/** A Schema Object in its place, with its validators. */
export interface Schema {
  readonly pointer: string;
  /** What stands there, references followed. */
  readonly value: SchemaObject;
  /** @throws SpecError when the schema does not compile */
  validate(direction: Direction): Validator;
  /** @throws SpecError when the schema does not compile */
  accepts(value: unknown, direction: Direction): boolean;
  /** Checks what is sent where it may fit several branches of a `oneOf`. */
  readonly validateLoosely: Validator;
}

/** A schema that accepts every value. */
export function permissiveSchema(pointer: string, value: SchemaObject): Schema {
  return { pointer, value, validate: () => () => [], accepts: () => true, validateLoosely: () => [] };
}

/** A named property of an object schema, gathered through `allOf` and references. */
export interface Property {
  readonly name: string;
  readonly schema: SchemaObject;
  readonly pointer: string;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
}

/** `querystring` is the whole query in one (OAS 3.2.0 §4.12.1). */
export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie' | 'querystring';

/** Parameter Object (OAS 3.0.3 §4.7.12). */
export interface Parameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  /** Its own words, else those of its schema. */
  readonly description: string | undefined;
  readonly style: string;
  readonly explode: boolean;
  readonly pointer: string;
  /** Of the value, also where it stands under `content`. */
  readonly schema: Schema | undefined;
  /** What its text is read as. */
  readonly shape: TextShape;
  /** Key of `content`, which takes the place of `style`. */
  readonly contentType: string | undefined;
  /** How the text of each property of a form is written, where it has a form in `content`. */
  readonly encodings: ReadonlyMap<string, Encoding>;
  /** Does `?name=` mean that it was not used (OAS 3.0.4 `allowEmptyValue`)? */
  readonly allowEmptyValue: boolean;
  /** What the service assumes when it was not sent. */
  readonly defaultValue: JsonValue | undefined;
  /** Schema of the items, references followed, when the parameter is a list. */
  readonly items: SchemaObject | undefined;
  /** The name as it is looked up: lower case for a header. */
  readonly key: string;
  /** The object among the parameters that it is a property of, where it is one. */
  readonly explodedFrom?: { readonly name: string; readonly property: string };
}

/** A named or anonymous example with its place. */
export interface Example {
  readonly name: string | undefined;
  readonly value: JsonValue;
  readonly pointer: string;
  /** The body as it is sent, where the description says so (OAS 3.2.0 §4.19 `serializedValue`). */
  readonly serialized?: string;
}

/** One entry of a `content` map (OAS 3.0.3 §4.7.14). */
export interface MediaTypeEntry {
  /** The key as written, for example `application/json`. */
  readonly mediaType: string;
  readonly pointer: string;
  readonly schema: Schema | undefined;
  /** Of each item of a sequence, such as the lines of `application/jsonl` (OAS 3.2.0 §4.14). */
  readonly itemSchema: Schema | undefined;
  /** By name of the property of a form (OAS 3.0.3 §4.7.15). */
  readonly encodings: ReadonlyMap<string, Encoding>;
  /** What text is read as: that of forms, of `text/*`. */
  readonly shape: TextShape;
  readonly examples: readonly Example[];
}

/** Encoding Object (OAS 3.0.3 §4.7.15): how a property of a form is written. */
export interface Encoding {
  readonly contentType: string | undefined;
  /** `undefined` when the description does not say. */
  readonly style: string | undefined;
  readonly explode: boolean | undefined;
}

/** Request Body Object (OAS 3.0.3 §4.7.13). */
export interface RequestBody {
  readonly required: boolean;
  readonly pointer: string;
  readonly content: readonly MediaTypeEntry[];
  /** Keys of `content`, always the same array. */
  readonly mediaTypes: readonly string[];
}

/** Header Object (OAS 3.0.3 §4.7.21). */
export interface ResponseHeader {
  readonly name: string;
  readonly required: boolean;
  readonly pointer: string;
  readonly schema: Schema | undefined;
}

/** Link Object (OAS 3.0.3 §4.7.20). */
export interface Link {
  readonly name: string;
  /** {@link Operation.id} of where it leads, by `operationId` or `operationRef`; `undefined` for another description. */
  readonly operationId: string | undefined;
  readonly parameters: ReadonlyMap<string, JsonValue>;
}

/** Response Object (OAS 3.0.3 §4.7.17). */
export interface ResponseSpec {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  readonly pointer: string;
  readonly description: string;
  readonly content: readonly MediaTypeEntry[];
  /** Keys of `content`, always the same array. */
  readonly mediaTypes: readonly string[];
  /** Keys are lower case. */
  readonly headers: ReadonlyMap<string, ResponseHeader>;
  readonly links: readonly Link[];
}

/** Security Scheme Object (OAS 3.0.3 §4.7.27). */
export interface SecurityScheme {
  readonly name: string;
  readonly type: string;
  /** Lower case, for `type: http`. */
  readonly scheme: string | undefined;
  /** For `type: apiKey`. */
  readonly in: string | undefined;
  readonly parameterName: string | undefined;
  readonly description: string | undefined;
  /** Protection space to name in challenges (RFC 9110 §11.5), from `x-realm`. */
  readonly realm: string | undefined;
  /** For `type: oauth2`. */
  readonly flows: readonly OAuthFlow[];
  /** For `type: openIdConnect`. */
  readonly openIdConnectUrl: string | undefined;
}

/** OAuth Flow Object (OAS 3.0.3 §4.7.29; the device flow: OAS 3.2.0 §4.30). Addresses may be relative. */
export interface OAuthFlow {
  /** `authorizationCode`, `clientCredentials`, … */
  readonly kind: string;
  readonly authorizationUrl: string | undefined;
  readonly tokenUrl: string | undefined;
  readonly refreshUrl: string | undefined;
  readonly deviceAuthorizationUrl: string | undefined;
  readonly scopes: readonly string[];
}

/** One scheme of a requirement. */
export interface RequiredScheme {
  readonly name: string;
  /** All of them are needed (OAS 3.0.3 §4.7.30; roles of other schemes since OAS 3.1). */
  readonly scopes: readonly string[];
}

/** Schemes that must all be satisfied; an empty one lets anybody in. */
export type SecurityRequirement = readonly RequiredScheme[];

/** One method on one path template (OAS 3.0.3 §4.7.10). */
export interface Operation {
  /** `operationId`, else `GET /path`. */
  readonly id: string;
  readonly method: string;
  /** Path template that requests are matched with; nothing stands behind `?` or `#`. */
  readonly path: string;
  /** The key of `paths` as written, for people. */
  readonly written: string;
  /** The nouns of the name that the variable of the written path takes, where {@link path} has them; mostly not there. */
  readonly names?: readonly string[];
  /** The query that is written in the template, `city={city}`; mostly empty. */
  readonly query: string;
  /** What tells this operation from others on the same path and method; mostly nothing. */
  readonly selectors: readonly OperationSelector[];
  readonly pointer: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly lifecycle: Lifecycle;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  /** Of a DELETE in OpenAPI 3.0: never judged (OAS 3.0.3 §4.7.10), but read, since it says which items are meant. */
  readonly ignoredBody: RequestBody | undefined;
  /** In document order; keys as in {@link ResponseSpec.status}. */
  readonly responses: ReadonlyMap<string, ResponseSpec>;
  /** One of these must be satisfied; empty means open to anybody. */
  readonly security: readonly SecurityRequirement[];
  /** The place and the error because of which it is neither served nor verified; mostly not there. */
  readonly disabled?: string;
}

/**
 * One piece of what a path template holds behind its path. Authors write it to have several operations on one path and
 * method: `/#Action=CreateQueue`, `/tags/{arn}#tagKeys`, `/weather?city={city}`.
 */
export interface OperationSelector {
  readonly name: string;
  /** Where a request says it. */
  readonly in: 'query' | 'header';
  /** `undefined` where it is enough that the parameter is there. */
  readonly value: string | undefined;
  /** Must a request say it? A fragment may name what is not a parameter, which a request may say nevertheless. */
  readonly isRequired: boolean;
  /** The path parameter that has its value in the query: `city`. */
  readonly variable: string | undefined;
}

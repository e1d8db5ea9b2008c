/** Parts of descriptions as YAML flow. */

/** Responses with a JSON body of a schema. */
export const answers = (schema: string, status = 200): string =>
  `responses: { '${status}': { description: ok, content: { application/json: { schema: ${schema} } } } }`;

export const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;

/** A JSON body of a schema. */
export const takes = (schema: string): string =>
  `requestBody: { content: { application/json: { schema: ${schema} } } }`;

/** The same that has to be sent. */
export const needs = (schema: string): string =>
  `requestBody: { required: true, content: { application/json: { schema: ${schema} } } }`;

/** A variable of a path. */
export const inPath = (name: string, type = 'integer'): string =>
  `{ name: ${name}, in: path, required: true, schema: { type: ${type} } }`;

/** Variables of a path, which are texts. */
export const textsInPath = (...names: string[]): string =>
  `parameters: [${names.map((name) => inPath(name, 'string')).join(', ')}]`;

/** What an operation takes and answers: schemas as plain data. */
export interface SmallOperation {
  readonly body?: object;
  /** By status: a schema, or `null` for a response without a body. Without any, 200 and no body. */
  readonly answers?: Readonly<Record<string, object | null>>;
  /** What responses are said to mean, by status. */
  readonly means?: Readonly<Record<string, string>>;
  /** Names of headers that each response has, all texts. */
  readonly headers?: readonly string[];
  readonly query?: Readonly<Record<string, object>>;
  /** Parameters as a description has them, beside those of the path and the query. */
  readonly parameters?: readonly object[];
  readonly summary?: string;
  readonly description?: string;
}

export const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

const textHeaders = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { schema: { type: 'string' } }]));

function responsesOf({ answers = { 200: null }, means = {}, headers = [] }: SmallOperation): object {
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      {
        description: means[status] ?? `Answer ${status}`,
        ...(headers.length === 0 ? {} : { headers: textHeaders(headers) }),
        ...(schema === null ? {} : json(schema)),
      },
    ]),
  );
}

/**
 * A description in JSON: operations by `GET /things/{id}`, whose path parameters are texts unless `variables` says else,
 * and schemas by name.
 */
export function smallApi(
  operations: Readonly<Record<string, SmallOperation>>,
  schemas: Readonly<Record<string, object>> = {},
  variables: Readonly<Record<string, object>> = {},
): string {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const { body, query = {}, parameters = [], summary, description } = operation;
    const [method = '', path = ''] = name.split(' ');
    const named = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, variable = '']) => variable);
    (paths[path] ??= {})[method.toLowerCase()] = {
      // What is undefined is left out of JSON.
      summary,
      description,
      parameters: [
        ...named.map((each) => ({
          name: each,
          in: 'path',
          required: true,
          schema: variables[each] ?? { type: 'string' },
        })),
        ...Object.entries(query).map(([each, schema]) => ({ name: each, in: 'query', schema })),
        ...parameters,
      ],
      ...(body === undefined ? {} : { requestBody: { required: true, ...json(body) } }),
      responses: responsesOf(operation),
    };
  }
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Small', version: '1.0.0' },
    paths,
    components: { schemas },
  });
}

/** A reference to one of the schemas. */
export const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

export const text = { type: 'string' };
export const whole = { type: 'integer' };
export const list = (items: object): object => ({ type: 'array', items });
export const object = (properties: Readonly<Record<string, object>>, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});

const get = (schema: string, example: string | undefined): string => {
  const shown = example === undefined ? '' : `, example: ${example}`;
  return `get: { responses: { '200': { description: ok, content: { application/json: { schema: ${schema}${shown} } } } } }`;
};

/** A GET of one item of a schema of the description, with the example that it shows, as YAML flow. */
export const getOne = (name: string, example?: string): string =>
  get(`{ $ref: '#/components/schemas/${name}' }`, example);

/** A GET of many of them. */
export const getMany = (name: string, example?: string): string =>
  get(`{ type: array, items: { $ref: '#/components/schemas/${name}' } }`, example);

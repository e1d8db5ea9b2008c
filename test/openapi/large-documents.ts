export const HEAD = 'openapi: 3.0.3\ninfo: { title: Library, version: 1.0.0 }\n';

/** One operation, `GET /things`, that answers with a schema; other schemas one a line. */
export function withSchema(schema: string, schemas: readonly string[] = []): string {
  const content = `{ application/json: { schema: ${schema} } }`;
  const responses = `{ "200": { description: ok, content: ${content} } }`;
  const others = schemas.length === 0 ? '' : `components:\n  schemas:\n    ${schemas.join('\n    ')}\n`;
  return `${HEAD}paths: { /things: { get: { responses: ${responses} } } }\n${others}`;
}

/** A schema in which each `allOf` leads to the next one. */
/** Documents of two depths have no schema in common: validators of equal schemas are made once for both. */
export function allOfDocument(depth: number): string {
  const name = (index: number): string => `m${depth}x${index}`;
  const schemas = Array.from({ length: depth }, (_, index) => {
    const next = index < depth - 1 ? `{ $ref: "#/components/schemas/S${index + 1}" }, ` : '';
    return `S${index}: { allOf: [${next}{ type: object, required: [${name(index)}], properties: { ${name(index)}: { type: integer } } }] }`;
  });
  return withSchema('{ $ref: "#/components/schemas/S0" }', schemas);
}

export function membersDocument(count: number): string {
  const members = Array.from({ length: count }, (_, index) => `    p${index}: { type: string, maxLength: 9 }`);
  return withSchema('{ $ref: "#/components/schemas/T" }', ['T:', '  type: object', '  properties:', ...members]);
}

/** Collections of four operations each, and `GET /things`. */
export function collectionsDocument(collections: number): string {
  const item = '{ application/json: { schema: { $ref: "#/components/schemas/T" } } }';
  const list = '{ application/json: { schema: { type: array, items: { $ref: "#/components/schemas/T" } } } }';
  const paths = Array.from(
    { length: collections },
    (_, index) => `  /r${index}:
    get: { responses: { "200": { description: ok, content: ${list} } } }
    post: { requestBody: { content: ${item} }, responses: { "201": { description: ok, content: ${item} } } }
  /r${index}/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { "200": { description: ok, content: ${item} } } }
    delete: { responses: { "204": { description: gone } } }
`,
  );
  const things = `  /things: { get: { responses: { "200": { description: ok, content: ${list} } } } }\n`;
  const schemas = 'components: { schemas: { T: { type: object, properties: { id: { type: integer } } } } }\n';
  return `${HEAD}paths:\n${things}${paths.join('')}${schemas}`;
}

export function ringDocument(count: number): string {
  const schemas = Array.from({ length: count }, (_, index) => {
    const next = `{ $ref: "#/components/schemas/S${(index + 1) % count}" }`;
    return `S${index}: { type: object, properties: { n: { type: integer }, next: ${next} } }`;
  });
  return withSchema('{ $ref: "#/components/schemas/S0" }', schemas);
}

export function enumDocument(count: number): string {
  const values = Array.from({ length: count }, (_, index) => `word${index}`);
  return withSchema(`{ type: string, enum: [${values.join(', ')}] }`);
}

export function exampleDocument(length: number): string {
  return withSchema(`{ type: string, example: "${'a'.repeat(length)}" }`);
}

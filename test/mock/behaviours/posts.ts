/** A request body of a schema, of one or several media types, as YAML flow. */
export function takes(schema: string, mediaTypes: readonly string[] = ['application/json']): string {
  const content = mediaTypes.map((mediaType) => `${mediaType}: { schema: ${schema} }`).join(', ');
  return `requestBody: { required: true, content: { ${content} } }`;
}

/** Responses: success with a body of a JSON schema, and the refusal of what cannot be kept, as YAML flow. */
export const answers = (schema: string, status = 200): string =>
  `responses: { '${status}': { description: ok, content: { application/json: { schema: ${schema} } } }, '422': { description: no } }`;

export const POST = "{ $ref: '#/components/schemas/Post' }";

export interface Posts {
  /** The schema of a body, as YAML flow. */
  readonly sent: string;
  /** `Post` and others, as YAML below `schemas`. */
  readonly schemas: string;
  /** Further paths, as YAML. */
  readonly more?: string;
}

/** `paths` and `components` of posts that can be listed, made, read, replaced and patched. */
export function posts({ sent, schemas, more = '' }: Posts): string {
  return `paths:
  /posts:
    get: { ${answers(`{ type: array, items: ${POST} }`)} }
    post: { ${takes(sent)}, ${answers(POST, 201)} }
  /posts/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers(POST)} }
    put: { ${takes(sent)}, ${answers(POST)} }
    patch: { ${takes(sent, ['application/json', 'application/merge-patch+json'])}, ${answers(POST)} }
${more}components:
  schemas:
${schemas}`;
}

/** The description of a small API other than the Petstore, below the base path `/v2`. */
export const LIBRARY_TEXT = `openapi: 3.0.3
info: { title: Library, version: 2.1.0 }
servers: [{ url: https://library.example/v2 }]
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses:
        '201':
          description: ok
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
components:
  schemas:
    Book:
      type: object
      required: [title]
      properties: { id: { type: integer, readOnly: true }, title: { type: string, maxLength: 20 } }
`;

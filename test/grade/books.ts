import type { GradedDefect, GradeResult } from '../../src/grade/grade-result';

/** @returns the defect with this id */
export function findDefect({ defects }: GradeResult, id: string): GradedDefect {
  const found = defects.find((each) => each.id === id);
  if (found === undefined)
    throw new Error(`There is no defect ${id}; there are\n${defects.map((each) => each.id).join('\n')}`);
  return found;
}

/** A small API: books with a key, an own error shape, filters and partial changes. */
export const BOOKS = `openapi: 3.0.3
info: { title: Books, version: '1' }
security: [{ key: [] }]
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - { name: genre, in: query, schema: { type: string, enum: [novel, poetry] } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 20 } }
        - { name: offset, in: query, schema: { type: integer, minimum: 0 } }
      responses:
        '200': { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } } }
        '400': { $ref: '#/components/responses/Error' }
        '401': { $ref: '#/components/responses/Error' }
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewBook' } } } }
      responses:
        '201':
          description: Added
          headers: { Location: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '400': { $ref: '#/components/responses/Error' }
        '401': { $ref: '#/components/responses/Error' }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer, minimum: 1 } }]
    get:
      operationId: getBook
      responses:
        '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '401': { $ref: '#/components/responses/Error' }
        '404': { $ref: '#/components/responses/Error' }
    patch:
      operationId: changeBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/BookChange' } } } }
      responses:
        '200': { description: Changed, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        '400': { $ref: '#/components/responses/Error' }
        '401': { $ref: '#/components/responses/Error' }
        '404': { $ref: '#/components/responses/Error' }
    delete:
      operationId: removeBook
      responses:
        '204': { description: Removed }
        '401': { $ref: '#/components/responses/Error' }
        '404': { $ref: '#/components/responses/Error' }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  responses:
    Error: { description: Refused, content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
  schemas:
    Book:
      type: object
      required: [id, title, genre]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string }
        genre: { type: string, enum: [novel, poetry] }
        note: { type: string }
        addedAt: { type: string, format: date-time, readOnly: true }
    NewBook:
      type: object
      required: [title]
      properties:
        title: { type: string, minLength: 1, maxLength: 80 }
        genre: { type: string, enum: [novel, poetry], default: novel }
        note: { type: string }
    BookChange:
      type: object
      minProperties: 1
      properties:
        title: { type: string, minLength: 1, maxLength: 80 }
        genre: { type: string, enum: [novel, poetry] }
        note: { type: string }
    Error:
      type: object
      required: [code, message]
      properties: { code: { type: string }, message: { type: string } }
`;

/** A contract that calls all of it, and compares as much as can be compared. */
export const THOROUGH = `standin: contract/1
name: A book from its first day to its last
steps:
  - name: add a book
    operation: addBook
    body: { title: 'Emma \${runId}', note: Second hand }
    expect:
      status: 201
      headers: { Location: { $present: true } }
      body: { title: 'Emma \${runId}', genre: novel, note: Second hand, addedAt: { $format: date-time } }
    capture: { bookId: $response.body#/id, addedAt: $response.body#/addedAt }
  - name: add another
    operation: addBook
    body: { title: 'Odes \${runId}', genre: poetry }
    expect: { status: 201, body: { genre: poetry } }
    capture: { otherId: $response.body#/id }
  - name: read it
    operation: getBook
    parameters: { bookId: '\${bookId}' }
    expect: { status: 200, body: { id: '\${bookId}', title: 'Emma \${runId}', genre: novel, note: Second hand, addedAt: '\${addedAt}' } }
  - name: list poetry
    operation: listBooks
    parameters: { genre: poetry }
    expect: { status: 200, body: { $each: { genre: poetry }, $contains: { id: '\${otherId}', title: 'Odes \${runId}' } } }
  - name: change its note
    operation: changeBook
    parameters: { bookId: '\${bookId}' }
    body: { note: Worn }
    expect: { status: 200, body: { title: 'Emma \${runId}', note: Worn, addedAt: '\${addedAt}' } }
  - name: a book without a title is refused
    operation: addBook
    body: { genre: novel }
    expect: { status: 400 }
  - name: remove it
    operation: removeBook
    parameters: { bookId: '\${bookId}' }
    expect: { status: 204 }
  - name: it is gone
    operation: getBook
    parameters: { bookId: '\${bookId}' }
    expect: { status: 404 }
cleanup:
  - { operation: removeBook, parameters: { bookId: '\${bookId}' }, expect: { status: [204, 404] } }
  - { operation: removeBook, parameters: { bookId: '\${otherId}' }, expect: { status: 204 } }
`;

/** A smaller API, whose grade takes a tenth of the time: notes that are added and read. */
export const NOTES = `openapi: 3.0.3
info: { title: Notes, version: '1' }
security: [{ key: [] }]
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses:
        '201': { description: Added, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
        '401': { description: No key }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getNote
      responses:
        '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
        '401': { description: No key }
        '404': { description: Unknown }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Note:
      type: object
      required: [id, text]
      properties:
        id: { type: integer, readOnly: true }
        text: { type: string, default: empty }
        addedAt: { type: string, format: date-time, readOnly: true }
`;

/** A contract that calls both operations, and does not compare `addedAt`. */
export const NOTES_CONTRACT = `standin: contract/1
name: A note is added and read
steps:
  - name: add a note
    operation: addNote
    body: { text: 'Buy milk \${runId}' }
    expect: { status: 201, body: { text: 'Buy milk \${runId}' } }
    capture: { noteId: $response.body#/id }
  - name: read it
    operation: getNote
    parameters: { noteId: '\${noteId}' }
    expect: { status: 200, body: { text: 'Buy milk \${runId}' } }
`;

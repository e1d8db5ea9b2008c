import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { exchange, type Said } from '../recorded';
import { contractOf } from './derived';
import { ref } from '../../support/flow';

const json = (schema: string): string => `{ content: { application/json: { schema: ${schema} } } }`;
const ok = (schema: string, status = 200): string =>
  `{ '${status}': { description: ok, content: { application/json: { schema: ${schema} } } } }`;

/** Pets and their orders; the parameters of the list of orders are given. */
const shop = (parameters: string): string => `openapi: 3.0.3
info: { title: Shop, version: 1.0.0 }
paths:
  /pets:
    post: { operationId: addPet, requestBody: ${json(ref('Pet'))}, responses: ${ok(ref('Pet'), 201)} }
  /pets/{petId}:
    parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getPet, responses: ${ok(ref('Pet'))} }
    delete: { operationId: deletePet, responses: { '204': { description: gone } } }
  /orders:
    get: { operationId: listOrders, parameters: [${parameters}], responses: ${ok(`{ type: array, items: ${ref('Order')} }`)} }
    post:
      operationId: addOrder
      requestBody: { content: { application/json: { schema: ${ref('Order')} }, application/x-www-form-urlencoded: { schema: ${ref('Order')} } } }
      responses: ${ok(ref('Order'), 201)}
components:
  schemas:
    Pet: { type: object, properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
    Order: { type: object, properties: { id: { type: integer, readOnly: true }, petId: { type: integer }, pet: {}, petIds: {}, line: {} } }
`;

const pet = exchange('POST /pets', { status: 201, sent: { name: 'Rex' }, answered: { id: 7, name: 'Rex' } });
const list = (query: string, headers: Said['headers'] = {}): CleanExchange =>
  exchange(`GET /orders${query}`, { headers, answered: [] });
const order = (sent: object): CleanExchange =>
  exchange('POST /orders', { status: 201, sent, answered: { id: 70, ...sent } });

describe('what an earlier response gave is captured wherever it is sent', () => {
  const array = 'schema: { type: array, items: { type: integer } }';
  test.each<[what: string, parameters: string, sent: CleanExchange, written: string]>([
    ['a query', '{ name: petId, in: query, schema: { type: integer } }', list('?petId=7'), "petId: '${petId}'"],
    ['a query called by the noun', '{ name: pet, in: query, schema: {} }', list('?pet=7'), "pet: '${petId}'"],
    ['a query that is not described', '', list('?petId=7'), "/orders?petId=${petId}'"],
    ['brackets that are not described', '', list('?filter[petId]=7'), "/orders?filter[petId]=${petId}'"],
    ['a name sent twice', '', list('?petId=7&petId=9'), "/orders?petId=${petId}&petId=9'"],
    ['a list', `{ name: petIds, in: query, explode: false, ${array} }`, list('?petIds=9,7'), "petIds: [9, '${petId}']"],
    ['a list, exploded', `{ name: petId, in: query, ${array} }`, list('?petId=9&petId=7'), "petId: [9, '${petId}']"],
    [
      'an object',
      '{ name: filter, in: query, style: deepObject, schema: { type: object, properties: { petId: { type: integer } } } }',
      list('?filter[petId]=7'),
      "filter: { petId: '${petId}' }",
    ],
    ['a header', '{ name: X-Pet-Id, in: header, schema: {} }', list('', { 'X-Pet-Id': '7' }), "X-Pet-Id: '${petId}'"],
    ['a body', '', order({ petId: 7 }), "body: { petId: '${petId}' }"],
    ['a noun in a body', '', order({ pet: 7 }), "body: { pet: '${petId}' }"],
    ['a list in a body', '', order({ petIds: [9, 7] }), "body: { petIds: [9, '${petId}'] }"],
    ['a nested body', '', order({ line: { pet: { id: 7 } } }), "body: { line: { pet: { id: '${petId}' } } }"],
    [
      'a form',
      '',
      exchange('POST /orders', {
        status: 201,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        sent: 'petId=7',
        answered: { id: 70, petId: 7 },
      }),
      "form: { petId: '${petId}' }",
    ],
  ])('%s', (_, parameters, sent, written) => {
    const text = contractOf([pet, sent], shop(parameters));
    expect(text).toContain(written);
    // What is expected of the response is written in the same way.
    expect(text.slice(text.indexOf('capture'))).not.toMatch(/\b7\b/);
  });

  test('a number of something else is not', () => {
    const text = contractOf(
      [pet, list('?page=7&limit=7&petIdx=7'), order({ petId: 9, line: { count: 7, id: 7 } })],
      shop('{ name: limit, in: query, schema: { type: integer } }'),
    );
    expect(text).toContain('/orders?page=7&limit=7&petIdx=7');
    expect(text).toContain('petId: 9, line: { count: 7');
  });
});

describe('a key that the client gives', () => {
  const PLACES = `openapi: 3.0.3
info: { title: Places, version: 1.0.0 }
paths:
  /waypoints:
    get: { operationId: listWaypoints, responses: ${ok(`{ type: array, items: ${ref('Waypoint')} }`)} }
    post: { operationId: addWaypoint, requestBody: ${json(ref('Waypoint'))}, responses: ${ok(ref('Waypoint'), 201)} }
  /waypoints/{waypointName}:
    parameters: [{ name: waypointName, in: path, required: true, schema: { type: string } }]
    get: { operationId: getWaypoint, responses: ${ok(ref('Waypoint'))} }
    put: { operationId: putWaypoint, requestBody: ${json(ref('Waypoint'))}, responses: ${ok(ref('Waypoint'))} }
    delete: { operationId: deleteWaypoint, responses: { '204': { description: gone } } }
components:
  schemas:
    Waypoint: { type: object, properties: { name: { type: string }, lat: { type: number } } }
`;
  const waypoint = (name: string) => ({ name, lat: 3 });

  test('in place of the old one stays what was sent, and later steps use it', () => {
    const text = contractOf(
      [
        exchange('POST /waypoints', { status: 201, sent: waypoint('Home'), answered: waypoint('Home') }),
        exchange('PUT /waypoints/Home', { sent: waypoint('My wp'), answered: waypoint('My wp') }),
        exchange('GET /waypoints/My%20wp', { answered: waypoint('My wp') }),
      ],
      PLACES,
    );
    expect(text).not.toContain('setup');
    expect(text).toContain("parameters: { waypointName: '${waypointName}' }\n    body: { name: My wp, lat: 3 }");
    expect(text).toContain("parameters: { waypointName: '${waypointName_2}' }\n    expect: { status: 200");
    const [, cleanup = ''] = text.split('cleanup:');
    expect(cleanup.match(/waypointName: '.*?'/g)).toEqual(["waypointName: '${waypointName_2}'"]);
  });

  test('to something that was there before stays what was sent, too', () => {
    const text = contractOf(
      [
        exchange('GET /waypoints/Old%201', { answered: waypoint('Old 1') }),
        exchange('PUT /waypoints/Old%201', { sent: waypoint('My wp'), answered: waypoint('My wp') }),
      ],
      PLACES,
    );
    expect(text).toContain('body: { name: My wp, lat: 3 }');
  });
});

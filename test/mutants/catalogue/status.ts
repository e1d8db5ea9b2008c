import { UNKNOWN } from '../client';
import { bad, good, onAnswer, type Defect } from '../defect';
import { asError, asText, withStatus, type Answer } from '../message';

const NOTHING = Buffer.alloc(0);
const inUse = ['category_in_use', 'pet_in_use', 'order_already_complete'];

export const STATUS_DEFECTS: readonly Defect[] = [
  {
    id: 'ST-01',
    needs: ['T'],
    title: 'adding a pet returns 200',
    clause: 'createPet documents 201',
    start: onAnswer(good('createPet'), withStatus(200)),
    witness: async (client) => (await client.pet()).reply.status === 200,
  },
  {
    id: 'ST-02',
    needs: ['T', 'H'],
    title: 'adding a pet returns 202 with the finished pet',
    clause: 'createPet documents 201; RFC 9110 §15.3.3: 202 is for processing that has not been completed',
    start: onAnswer(good('createPet'), withStatus(202)),
    witness: async (client) => (await client.pet()).reply.status === 202,
  },
  {
    id: 'ST-04',
    needs: ['H'],
    title: 'a removal returns 204 and sends a body',
    clause: 'RFC 9110 §15.3.5: a 204 response cannot contain content, §8.6: nor Content-Length',
    start: onAnswer(good('deletePet', 'deleteCategory', 'cancelOrder'), (answer) =>
      asText(answer, 'application/json', '{"deleted":true}'),
    ),
    witness: async (client) => {
      const { path } = await client.category();
      const head = `DELETE ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer test-key\r\nConnection: close\r\n\r\n`;
      return (await client.raw(head)).endsWith('{"deleted":true}');
    },
  },
  {
    id: 'ST-05',
    needs: ['T', 'H'],
    title: 'replacing what exists returns 201',
    clause: 'replacePet and replaceCategory document 200; RFC 9110 §9.3.4: 201 only if PUT created the resource',
    start: onAnswer(good('replacePet', 'replaceCategory'), withStatus(201)),
    witness: async (client) => (await client.put((await client.category()).path, { name: 'Owl' })).status === 201,
  },
  {
    id: 'ST-07',
    needs: ['T', 'S'],
    title: 'an unknown pet is 200 with null',
    clause: 'getPet: 404 when no pet has the id',
    start: onAnswer(
      (exchange, { status }) => exchange.place.operation === 'getPet' && status === 404,
      (answer) => asText({ ...answer, status: 200 }, 'application/json', 'null'),
    ),
    witness: async (client) => {
      const { status, text } = await client.get(`/pets/${UNKNOWN}`);
      return status === 200 && text === 'null';
    },
  },
  {
    id: 'ST-08',
    needs: ['T'],
    title: 'an unknown order is a 400',
    clause: 'getOrder, updateOrder, cancelOrder: 404 resource_not_found',
    start: onAnswer(
      ({ place }, { status }) => place.collection === 'orders' && place.id !== undefined && status === 404,
      (answer) => asError(answer, 400, 'resource_not_found'),
    ),
    witness: async (client) => (await client.get(`/store/orders/${UNKNOWN}`)).status === 400,
  },
  {
    id: 'ST-10',
    needs: ['T'],
    title: 'a list returns 206, which the description does not know',
    clause: 'listCategories documents 200 (rest-faults R-3)',
    start: onAnswer(good('listCategories'), withStatus(206)),
    witness: async (client) => (await client.get('/categories')).status === 206,
  },
  {
    id: 'ST-11',
    needs: ['N'],
    title: 'a body that breaks its schema makes the server fail',
    clause: 'petstore.md §6: 400 invalid_field, missing_field',
    start: onAnswer(
      ({ call, place }, { status }) => place.operation !== undefined && call.body.length > 0 && status === 400,
      (answer) => asError(answer, 500, 'internal_error'),
    ),
    witness: async (client) => (await client.post('/categories', { name: 7 })).status === 500,
  },
  {
    id: 'ST-13',
    needs: ['E'],
    title: 'errors are sent with the status 200',
    clause: 'Error.status equals the HTTP status; 404 when there is no such resource',
    start: onAnswer(bad(404, 409, 422), withStatus(200)),
    witness: async (client) => {
      const { status, fields } = await client.get(`/categories/${UNKNOWN}`);
      return status === 200 && fields.status === 404;
    },
  },
  {
    id: 'ST-14',
    needs: ['B', 'D'],
    title: 'a removal that a conflict forbids returns 204 and removes nothing',
    clause: 'petstore.md §5: 409 category_in_use, pet_in_use, order_already_complete',
    start: onAnswer(
      ({ call }, answer) => call.method === 'DELETE' && inUse.some((code) => codeIs(answer, code)),
      (answer) => ({ ...answer, status: 204, body: NOTHING, headers: [] }),
    ),
    witness: async (client) => {
      const category = await client.category();
      await client.pet({ categoryId: category.id });
      const { status } = await client.delete(category.path);
      return status === 204 && (await client.get(category.path)).status === 200;
    },
  },
];

const codeIs = ({ body }: Answer, code: string): boolean => body.includes(`"${code}"`);

import request from 'supertest';
import { serveText } from '../../support/serve-text';
import { answers, ref } from '../../support/flow';

const EXPAND = '{ name: expand, in: query, schema: { type: array, items: { type: string } } }';
const ID = '{ name: id, in: path, required: true, schema: { type: string } }';
const takes = (members: string): string =>
  `requestBody: { content: { application/json: { schema: { type: object, properties: { ${members} } } } } }`;

const DOCUMENT = `openapi: 3.0.3
info: { title: Bills, version: 1.0.0 }
paths:
  /customers:
    post: { ${takes('name: { type: string }, secret: { type: string }')}, ${answers(ref('Customer'), 201)} }
  /customers/{id}:
    get: { parameters: [${ID}], ${answers(ref('Customer'))} }
  /invoices:
    get: { parameters: [${EXPAND}], ${answers(`{ type: object, required: [data], properties: { data: { type: array, items: ${ref('Invoice')} } } }`)} }
    post: { ${takes('customer: { type: string }, note: { type: string }, expand: { type: array, items: { type: string } }')}, ${answers(ref('Invoice'), 201)} }
  /invoices/{id}:
    get: { parameters: [${ID}, ${EXPAND}], ${answers(ref('Invoice'))} }
components:
  schemas:
    Customer:
      type: object
      required: [id]
      properties: { id: { type: string }, name: { type: string }, secret: { type: string, writeOnly: true } }
    Invoice:
      type: object
      required: [id]
      properties: { id: { type: string }, note: { type: string }, customer: { anyOf: [{ type: string }, ${ref('Customer')}] } }
`;

describe('a member that is either a key or the item', () => {
  async function withInvoice() {
    const app = request(await serveText(DOCUMENT));
    const customer = (await app.post('/customers').send({ name: 'Ann', secret: 's' }).expect(201)).body as {
      id: string;
    };
    const sent = { customer: customer.id, note: 'n' };
    const invoice = (await app.post('/invoices').send(sent).expect(201)).body as { id: string };
    return { app, customer: { id: customer.id, name: 'Ann' }, invoice, sent };
  }

  test('is the key, and the item where a request asks for that', async () => {
    const { app, customer, invoice } = await withInvoice();
    expect((await app.get(`/invoices/${invoice.id}`)).body).toMatchObject({ customer: customer.id });
    const asked = await app.get(`/invoices/${invoice.id}?expand=customer`).expect(200);
    expect(asked.body).toEqual({ id: invoice.id, note: 'n', customer });
  });

  test('of every item of a list, and of one that is made', async () => {
    const { app, customer, sent } = await withInvoice();
    expect((await app.get('/invoices?expand=data.customer')).body).toMatchObject({ data: [{ customer }] });
    const made = await app
      .post('/invoices')
      .send({ ...sent, expand: ['customer'] })
      .expect(201);
    expect(made.body).toMatchObject({ customer });
  });

  test('stays the key where nothing is kept under it, or something else is asked for', async () => {
    const { app, customer, invoice } = await withInvoice();
    expect((await app.get(`/invoices/${invoice.id}?expand=note,nothing`)).body).toMatchObject({
      customer: customer.id,
    });
    const lost = (await app.post('/invoices').send({ customer: 'gone' }).expect(201)).body as { id: string };
    expect((await app.get(`/invoices/${lost.id}?expand=customer`)).body).toMatchObject({ customer: 'gone' });
  });
});

import { inferResourceModel } from '../../src/resources/infer-resource-model';
import { type EventPlan, planEvents } from '../../src/events/event-triggers';
import { buildModel } from '../../src/openapi/model/api-model';
import { readSource } from '../../src/openapi/read/read-source';

type Part = Record<string, unknown>;

const ORDER = { $ref: '#/components/schemas/PurchaseOrder' };
const json = (schema: Part): Part => ({ description: 'as it is', content: { 'application/json': { schema } } });
const sending = (schema: Part, more: Part = {}): Part => ({
  post: { requestBody: json(schema), responses: { 200: { description: 'taken' } }, ...more },
});

/** A shop of orders and customers. @param more - parts of the root */
function plansOf(webhooks: Part, callbacks: Part = {}, more: Part = {}): EventPlan[] {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/orders': {
        get: { responses: { 200: json({ type: 'array', items: ORDER }) } },
        post: { operationId: 'placeOrder', requestBody: json(ORDER), responses: { 201: json(ORDER) }, callbacks },
      },
      '/orders/{orderId}': {
        get: { responses: { 200: json(ORDER) } },
        delete: { responses: { 204: { description: 'gone' } } },
      },
      '/orders/{orderId}/refund': { post: { responses: { 200: json(ORDER) } } },
      '/credit-cards': {
        get: { responses: { 200: json({ type: 'array', items: { $ref: '#/components/schemas/CreditCard' } }) } },
      },
      '/credit-cards/{cardId}': { get: { responses: { 200: json({ $ref: '#/components/schemas/CreditCard' }) } } },
    },
    webhooks,
    components: {
      schemas: {
        PurchaseOrder: {
          type: 'object',
          required: ['id'],
          properties: {
            id: { type: 'integer' },
            status: { type: 'string', enum: ['placed', 'approved', 'canceled', 'delivered'] },
            total: { type: 'number' },
            archived: { type: 'boolean' },
            shippedAt: { type: ['string', 'null'], format: 'date-time' },
            callbackUrl: { type: 'string', format: 'uri' },
          },
        },
        CreditCard: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string' }, last4: { type: 'string' } },
        },
      },
    },
    ...more,
  };
  const api = buildModel(readSource(JSON.stringify(document), 'shop.json'));
  return planEvents(api, inferResourceModel(api));
}

const shown = ({ trigger }: EventPlan): unknown => {
  if (trigger === undefined) return undefined;
  const { by, ...rest } = trigger;
  return { ...rest, resource: trigger.resource.path, ...(by === undefined ? {} : { by: by.id }) };
};

test.each([
  ['order.created', { on: 'created' }],
  ['newOrder', { on: 'created' }],
  ['ORDER_DELETED', { on: 'removed' }],
  ['orders/updated', { on: 'changed' }],
  ['onOrderStatusChanged', { on: 'changed', property: 'status' }],
  ['order_total_updated', { on: 'changed', property: 'total' }],
  ['order.cancelled', { on: 'changed', property: 'status', value: 'canceled' }],
  ['orderDelivered', { on: 'changed', property: 'status', value: 'delivered' }],
  ['order.archived', { on: 'changed', property: 'archived', value: true }],
  ['order.refunded', { on: 'changed', by: 'POST /orders/{orderId}/refund' }],
  ['order.shipped', { on: 'changed', property: 'shippedAt' }],
  ['purchase-order.created', { on: 'created' }],
])('the name %s says when a webhook is sent', (name, what) => {
  const [plan] = plansOf({ [name]: sending(ORDER) });
  expect(plan && shown(plan)).toEqual({ resource: '/orders', ...what });
});

test('a name of several words is that of the resource that has them all', () => {
  const [plan] = plansOf({ creditCardAdded: sending({ type: 'object' }) });
  expect(plan && shown(plan)).toEqual({ resource: '/credit-cards', on: 'created' });
});

test('what is sent is found by its body where the name does not say it, and when by the prose', () => {
  const body = { type: 'object', properties: { type: { type: 'string' }, data: ORDER }, required: ['data'] };
  const [plan] = plansOf({ fulfilment: sending(body, { description: 'Sent when the order has been delivered.' }) });
  expect(plan && shown(plan)).toEqual({ resource: '/orders', on: 'changed', property: 'status', value: 'delivered' });
  expect(plan?.shape?.path).toEqual(['data']);
  expect(plan?.evidence.map(({ text }) => text)).toEqual([
    'its body has an item of /orders',
    'its prose says "when the order has been delivered"',
  ]);
});

test('a callback is about what its operation makes, and is sent when that is made where nothing says more', () => {
  const [onData, onCanceled] = plansOf(
    {},
    {
      onData: { '{$request.body#/callbackUrl}/data': sending({ type: 'object' }) },
      orderCanceled: { '{$request.body#/callbackUrl}': sending(ORDER) },
    },
  );
  expect(onData && shown(onData)).toEqual({ resource: '/orders', on: 'created', by: 'placeOrder' });
  expect(onCanceled && shown(onCanceled)).toMatchObject({ value: 'canceled' });
  const [placed] = plansOf({}, { onEvent: { '{$request.body#/callbackUrl}': sending(ORDER) } });
  expect(placed && shown(placed)).toEqual({ resource: '/orders', on: 'created', by: 'placeOrder' });
  expect(placed?.registeredBy?.id).toBe('placeOrder');
  expect(placed?.event.address).toBe('{$request.body#/callbackUrl}');
});

test('one request for many events is as many, where its body says which it is', () => {
  const type = { type: 'string', enum: ['order.created', 'order.delivered', 'ping'] };
  const body = { type: 'object', required: ['type', 'data'], properties: { type, data: ORDER } };
  const plans = plansOf({ notification: sending(body) });
  expect(plans.map(({ type: name }) => name)).toEqual(['order.created', 'order.delivered', 'ping']);
  expect(plans.map(shown)).toEqual([
    { resource: '/orders', on: 'created' },
    { resource: '/orders', on: 'changed', property: 'status', value: 'delivered' },
    undefined,
  ]);
});

test('x-standin has the last word, and what it says wrong is told', () => {
  const said = (hint: unknown): EventPlan | undefined =>
    plansOf({ 'order.created': sending(ORDER, { 'x-standin': hint }) })[0];
  const plan = said({ sent: 'changed', resource: '/orders', property: 'status', value: 'approved' });
  expect(plan && shown(plan)).toEqual({ resource: '/orders', on: 'changed', property: 'status', value: 'approved' });
  expect(said(false)?.trigger).toBeUndefined();
  expect(said(false)?.evidence[0]?.text).toBe('x-standin says so: it is not sent');
  expect(said({ sent: 'deleted', resource: '/orders' })?.evidence[0]?.text).toContain(
    'one of sent: created, changed, removed',
  );
});

test('what nothing is known of is not sent, and the reason says what to do', () => {
  const [plan] = plansOf({ ping: sending({ type: 'object', properties: { zen: { type: 'string' } } }) });
  expect(plan?.trigger).toBeUndefined();
  expect(plan?.evidence[0]?.text).toContain('x-standin: { sent: created, resource: /… } says when it is sent');
  const [of] = plansOf({ 'order.status.created': sending(ORDER, { description: 'When an order is created' }) });
  expect(of?.trigger).toBeUndefined();
  const [odd] = plansOf({ 'order.sparkled': sending(ORDER) });
  expect(odd?.evidence.at(-1)?.text).toContain('no word of "order.sparkled" says what happens to order');
});

test('webhooks of a description of 3.0 stand under x-webhooks', () => {
  const plans = plansOf(
    {},
    {},
    { openapi: '3.0.3', webhooks: undefined, 'x-webhooks': { 'order.created': sending(ORDER) } },
  );
  expect(plans.map(shown)).toEqual([{ resource: '/orders', on: 'created' }]);
});

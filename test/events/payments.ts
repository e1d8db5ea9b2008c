import { createMockServer } from '../../src/library/create-mock-server';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import type { MockServer } from '../../src/server/mock-server';

type Part = Record<string, unknown>;

const json = (schema: Part): Part => ({ description: 'as it is', content: { 'application/json': { schema } } });
const schema = (name: string): Part => ({ $ref: `#/components/schemas/${name}` });
const list = (name: string): Part => ({ get: { responses: { 200: json({ type: 'array', items: schema(name) }) } } });
const sent = (name: string): Part => ({
  post: { requestBody: json(schema(name)), responses: { 200: { description: 'taken' } } },
});

/** An API of payments with a callback, webhooks, and subscriptions to them. */
export const PAYMENTS = {
  openapi: '3.1.0',
  info: { title: 'Payments', version: '1' },
  paths: {
    '/payments': {
      ...list('Payment'),
      post: {
        requestBody: json(schema('Payment')),
        responses: { 201: json(schema('Payment')), 400: { description: 'wrong' } },
        callbacks: { onEvent: { '{$request.body#/callbackUrl}': sent('Event') } },
      },
    },
    '/payments/{paymentId}': {
      parameters: [{ name: 'paymentId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: json(schema('Payment')), 404: { description: 'none' } } },
      put: { requestBody: json(schema('Payment')), responses: { 200: json(schema('Payment')) } },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/webhooks': {
      ...list('Webhook'),
      post: { requestBody: json(schema('Webhook')), responses: { 201: json(schema('Webhook')) } },
    },
    '/webhooks/{webhookId}': {
      parameters: [{ name: 'webhookId', in: 'path', required: true, schema: { type: 'integer' } }],
      delete: { responses: { 204: { description: 'gone' } } },
    },
  },
  webhooks: { 'payment.completed': sent('Event'), 'payment.deleted': sent('Payment'), 'invoice.sent': sent('Event') },
  components: {
    schemas: {
      Payment: {
        type: 'object',
        required: ['id', 'amount'],
        properties: {
          id: { type: 'integer', readOnly: true },
          amount: { type: 'integer', minimum: 1 },
          status: { type: 'string', enum: ['pending', 'completed', 'failed'] },
          pin: { type: 'string', writeOnly: true },
          callbackUrl: { type: 'string', format: 'uri' },
        },
      },
      Webhook: {
        type: 'object',
        required: ['url'],
        properties: {
          id: { type: 'integer', readOnly: true },
          url: { type: 'string', format: 'uri' },
          events: { type: 'array', items: { type: 'string' } },
          secret: { type: 'string', writeOnly: true },
          active: { type: 'boolean' },
        },
      },
      Event: {
        type: 'object',
        required: ['id', 'type', 'created', 'data'],
        properties: {
          id: { type: 'string' },
          type: { type: 'string', enum: ['payment.completed', 'payment.created', 'payment.failed'] },
          created: { type: 'string', format: 'date-time' },
          data: schema('Payment'),
        },
      },
    },
  },
} as const;

/** A mock of it that has nothing yet, and lets everybody in. */
export const startPayments = (options: CreateMockServerOptions = {}): Promise<MockServer> =>
  createMockServer({ description: PAYMENTS, auth: 'off', state: 'empty', ...options });

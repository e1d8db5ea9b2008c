import { object, text, whole } from '../support/small-api';
import { collection, ID, Service, type Sketches } from './reach-service';

const tool = object({ ...ID, title: text, stock: { ...whole, readOnly: true } });
const loan = object({ ...ID, toolId: text, state: { type: 'string', enum: ['out', 'returned'], readOnly: true } }, [
  'toolId',
]);

/** Tools, and loans of them that nothing removes. */
export const LENDING: Sketches = {
  ...collection('tools', tool),
  'DELETE /tools/{id}': { answers: { 204: null, 404: null, 409: null } },
  'GET /loans': { answers: { 200: { type: 'array', items: loan } } },
  'POST /loans': { body: loan, answers: { 201: loan, 400: null, 409: null, 422: null } },
  'GET /loans/{id}': { answers: { 200: loan, 404: null } },
};
export const RETURN: Sketches = {
  'POST /loans/{id}/return': { description: 'A loan is returned once.', answers: { 200: loan, 404: null, 409: null } },
};
export const DELIVERY: Sketches = {
  'POST /tools/{id}/deliveries': {
    body: object({ pieces: { ...whole, minimum: 1, maximum: 50 } }, ['pieces']),
    answers: { 201: object({ ...ID, pieces: whole }), 404: null, 409: null },
  },
};

/** Lends what is in stock, one piece for each loan, and keeps tools that are lent. */
export function lending({ startsWith = 1000 } = {}): Service {
  const service = new Service();
  service.create = (name, body) => {
    if (name === 'tools') return [201, service.store('tools', { title: body['title'], stock: startsWith })];
    const lent = service.of('tools').get(String(body['toolId']));
    if (lent === undefined) return [422, { message: 'toolId: there is no such tool' }];
    if (Number(lent['stock']) < 1) return [409, { message: 'none is in stock' }];
    service.store('tools', { ...lent, stock: Number(lent['stock']) - 1 });
    return [201, service.store('loans', { toolId: body['toolId'], state: 'out' })];
  };
  service.act = (item, verb, body) => {
    if (verb === 'deliveries') {
      service.store('tools', { ...item, stock: Number(item['stock']) + Number(body['pieces']) });
      return [201, { id: 'd', ...body }];
    }
    if (verb !== 'return') return [404, {}];
    return item['state'] === 'out' ? [200, service.store('loans', { ...item, state: 'returned' })] : [409, {}];
  };
  service.remove = (name, item) => {
    const isLent = [...service.of('loans').values()].some(
      (each) => each['toolId'] === item['id'] && each['state'] === 'out',
    );
    return name === 'tools' && isLent ? [409, {}] : undefined;
  };
  return service;
}

export const names = (service: Service): string[] =>
  [...service.stored].filter(([, rows]) => rows.size > 0).map(([name]) => name);

import { descriptionFit } from '../../../src/traffic/noise/description-fit';
import { loadText } from '../../openapi/load-text';
import { exchange } from '../recorded';

const { api } = loadText(`openapi: 3.0.3
info: { title: Pets, version: 1.0.0 }
servers: [{ url: 'https://pets.example/v1' }]
paths:
  /pets: { get: { responses: { '200': { description: ok } } } }
  /pets/{petId}: { get: { parameters: [{ name: petId, in: path, required: true, schema: {} }], responses: { '200': { description: ok } } } }
`);

describe('whether a description is one of the traffic', () => {
  it('counts the requests that it knows', () => {
    const exchanges = [
      exchange('GET /v1/pets'),
      exchange('GET /v1/pets/1?a=b'),
      exchange('PUT /v1/pets/1'),
      exchange('GET /v1'),
    ];
    expect(descriptionFit(api, exchanges, 'pets.yaml')).toEqual({ known: 2, all: 4, misfit: undefined });
  });

  it('tells of a description of another API', () => {
    const { misfit } = descriptionFit(api, [exchange('GET /v1/orders'), exchange('GET /v1/orders/1')], 'pets.yaml');
    expect(misfit?.message).toBe(
      'pets.yaml knows none of 2 recorded requests: its paths are below /v1, the first request was GET https://api.example/v1/orders',
    );
    expect(misfit?.hint).toMatch(/^Is it the description of this API\?/);
  });

  it.each([
    ['/api/v2', 'GET /api/v2/pets/1'],
    ['/', 'GET /pets'],
  ])('finds the base path %s that it would have to have', (base, line) => {
    expect(descriptionFit(api, [exchange(line)], 'pets.yaml').misfit?.hint).toBe(
      `Below ${base} it would know some of them: write that into its servers, or name it as the path of the target.`,
    );
  });

  it('knows requests below the path of the target', () => {
    expect(descriptionFit(api, [exchange('GET /api/pets')], 'pets.yaml', '/api')).toMatchObject({ known: 1 });
  });

  it('says nothing of no traffic', () => {
    expect(descriptionFit(api, [], 'pets.yaml')).toEqual({ known: 0, all: 0, misfit: undefined });
  });
});

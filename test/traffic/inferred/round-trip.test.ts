import { join } from 'node:path';
import { findLints } from './lints';
import type { ApiModel } from '../../../src/openapi/model/api-model';
import { inferResourceModel } from '../../../src/resources/infer-resource-model';
import type { ResourceDescription } from '../../../src/resources/model/resource';
import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { inferDescription } from '../../../src/traffic/inferred/infer-description';
import { misfits } from './fits';
import { trafficOf } from './traffic';

const CORPUS = join(__dirname, '..', '..', 'corpus', 'documents');
const EXAMPLES = join(__dirname, '..', '..', '..', 'examples');

/** The description of traffic, compiled, with what `standin check` finds in it. */
function compiled(exchanges: readonly CleanExchange[]): {
  readonly api: ApiModel;
  readonly findings: readonly string[];
} {
  return findLints(inferDescription(exchanges, { title: 'localhost' }));
}

/** A collection by what is stored there: its path without names, below the base path, and its key. */
function collectionName({ path, kind, key }: ResourceDescription, prefix: string): string {
  return `${kind} ${prefix}${path.replace(/\{[^{}]*\}/g, '{}')} by ${key.name}`;
}

const DESCRIPTIONS: readonly (readonly [string, string | undefined])[] = [
  ['the bundled Petstore', undefined],
  ['a board', join(CORPUS, 'board-31.yaml')],
  ['pets, expanded', join(CORPUS, 'pets-expanded.yaml')],
  ['pets in Swagger 2.0', join(CORPUS, 'pets-swagger-2.json')],
  ['readings', join(CORPUS, 'queries-32.yaml')],
  ['repositories', join(CORPUS, 'repositories-links.yaml')],
  ['a shop', join(CORPUS, 'shop', 'openapi.yaml')],
  ['data sets', join(CORPUS, 'data-sets.yaml')],
  ['a library', join(EXAMPLES, 'library', 'openapi.yaml')],
];

describe('descriptions from the traffic of mocks', () => {
  const rates: { found: number; all: number } = { found: 0, all: 0 };

  it.each(DESCRIPTIONS)('fits every exchange with %s, and finds what it stores', async (_, description) => {
    const { api, model, exchanges } = await trafficOf(description === undefined ? {} : { description });
    const describable = exchanges.filter(({ request }) => /^(?:GET|PUT|POST|DELETE|PATCH|HEAD)$/.test(request.method));
    const inferred = compiled(describable);
    expect(inferred.findings).toEqual([]);
    expect(misfits(inferred.api, describable)).toEqual([]);

    const wanted = model.resources.map((resource) => collectionName(resource, api.basePath));
    const found = inferResourceModel(inferred.api).resources.map((each) => collectionName(each, inferred.api.basePath));
    rates.all += wanted.length;
    rates.found += wanted.filter((name) => found.includes(name)).length;
  });

  it('finds nearly all collections, with their keys', () => {
    expect(rates.all).toBeGreaterThan(10);
    expect(rates.found / rates.all).toBeGreaterThanOrEqual(0.9);
  });
});

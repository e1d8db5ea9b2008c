import { inferResourceModel } from '../../../src/resources/infer-resource-model';
import type { ResourceModel } from '../../../src/resources/model/binding';
import { inferDescription } from '../../../src/traffic/inferred/infer-description';
import { misfits } from './fits';
import { findLints } from './lints';
import type { Traffic } from './traffic';

/** What a description from the traffic of a described API is worth. */
export interface Trial {
  readonly findings: readonly string[];
  /** What of the traffic it does not allow. */
  readonly misfits: readonly string[];
  /** Collections and records with their keys, of the description that the API has and of the one that was inferred. */
  readonly wanted: readonly string[];
  readonly found: readonly string[];
}

/** Methods that OpenAPI 3.1 has a place for. */
const DESCRIBABLE = /^(?:GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS|TRACE)$/;

export function judge({ api, model, exchanges }: Traffic): Trial {
  const all = exchanges.filter(({ request }) => DESCRIBABLE.test(request.method));
  const inferred = findLints(inferDescription(all, { title: 'localhost' }));
  return {
    findings: inferred.findings,
    misfits: misfits(inferred.api, all),
    wanted: collectionsOf(model, api.basePath),
    found: collectionsOf(inferResourceModel(inferred.api), inferred.api.basePath),
  };
}

/** What is stored, by path without the names of variables, and by key. */
function collectionsOf({ resources }: ResourceModel, basePath: string): string[] {
  return resources
    .map(({ path, kind, key }) => `${kind} ${basePath}${path.replace(/\{[^{}]*\}/g, '{}')} by ${key.name}`)
    .sort();
}

import { ConfigError } from '../errors/harness-error';
import { similarName } from '../errors/similar-name';
import type { ApiModel } from '../openapi/model';
import type { Resource } from './resource';
import type { Rules } from './rules';

/**
 * Holds the names in a rules file against the description.
 *
 * @throws ConfigError `RULES_INVALID` for a collection, member or operation that the description does not have: such a
 *   rule would never run, and nobody would notice
 */
export function checkRules(rules: Rules | undefined, api: ApiModel, resources: readonly Resource[]): void {
  const faults: string[] = [];
  const check = (kind: string, name: string, known: readonly string[]): void => {
    if (known.includes(name)) return;
    const near = similarName(name, known);
    faults.push(`no ${kind} ${name}${near === undefined ? '' : ` (did you mean ${near}?)`}`);
  };
  const paths = resources.map((resource) => resource.path);
  for (const { collection, member, to } of rules?.references ?? []) {
    check('collection', collection, paths);
    check('collection', to, paths);
    const owner = resources.find((resource) => resource.path === collection);
    if (owner !== undefined) check(`member of ${collection} called`, member, [...owner.properties.keys()]);
  }
  const operations = api.operations.map((operation) => operation.id);
  for (const name of Object.keys(rules?.operations ?? {})) check('operation', name, operations);
  if (faults.length === 0) return;
  throw new ConfigError('RULES_INVALID', `The rules do not fit the description: it has ${faults.join(', and ')}`);
}

import { ConfigError } from '../errors/harness-error';
import { similarName } from '../errors/similar-name';
import type { ApiModel } from '../openapi/model';
import type { ResourceModel } from '../resources/resource-model';
import type { Rules } from './rules';

/**
 * Holds the names in a rules file against the description.
 *
 * @throws ConfigError `RULES_INVALID` for a collection, member or operation that the description does not have: such a
 *   rule would never run, and nobody would notice
 */
export function checkRules(rules: Rules | undefined, api: ApiModel, { resources, bindings }: ResourceModel): void {
  if (rules === undefined) return;
  checkShape(rules);
  const faults: string[] = [];
  const check = (kind: string, name: string, known: readonly string[]): void => {
    if (known.includes(name)) return;
    const near = similarName(name, known);
    faults.push(`no ${kind} ${name}${near === undefined ? '' : ` (did you mean ${near}?)`}`);
  };
  const paths = resources.map((resource) => resource.path);
  for (const { collection, member, to } of rules.references ?? []) {
    check('collection', collection, paths);
    check('collection', to, paths);
    const owner = resources.find((resource) => resource.path === collection);
    if (owner !== undefined) check(`member of ${collection} called`, member, [...owner.properties.keys()]);
  }
  const operations = api.operations.map((operation) => operation.id);
  const bound = new Set([...bindings.keys()].map(({ id }) => id));
  for (const name of Object.keys(rules.operations ?? {})) {
    check('operation', name, operations);
    // It would be answered without any state, and its rule would never be called.
    if (operations.includes(name) && !bound.has(name)) faults.push(`no resource that the operation ${name} works on`);
  }
  if (faults.length === 0) return;
  throw new ConfigError('RULES_INVALID', `The rules do not fit the description: it has ${faults.join(', and ')}`);
}

const MEMBERS = ['standin', 'references', 'operations', 'invariants'];
const REFERENCE_MEMBERS = ['collection', 'member', 'to', 'refuseRemoval'];

/** A rules file may be JavaScript, where nothing else notices a mistyped member. */
function checkShape(rules: Rules): void {
  const { references = [], operations = {}, invariants } = rules as unknown as Readonly<Record<string, unknown>>;
  const faults = unknownNames(rules, MEMBERS, 'the rules');
  if (Array.isArray(references)) {
    for (const reference of references) faults.push(...unknownNames(reference, REFERENCE_MEMBERS, 'a reference'));
  } else faults.push('"references" is no list');
  if (typeof operations !== 'object' || operations === null) faults.push('"operations" is no object');
  else {
    for (const [name, rule] of Object.entries(operations)) {
      if (!isPlainFunction(rule)) faults.push(`the rule of ${name} is no ordinary function`);
    }
  }
  if (invariants !== undefined && !isPlainFunction(invariants)) faults.push('"invariants" is no ordinary function');
  if (faults.length === 0) return;
  throw new ConfigError('RULES_INVALID', `The rules cannot be used: ${faults.join('; ')}`, {
    hint: 'docs/rules.md shows what a rules file holds. Rules are not async: they are done when they return.',
  });
}

function isPlainFunction(value: unknown): boolean {
  return typeof value === 'function' && !/^Async/.test(value.constructor.name);
}

function unknownNames(value: unknown, known: readonly string[], where: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${where} is no object`];
  return Object.keys(value).flatMap((name) => {
    if (known.includes(name)) return [];
    const near = similarName(name, known);
    return [`${where} has "${name}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`];
  });
}

import { ConfigError } from '../errors/harness-error';
import { similarName } from '../errors/similar-name';
import type { ApiModel } from '../openapi/model';
import type { ResourceDescription, ResourceModel } from '../resources/resource-model';
import { liesBeside } from './rule-references';
import type { Reference, Rules } from './rules';

/**
 * Holds the names in a rules file against the description.
 *
 * @throws ConfigError `RULES_INVALID` for a collection, member or operation that the description does not have: such a
 *   rule would never run, and nobody would notice
 */
export function checkRules(rules: Rules | undefined, api: ApiModel, { resources, bindings }: ResourceModel): void {
  if (rules === undefined) return;
  checkShape(rules);
  const faults = (rules.references ?? []).flatMap((reference) => referenceFaults(reference, resources));
  const operations = api.operations.map((operation) => operation.id);
  const bound = new Set([...bindings.keys()].map(({ id }) => id));
  for (const name of Object.keys(rules.operations ?? {})) {
    faults.push(...unknownName('operation', name, operations));
    // It would be answered without any state, and its rule would never be called.
    if (operations.includes(name) && !bound.has(name)) faults.push(`no resource that the operation ${name} works on`);
  }
  const asked = new Set(
    api.operations.flatMap(({ parameters }) => parameters.filter(isInQuery).map(({ name }) => name)),
  );
  for (const name of Object.keys(rules.filters ?? {})) faults.push(...unknownName('query parameter', name, [...asked]));
  if (faults.length === 0) return;
  throw new ConfigError('RULES_INVALID', `The rules do not fit the description: it has ${faults.join(', and ')}`);
}

function isInQuery(parameter: { readonly in: string }): boolean {
  return parameter.in === 'query';
}

function referenceFaults(
  { collection, member, to }: Reference,
  resources: readonly ResourceDescription[],
): readonly string[] {
  const paths = resources.map(({ path }) => path);
  const owner = resources.find(({ path }) => path === collection);
  const target = resources.find(({ path }) => path === to);
  const members = owner === undefined ? [member] : [...owner.properties.keys()];
  const faults = [
    ...unknownName('collection', collection, paths),
    ...unknownName('collection', to, paths),
    ...unknownName(`member of ${collection} called`, member, members),
  ];
  if (owner !== undefined && target !== undefined && !liesBeside(owner, target))
    faults.push(`no way to tell from an item of ${collection} which of the collections ${to} it refers to`);
  return faults;
}

function unknownName(kind: string, name: string, known: readonly string[]): string[] {
  if (known.includes(name)) return [];
  const near = similarName(name, known);
  return [`no ${kind} ${name}${near === undefined ? '' : ` (did you mean ${near}?)`}`];
}

const MEMBERS = ['standin', 'references', 'operations', 'invariants', 'filters', 'beginning'];
const REFERENCE_MEMBERS = ['collection', 'member', 'to', 'refuseRemoval'];

/**
 * A rules file may be JavaScript, where nothing else notices a mistyped member.
 *
 * @throws ConfigError `RULES_INVALID`
 */
export function checkShape(rules: Rules): void {
  const { references = [], invariants, beginning } = rules as unknown as Readonly<Record<string, unknown>>;
  const faults = unknownNames(rules, MEMBERS, 'the rules');
  if (Array.isArray(references)) {
    for (const reference of references) faults.push(...unknownNames(reference, REFERENCE_MEMBERS, 'a reference'));
  } else faults.push('"references" is no list');
  for (const section of ['operations', 'filters'] as const)
    faults.push(...functionFaults(section, rules[section] ?? {}));
  if (!['empty', 'seeded', undefined].includes(beginning as string | undefined))
    faults.push('"beginning" is neither empty nor seeded');
  if (invariants !== undefined && !isPlainFunction(invariants)) faults.push('"invariants" is no ordinary function');
  if (faults.length === 0) return;
  throw new ConfigError('RULES_INVALID', `The rules cannot be used: ${faults.join('; ')}`, {
    hint: 'docs/rules.md shows what a rules file holds. Rules are not async: they are done when they return.',
  });
}

function functionFaults(section: string, map: unknown): string[] {
  if (typeof map !== 'object' || map === null) return [`"${section}" is no object`];
  const wrong = Object.entries(map).filter(([, rule]) => !isPlainFunction(rule));
  return wrong.map(([name]) => `the rule of ${name} is no ordinary function`);
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

import { ConfigError } from '../../core/errors/standin-error';
import { similarName } from '../../core/text/similar-name';
import type { ApiModel } from '../../openapi/model/api-model';
import { parseTemplate, shapeOf } from '../../openapi/view/path-template';
import type { ResourceModel } from '../../resources/model/binding';
import type { ResourceDescription } from '../../resources/model/resource';
import type { BrokenInvariant, Reference, RuleEvent, RuleReader, Rules } from './rules';

/**
 * Holds the names in a rules file against the description.
 *
 * @throws ConfigError `RULES_INVALID` for a collection, property or operation that the description does not have: such a
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
  { collection, member: property, to }: Reference,
  resources: readonly ResourceDescription[],
): readonly string[] {
  const paths = resources.map(({ path }) => path);
  const owner = resources.find(({ path }) => path === collection);
  const target = resources.find(({ path }) => path === to);
  const properties = owner === undefined ? [property] : [...owner.properties.keys()];
  const faults = [
    ...unknownName('collection', collection, paths),
    ...unknownName('collection', to, paths),
    ...unknownName(`property of ${collection} called`, property, properties),
  ];
  if (owner !== undefined && target !== undefined && !sharesScope(owner, target))
    faults.push(`no way to know from an item of ${collection} which of the collections ${to} it refers to`);
  return faults;
}

function unknownName(kind: string, name: string, known: readonly string[]): string[] {
  if (known.includes(name)) return [];
  const near = similarName(name, known);
  const some = [...known.slice(0, MAX_NAMED), ...(known.length > MAX_NAMED ? ['…'] : [])].join(', ');
  const hint = near !== undefined ? ` (did you mean ${near}?)` : some === '' ? '' : ` (there are ${some})`;
  return [`no ${kind} ${name}${hint}`];
}

/** How many names a message lists. */
const MAX_NAMED = 8;

const PROPERTIES = ['standin', 'references', 'operations', 'invariants', 'filters', 'beginning'];
const REFERENCE_PROPERTIES = ['collection', 'member', 'to', 'refuseRemoval'];

/**
 * A rules file may be JavaScript, where nothing else notices a mistyped property.
 *
 * @throws ConfigError `RULES_INVALID`
 */
function checkShape(rules: Rules): void {
  const { references = [], invariants, beginning } = rules as unknown as Readonly<Record<string, unknown>>;
  const faults = unknownNames(rules, PROPERTIES, 'the rules');
  if (Array.isArray(references)) {
    for (const reference of references) faults.push(...unknownNames(reference, REFERENCE_PROPERTIES, 'a reference'));
  } else faults.push(`"references" must be an array, got ${typeof references}`);
  for (const section of ['operations', 'filters'] as const)
    faults.push(...functionFaults(section, rules[section] ?? {}));
  if (!['empty', 'seeded', undefined].includes(beginning as string | undefined))
    faults.push('"beginning" must be empty or seeded');
  if (invariants !== undefined && !isPlainFunction(invariants))
    faults.push('"invariants" must be a function that is not async');
  if (faults.length === 0) return;
  throw new ConfigError('RULES_INVALID', `The rules cannot be used: ${faults.join('; ')}`, {
    hint: 'docs/reference/rules.md shows what a rules file holds. Rules are not async: they are done when they return.',
  });
}

function functionFaults(section: string, map: unknown): string[] {
  if (typeof map !== 'object' || map === null)
    return [`"${section}" must be an object, got ${map === null ? 'null' : typeof map}`];
  const wrong = Object.entries(map).filter(([, rule]) => !isPlainFunction(rule));
  return wrong.map(([name]) => `the rule of ${name} must be a function that is not async`);
}

function isPlainFunction(value: unknown): boolean {
  return typeof value === 'function' && !/^Async/.test(value.constructor.name);
}

function unknownNames(value: unknown, known: readonly string[], where: string): string[] {
  if (typeof value !== 'object' || value === null)
    return [`${where} must be an object, got ${value === null ? 'null' : typeof value}`];
  return Object.keys(value).flatMap((name) => {
    if (known.includes(name)) return [];
    const near = similarName(name, known);
    return [`${where} has "${name}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`];
  });
}
/** The path as far as its nth variable, whatever the variables are called; `undefined` where it has fewer. */
function beginning({ path }: ResourceDescription, count: number): string | undefined {
  const segments = parseTemplate(path)?.segments ?? [];
  const ends = [0, ...segments.flatMap(({ kind }, index) => (kind === 'variable' ? [index + 1] : []))];
  const end = ends[count];
  return end === undefined ? undefined : shapeOf(segments.slice(0, end));
}

/**
 * Does an item say by its place in which collection the other one is looked for? `/shelves/{shelf}/loans` lies below
 * the same shelf as `/shelves/{shelf}/books`; `/loans` does not say which shelf is meant.
 */
function sharesScope(from: ResourceDescription, to: ResourceDescription): boolean {
  const count = to.scope.length;
  const place = beginning(to, count);
  return place !== undefined && place === beginning(from, count);
}

/**
 * Two sets of rules as one. Of an operation both rules are called, the earlier one first; of a parameter the later one
 * reads the values.
 *
 * @throws ConfigError `RULES_INVALID` for what is not a set of rules
 */
export function mergeRules(earlier: Rules | undefined, later: Rules | undefined): Rules | undefined {
  if (earlier === undefined || later === undefined) return earlier ?? later;
  checkShape(earlier);
  checkShape(later);
  const operations = { ...earlier.operations };
  for (const [id, rule] of Object.entries(later.operations ?? {})) {
    const before = operations[id];
    operations[id] = before === undefined ? rule : inTurn(before, rule);
  }
  const judges = [earlier.invariants, later.invariants].filter((invariants) => invariants !== undefined);
  return {
    standin: 'rules/1',
    references: [...(earlier.references ?? []), ...(later.references ?? [])],
    operations,
    filters: { ...earlier.filters, ...later.filters },
    ...(judges.length === 0 ? {} : { invariants: (store) => allOf(judges, store) }),
    beginning: earlier.beginning === 'seeded' && later.beginning === 'seeded' ? 'seeded' : 'empty',
  };
}

type Rule = (event: RuleEvent) => unknown;

/** What a rule returns is handed on: one that returns a promise is a fault that is reported. */
function inTurn(...rules: readonly Rule[]): Rule {
  return (event) => rules.map((rule) => rule(event)).find((returned) => returned !== undefined);
}

function* allOf(judges: readonly NonNullable<Rules['invariants']>[], store: RuleReader): Iterable<BrokenInvariant> {
  for (const invariants of judges) yield* invariants(store);
}

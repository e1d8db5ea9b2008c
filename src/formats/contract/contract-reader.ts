import type { SourceFinding } from '../../core/errors/standin-error';
import type { Browser } from '../../core/http/cors';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { SourceDocument } from '../../openapi/read/source-document';
import { FormatDiagnostics, type LocatedValue, PropertyReader } from '../property-reader';
import { NO_FILES, type ReadFile } from './body-reader';
import {
  type Contract,
  CONTRACT_FORMAT,
  type KnownOperation,
  type NamedParent,
  parentVariables,
  type Phase,
  placeholdersOf,
  RUN_ID,
  sentPlaceholdersOf,
  type Step,
} from './contract';
import { isScalar } from './placeholders';
import { readStep, readTags } from './step-reader';
import { fillVariables, type GivenValues, NO_GIVEN_VALUES, readVariables, secretValues } from './variables';

/** `$schema` is for editors. */
const CONTRACT_KEYS = [
  '$schema',
  'standin',
  'name',
  'tags',
  'pending',
  'variables',
  'env',
  'within',
  'browser',
  'setup',
  'steps',
  'cleanup',
];
const PHASES = ['setup', 'steps', 'cleanup'] as const;

/**
 * Reads a contract file. Every operation, parameter and placeholder in it is looked up here, so that a contract that
 * loads can be replayed.
 *
 * @param operations - what the description has
 * @param findings - gets what does not fit the format; with any of them the contract is not to be used
 * @param beside - what is not in the file: values of its variables, and the files that it names
 */
export function readContract(
  document: SourceDocument,
  operations: readonly KnownOperation[],
  findings: SourceFinding[],
  beside: ContractInputs = NO_INPUTS,
): Contract | undefined {
  const validate = new FormatDiagnostics(document, 'contract-format');
  const secrets: string[] = [];
  const contract = read(document, operations, validate, beside, secrets);
  findings.push(...validate.findings.map((finding) => withoutSecrets(finding, secrets)));
  return validate.findings.length > 0 ? undefined : contract;
}

export interface ContractInputs {
  readonly given: GivenValues;
  readonly readFile: ReadFile;
}

const NO_INPUTS: ContractInputs = { given: NO_GIVEN_VALUES, readFile: NO_FILES };

function read(
  document: SourceDocument,
  operations: readonly KnownOperation[],
  diagnostics: FormatDiagnostics,
  { given, readFile }: ContractInputs,
  secrets: string[],
): Contract | undefined {
  const properties = PropertyReader.open({ value: document.root, pointer: '' }, 'contract', CONTRACT_KEYS, diagnostics);
  if (properties === undefined) return undefined;
  if (properties.value('standin') !== CONTRACT_FORMAT) {
    properties.addExpected('standin', `"${CONTRACT_FORMAT}"`);
    return undefined;
  }
  const name = properties.text('name');
  if (!properties.has('name')) properties.addExpected('name', 'a name for the report');
  properties.text('$schema');
  const variables = readVariables(properties, given, diagnostics);
  secrets.push(...secretValues(variables));
  const context = { operations, readFile, diagnostics };
  const filled = ({ value, pointer }: LocatedValue): LocatedValue => ({
    value: fillVariables(value, variables),
    pointer,
  });
  const phase = (of: Phase): Step[] => properties.list(of).flatMap((item) => readStep(filled(item), of, context) ?? []);
  const contract = {
    name: name ?? '',
    document,
    tags: readTags(properties, diagnostics),
    pending: properties.text('pending'),
    variables,
    within: readWithin(properties, operations, diagnostics),
    browser: properties.has('browser')
      ? readBrowser({ value: properties.value('browser') ?? null, pointer: properties.at('browser') }, diagnostics)
      : undefined,
    setup: phase('setup'),
    steps: phase('steps'),
    cleanup: phase('cleanup'),
  };
  if (properties.list('steps').length === 0) properties.addExpected('steps', 'an array with at least one step');
  checkPlaceholders(contract, capturesOfInvalidSteps(properties, contract), diagnostics);
  checkTouches(contract, operations, diagnostics);
  return contract;
}

/** A finding may quote what stands in a step, and that is filled in by then. */
function withoutSecrets(finding: SourceFinding, secrets: readonly string[]): SourceFinding {
  const hide = (text: string): string => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
  const { message, expected, hint } = finding;
  return {
    ...finding,
    message: hide(message),
    expected: expected === undefined ? undefined : hide(expected),
    hint: hint === undefined ? undefined : hide(hint),
  };
}

/** What steps would capture that could not be read: that they miss is reported already, and once is enough. */
function capturesOfInvalidSteps(properties: PropertyReader, contract: Contract): string[] {
  return PHASES.flatMap((phase) => {
    const read = new Set(contract[phase].map(({ pointer }) => pointer));
    const lost = properties.list(phase).filter(({ pointer }) => !read.has(pointer));
    return lost.flatMap(({ value }) => namesOf(isJsonObject(value) ? value['capture'] : undefined));
  });
}

function namesOf(value: JsonValue | undefined): string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

/** A placeholder must have been captured by an earlier step; the cleanup sees what any step captured. */
function checkPlaceholders(
  { variables, setup, steps, cleanup }: Contract,
  unread: readonly string[],
  validate: FormatDiagnostics,
): void {
  const all = [...setup, ...steps, ...cleanup];
  const later = new Set(all.flatMap(({ captures }) => captures.map(({ name }) => name)));
  const given = variables.map(({ name }) => name);
  const known = [RUN_ID, ...given, ...unread];
  for (const step of all) {
    for (const { name, pointer } of placeholdersOf(step)) {
      if (known.includes(name)) continue;
      const isOfEnvironment = name.startsWith('env.');
      const message = isOfEnvironment
        ? `The contract does not declare \${${name}}`
        : `No earlier step captures "${name}", and no variable has that name`;
      validate.addUnknownName(pointer, message, name, known, hintFor(name, later));
    }
    for (const { name, pointer } of step.captures) {
      if (step.phase === 'cleanup') validate.add(pointer, 'A cleanup step cannot capture: nothing comes after it');
      else if (name === RUN_ID) validate.add(pointer, `"${RUN_ID}" has a value already; choose another name`);
      else if (given.includes(name)) validate.add(pointer, `"${name}" is a variable already; choose another name`);
      else known.push(name);
    }
  }
}

function hintFor(name: string, later: ReadonlySet<string>): string | undefined {
  if (name.startsWith('env.')) return `Declare it at the top of the contract: env: [${name.slice('env.'.length)}].`;
  return later.has(name) ? 'A later step captures it: the order of the file is the order of the run.' : undefined;
}

/** `within: { server_id: localhost }`, or a list of values. */
function readWithin(
  properties: PropertyReader,
  operations: readonly KnownOperation[],
  validate: FormatDiagnostics,
): NamedParent[] {
  const known = parentVariables(operations);
  if (properties.has('within') && properties.entries('within').length === 0) {
    properties.addExpected('within', 'at least one variable of a path, such as server_id: localhost');
  }
  return properties.entries('within').flatMap(({ name: variable, value, pointer }) => {
    if (!known.includes(variable)) {
      validate.addUnknownName(pointer, `No path of the description has the variable "${variable}"`, variable, known);
      return [];
    }
    const values: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    if (values.length === 0)
      validate.add(pointer, `"${variable}" names nothing`, 'the name of something that is there');
    return values.flatMap((each, index) => {
      const text = isScalar(each) ? scalarText(each) : '';
      if (text !== '') return [{ variable, value: text }];
      const at = Array.isArray(value) ? joinPointer(pointer, index) : pointer;
      validate.add(at, `"${variable}" names nothing`, 'the name of something that is there: a text or a number');
      return [];
    });
  });
}

/** Reads `browser: { origin: https://app.example }`: pages of this origin call what the contract calls. */
function readBrowser(placed: LocatedValue, validate: FormatDiagnostics): Browser | undefined {
  const properties = PropertyReader.open(placed, 'browser', ['origin', 'credentials'], validate);
  if (properties === undefined) return undefined;
  const origin = properties.value('origin');
  const credentials = properties.value('credentials') ?? false;
  if (typeof credentials !== 'boolean') properties.addExpected('credentials', 'true or false');
  if (typeof origin !== 'string' || !isOrigin(origin)) {
    properties.addExpected('origin', 'scheme, host and port of a page, such as https://app.example');
    return undefined;
  }
  return { origin, credentials: credentials === true };
}

/** As browsers write one (RFC 6454 §6.2): no path, no slash at the end, no port that the scheme implies. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
}

/** Methods whose meaning is their own (RFC 9110 §9.3): a word of the contract changes nothing of it. */
const METHODS_WITH_EFFECT: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * What a step says that it touches is believed where it can be: a POST may be a question, what acts on the run's own
 * names it, and what is removed was made by a step before.
 */
function checkTouches(
  { setup, steps, cleanup }: Contract,
  operations: readonly KnownOperation[],
  validate: FormatDiagnostics,
): void {
  const earlier: string[] = [];
  for (const step of [...setup, ...steps, ...cleanup]) {
    const { pointer, touches, removes, name } = step;
    if (removes !== undefined && !earlier.includes(removes)) {
      validate.addUnknownName(
        joinPointer(pointer, 'removes'),
        `No earlier step is called "${removes}"`,
        removes,
        earlier,
      );
    }
    if (touches === 'nothing' && METHODS_WITH_EFFECT.has(methodOf(step, operations))) {
      validate.add(joinPointer(pointer, 'touches'), `A ${methodOf(step, operations)} does not touch nothing`, 'own');
    }
    if ((touches === 'own' || removes !== undefined) && !usesRunValue(step)) {
      const property = touches === 'own' ? 'touches' : 'removes';
      validate.add(
        joinPointer(pointer, property),
        'The request names nothing of this run',
        `a captured value or \${${RUN_ID}} in its path, its parameters or its body`,
      );
    }
    earlier.push(name);
  }
}

function methodOf({ request }: Step, operations: readonly KnownOperation[]): string {
  if (request.kind === 'raw') return request.method;
  return operations.find(({ id }) => id === request.operationId)?.method ?? '';
}

function usesRunValue(step: Step): boolean {
  const headers = joinPointer(step.pointer, 'headers');
  return sentPlaceholdersOf(step).some(({ pointer }) => !pointer.startsWith(`${headers}/`));
}

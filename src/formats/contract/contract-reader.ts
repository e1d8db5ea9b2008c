import type { SourceFinding } from '../../core/errors/standin-error';
import type { Browser } from '../../core/http/cors';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import type { SourceDocument } from '../../openapi/read/source-document';
import { decodeParts, described, FormatDiagnostics } from '../decode';
import {
  type Contract,
  type KnownOperation,
  type NamedParent,
  parentVariables,
  type Phase,
  placeholdersOf,
  PREDEFINED,
  RUN_ID,
  sentPlaceholdersOf,
  type Step,
  type StepAuth,
  stepsOf,
} from './contract';
import { fillRelativeTimes, hasRelativeTime } from './relative-times';
import type { ReadFile } from './body-reader';
import { checkGroups, groupsOf } from './groups';
import { readStep, type WrittenStep } from './step-reader';
import {
  type ContractVariable,
  fillVariables,
  type GivenValues,
  NO_GIVEN_VALUES,
  readVariables,
  secretValues,
  type WrittenVariables,
} from './variables';

/** A contract as `contracts/contract.schema.json` describes it; what a file lacks is missing in it. */
interface WrittenContract extends WrittenVariables, Partial<Pick<Contract, 'name' | 'tags' | 'pending'>> {
  readonly within?: JsonObject;
  readonly browser?: { readonly origin?: string; readonly credentials?: boolean };
  readonly setup?: readonly WrittenStep[];
  readonly steps?: readonly WrittenStep[];
  readonly cleanup?: readonly WrittenStep[];
}

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
  const diagnostics = new FormatDiagnostics(document, 'contract-format');
  const secrets: string[] = [];
  const contract = read(document, operations, diagnostics, beside, secrets);
  findings.push(...diagnostics.findings.map((finding) => withoutSecrets(finding, secrets)));
  return diagnostics.findings.length > 0 ? undefined : contract;
}

export interface ContractInputs {
  readonly given: GivenValues;
  readonly readFile: ReadFile;
  /** Names of the callbacks and webhooks of the description; where it is left out, they are not looked up. */
  readonly eventNames?: (() => readonly string[]) | undefined;
  /** Names of the security schemes of the description; where it is left out, they are not looked up. */
  readonly schemeNames?: readonly string[] | undefined;
  /** What times are counted from, in milliseconds since the epoch; the time of reading when left out. */
  readonly nowMs?: number | undefined;
}

const NO_FILES: ReadFile = () => ({
  kind: 'refused',
  reason: 'cannot be read here',
  expected: 'a contract that is a file itself',
});

const NO_INPUTS: ContractInputs = { given: NO_GIVEN_VALUES, readFile: NO_FILES };

function read(
  { root, ...document }: SourceDocument,
  operations: readonly KnownOperation[],
  diagnostics: FormatDiagnostics,
  { given, readFile, eventNames, schemeNames, nowMs = Date.now() }: ContractInputs,
  secrets: string[],
): Contract | undefined {
  const variables = readVariables(isJsonObject(root) ? root : {}, given, diagnostics);
  const filled = isJsonObject(root) ? withValues(root, variables, nowMs) : root;
  const parts = decodeParts({ ...document, root: filled }, 'contract');
  const written = parts.root as (WrittenContract & { readonly standin?: string }) | undefined;
  if (written?.standin === undefined) {
    // Of another version, or another kind of file: what else is wrong follows from that.
    diagnostics.findings.splice(0, Infinity, ...parts.findings);
    return undefined;
  }
  secrets.push(...secretValues(variables));
  diagnostics.findings.unshift(...parts.findings);
  const context = { operations, readFile, eventNames, diagnostics };
  const phase = (of: Phase): Step[] =>
    (written[of] ?? []).flatMap((step, index) => {
      const done = readStep(step, `/${of}/${index}`, of, context);
      return done === undefined ? [] : { ...done, auth: fillVariables(done.auth, variables) as StepAuth };
    });
  const { name = '', tags = [], pending, browser } = written;
  const contract = {
    name,
    document: diagnostics.document,
    tags,
    pending,
    variables,
    timesFrom: hasRelativeTime(stringifyJson(root)) ? nowMs : undefined,
    within: readWithin(written.within ?? {}, operations, diagnostics),
    browser: readBrowser(browser, diagnostics),
    setup: phase('setup'),
    steps: phase('steps'),
    cleanup: phase('cleanup'),
  };
  checkPlaceholders(contract, capturesOfInvalidSteps(root, contract), diagnostics);
  checkTouches(contract, operations, diagnostics);
  if (schemeNames !== undefined) checkSchemeNames(contract, schemeNames, diagnostics);
  checkGroups(contract, diagnostics);
  return contract;
}

/** The steps with the values of variables, and the times of this run, in them; keys keep their placeholders for now. */
function withValues(root: JsonObject, variables: readonly ContractVariable[], nowMs: number): JsonObject {
  const entries = Object.entries(root).map(([name, value]) => {
    if (!PHASES.some((phase) => phase === name)) return [name, value];
    const filled = fillVariables(fillRelativeTimes(value, nowMs), variables);
    if (!Array.isArray(value) || !Array.isArray(filled)) return [name, filled];
    const authOf = (step: JsonValue | undefined): JsonObject =>
      isJsonObject(step) && 'auth' in step ? { auth: step['auth'] ?? null } : {};
    return [name, filled.map((step, index) => (isJsonObject(step) ? { ...step, ...authOf(value[index]) } : step))];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** A finding may quote what stands in a step, and that is filled in by then. */
function withoutSecrets(finding: SourceFinding, secrets: readonly string[]): SourceFinding {
  const hide = (text: string): string => secrets.reduce(withoutSecret, text);
  const { message, expected, hint } = finding;
  return {
    ...finding,
    message: hide(message),
    expected: expected === undefined ? undefined : hide(expected),
    hint: hint === undefined ? undefined : hide(hint),
  };
}

/** A value is quoted as JSON, and a long one is cut: then its beginning is shown, with an ellipsis. */
function withoutSecret(text: string, secret: string): string {
  const quoted = JSON.stringify(secret).slice(1, -1);
  const hidden = text.replaceAll(secret, '***').replaceAll(quoted, '***');
  for (let length = quoted.length; length >= SHORTEST_BEGINNING; length--) {
    const beginning = `${quoted.slice(0, length)}…`;
    if (hidden.includes(beginning)) return hidden.replaceAll(beginning, '***');
  }
  return hidden;
}

const SHORTEST_BEGINNING = 4;

/** What steps would capture that could not be read: that they miss is reported already, and once is enough. */
function capturesOfInvalidSteps(root: JsonValue, contract: Contract): string[] {
  return PHASES.flatMap((phase) => {
    const steps = isJsonObject(root) ? root[phase] : undefined;
    const read = new Set(contract[phase].map(({ pointer }) => pointer));
    return (Array.isArray(steps) ? steps : []).flatMap((step, index) => {
      const captures = isJsonObject(step) && !read.has(`/${phase}/${index}`) ? step['capture'] : undefined;
      return isJsonObject(captures) ? Object.keys(captures) : [];
    });
  });
}

/** A placeholder must have been captured by an earlier step; the cleanup sees what any step captured. */
function checkPlaceholders(
  { variables, setup, steps, cleanup }: Contract,
  unread: readonly string[],
  diagnostics: FormatDiagnostics,
): void {
  const all = [...setup, ...steps, ...cleanup];
  const later = new Set(all.flatMap(({ captures }) => captures.map(({ name }) => name)));
  const given = variables.map(({ name }) => name);
  const known = [...PREDEFINED, ...given, ...unread];
  for (const group of [setup, steps, cleanup].flatMap(groupsOf)) {
    for (const { name, pointer } of group.flatMap(placeholdersOf)) {
      if (known.includes(name)) continue;
      const isOfEnvironment = name.startsWith('env.');
      const message = isOfEnvironment
        ? `The contract does not declare \${${name}}`
        : `No earlier step captures "${name}", and no variable has that name`;
      const isOfGroup =
        group.length > 1 && group.some(({ captures }) => captures.some((capture) => capture.name === name));
      diagnostics.addUnknownName(pointer, message, name, known, isOfGroup ? SAME_TIME : hintFor(name, later));
    }
    for (const { name, pointer } of group.flatMap(({ captures }) => captures)) {
      if (given.includes(name)) diagnostics.add(pointer, `"${name}" is a variable already; choose another name`);
      else known.push(name);
    }
  }
}

const SAME_TIME = 'A step that is sent at the same time captures it: only what comes after the group has it.';

function hintFor(name: string, later: ReadonlySet<string>): string | undefined {
  if (name.startsWith('env.')) return `Declare it at the top of the contract: env: [${name.slice('env.'.length)}].`;
  if (/^(?:now|today)\b/.test(name))
    return 'A time is written with its distance: ${now+2h}, ${now-30m}, ${now+0s}; a day ${today+7d}.';
  return later.has(name) ? 'A later step captures it: the order of the file is the order of the run.' : undefined;
}

/** `within: { server_id: localhost }`, or a list of values. */
function readWithin(
  within: JsonObject,
  operations: readonly KnownOperation[],
  diagnostics: FormatDiagnostics,
): NamedParent[] {
  const known = parentVariables(operations);
  return Object.entries(within).flatMap(([variable, value]) => {
    if (!known.includes(variable)) {
      const message = `No path of the description has the variable "${variable}"`;
      diagnostics.addUnknownName(joinPointer('/within', variable), message, variable, known);
    }
    return (Array.isArray(value) ? value : [value]).map((each) => ({ variable, value: scalarText(each) }));
  });
}

/** Reads `browser: { origin: https://app.example }`: pages of this origin call what the contract calls. */
function readBrowser(browser: WrittenContract['browser'], diagnostics: FormatDiagnostics): Browser | undefined {
  if (browser?.origin === undefined) return undefined;
  const { origin, credentials = false } = browser;
  if (!isOrigin(origin)) {
    const expected = 'scheme, host and port of a page, such as https://app.example';
    diagnostics.add('/browser/origin', `"origin" must be ${expected}, got ${described(origin)}`);
  }
  return { origin, credentials };
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
  diagnostics: FormatDiagnostics,
): void {
  const earlier: string[] = [];
  for (const step of [...setup, ...steps, ...cleanup]) {
    const { pointer, touches, removes, name } = step;
    if (removes !== undefined && !earlier.includes(removes)) {
      diagnostics.addUnknownName(
        joinPointer(pointer, 'removes'),
        `No earlier step is called "${removes}"`,
        removes,
        earlier,
      );
    }
    if (touches === 'nothing' && METHODS_WITH_EFFECT.has(methodOf(step, operations))) {
      diagnostics.add(joinPointer(pointer, 'touches'), `A ${methodOf(step, operations)} does not touch nothing`, 'own');
    }
    if ((touches === 'own' || removes !== undefined) && !usesRunValue(step)) {
      const property = touches === 'own' ? 'touches' : 'removes';
      diagnostics.add(
        joinPointer(pointer, property),
        'The request names nothing of this run',
        `a captured value or \${${RUN_ID}} in its path, its parameters or its body`,
      );
    }
    earlier.push(name);
  }
}

function checkSchemeNames(contract: Contract, known: readonly string[], diagnostics: FormatDiagnostics): void {
  for (const { auth, pointer } of stepsOf(contract)) {
    const names = typeof auth === 'object' && 'keys' in auth ? Object.keys(auth.keys) : [];
    for (const name of names.filter((each) => !known.includes(each))) {
      const at = joinPointer(`${pointer}/auth/keys`, name);
      diagnostics.addUnknownName(at, `The description has no security scheme "${name}"`, name, known);
    }
  }
}

function methodOf({ request }: Step, operations: readonly KnownOperation[]): string {
  if (request.kind === 'raw') return request.method;
  return operations.find(({ id }) => id === request.operationId)?.method ?? '';
}

function usesRunValue(step: Step): boolean {
  // Headers and credentials name nobody's things.
  const beside = ['headers', 'auth'].map((name) => `${joinPointer(step.pointer, name)}/`);
  return sentPlaceholdersOf(step).some(({ pointer }) => !beside.some((place) => pointer.startsWith(place)));
}

import type { SourceFinding } from '../errors/source-finding';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { SourceDocument } from '../openapi/source-document';
import { CONTRACT_FORMAT, RUN_ID, type Contract, type Phase, type Step } from './contract';
import { NOTHING_GIVEN, readVariables, secretTexts, type OutsideValues } from './contract-variable';
import { fillVariables } from './fill-variables';
import { FormatJudge, MemberReader, type PlacedValue } from './member-reader';
import { NO_FILES, type ReadFile } from './read-body';
import { readBrowser } from './read-browser';
import { readStep, type KnownOperation } from './read-step';
import { readTags } from './read-tags';
import { checkTouches } from './check-touches';
import { readWithin } from './read-within';
import { placeholdersOf } from './step-placeholders';

/** `$schema` is for editors. */
const MEMBERS = [
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
  beside: BesideContract = NOTHING_BESIDE,
): Contract | undefined {
  const judge = new FormatJudge(document, 'contract-format');
  const secrets: string[] = [];
  const contract = read(document, operations, judge, beside, secrets);
  findings.push(...judge.findings.map((finding) => withoutSecrets(finding, secrets)));
  return judge.findings.length > 0 ? undefined : contract;
}

export interface BesideContract {
  readonly given: OutsideValues;
  readonly readFile: ReadFile;
}

const NOTHING_BESIDE: BesideContract = { given: NOTHING_GIVEN, readFile: NO_FILES };

function read(
  document: SourceDocument,
  operations: readonly KnownOperation[],
  judge: FormatJudge,
  { given, readFile }: BesideContract,
  secrets: string[],
): Contract | undefined {
  const members = MemberReader.open({ value: document.root, pointer: '' }, 'contract', MEMBERS, judge);
  if (members === undefined) return undefined;
  if (members.value('standin') !== CONTRACT_FORMAT) {
    members.refuse('standin', `standin: ${CONTRACT_FORMAT}`);
    return undefined;
  }
  const name = members.text('name');
  if (!members.has('name')) members.refuse('name', 'a name for the report');
  members.text('$schema');
  const variables = readVariables(members, given, judge);
  secrets.push(...secretTexts(variables));
  const context = { operations, readFile, judge };
  const filled = ({ value, pointer }: PlacedValue): PlacedValue => ({
    value: fillVariables(value, variables),
    pointer,
  });
  const phase = (of: Phase): Step[] => members.list(of).flatMap((item) => readStep(filled(item), of, context) ?? []);
  const contract = {
    name: name ?? '',
    document,
    tags: readTags(members, judge),
    pending: members.text('pending'),
    variables,
    within: readWithin(members, operations, judge),
    browser: members.has('browser')
      ? readBrowser({ value: members.value('browser') ?? null, pointer: members.at('browser') }, judge)
      : undefined,
    setup: phase('setup'),
    steps: phase('steps'),
    cleanup: phase('cleanup'),
  };
  if (members.list('steps').length === 0) members.refuse('steps', 'a list with at least one step');
  checkPlaceholders(contract, capturedByUnread(members, contract), judge);
  checkTouches(contract, operations, judge);
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

/** What steps would capture that could not be read: that they miss is told already, and once is enough. */
function capturedByUnread(members: MemberReader, contract: Contract): string[] {
  return PHASES.flatMap((phase) => {
    const read = new Set(contract[phase].map(({ pointer }) => pointer));
    const lost = members.list(phase).filter(({ pointer }) => !read.has(pointer));
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
  judge: FormatJudge,
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
      judge.refuseName(pointer, message, name, known, adviceOn(name, later));
    }
    for (const { name, pointer } of step.captures) {
      if (step.phase === 'cleanup') judge.refuse(pointer, 'A cleanup step cannot capture: nothing comes after it');
      else if (name === RUN_ID) judge.refuse(pointer, `"${RUN_ID}" has a value already; choose another name`);
      else if (given.includes(name)) judge.refuse(pointer, `"${name}" is a variable already; choose another name`);
      else known.push(name);
    }
  }
}

function adviceOn(name: string, later: ReadonlySet<string>): string | undefined {
  if (name.startsWith('env.')) return `Declare it at the top of the contract: env: [${name.slice('env.'.length)}].`;
  return later.has(name) ? 'A later step captures it: the order of the file is the order of the run.' : undefined;
}

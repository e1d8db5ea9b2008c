import type { SourceFinding } from '../errors/source-finding';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { SourceDocument } from '../openapi/source-document';
import { CONTRACT_FORMAT, RUN_ID, type Contract, type Phase, type Step } from './contract';
import { FormatJudge, MemberReader } from './member-reader';
import { readStep, type KnownOperation } from './read-step';
import { readTags } from './read-tags';
import { placeholdersOf } from './step-placeholders';

/** `$schema` is for editors. */
const MEMBERS = ['$schema', 'standin', 'name', 'tags', 'pending', 'setup', 'steps', 'cleanup'];
const PHASES = ['setup', 'steps', 'cleanup'] as const;

/**
 * Reads a contract file. Every operation, parameter and placeholder in it is looked up here, so that a contract that
 * loads can be replayed.
 *
 * @param operations - what the description has
 * @param findings - gets what does not fit the format; with any of them the contract is not to be used
 */
export function readContract(
  document: SourceDocument,
  operations: readonly KnownOperation[],
  findings: SourceFinding[],
): Contract | undefined {
  const judge = new FormatJudge(document, 'contract-format');
  const contract = read(document, operations, judge);
  findings.push(...judge.findings);
  return judge.findings.length > 0 ? undefined : contract;
}

function read(
  document: SourceDocument,
  operations: readonly KnownOperation[],
  judge: FormatJudge,
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
  const phase = (of: Phase): Step[] => members.list(of).flatMap((item) => readStep(item, of, operations, judge) ?? []);
  const contract = {
    name: name ?? '',
    document,
    tags: readTags(members, judge),
    pending: members.text('pending'),
    setup: phase('setup'),
    steps: phase('steps'),
    cleanup: phase('cleanup'),
  };
  if (members.list('steps').length === 0) members.refuse('steps', 'a list with at least one step');
  checkPlaceholders(contract, capturedByUnread(members, contract), judge);
  return contract;
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
function checkPlaceholders({ setup, steps, cleanup }: Contract, unread: readonly string[], judge: FormatJudge): void {
  const all = [...setup, ...steps, ...cleanup];
  const later = new Set(all.flatMap(({ captures }) => captures.map(({ name }) => name)));
  const known = [RUN_ID, ...unread];
  for (const step of all) {
    for (const { name, pointer } of placeholdersOf(step)) {
      if (known.includes(name)) continue;
      const advice = later.has(name) ? 'A later step captures it: the order of the file is the order of the run.' : '';
      judge.refuseName(pointer, `No earlier step captures "${name}"`, name, known, advice === '' ? undefined : advice);
    }
    for (const { name, pointer } of step.captures) {
      if (step.phase === 'cleanup') judge.refuse(pointer, 'A cleanup step cannot capture: nothing comes after it');
      else if (name === RUN_ID) judge.refuse(pointer, `"${RUN_ID}" has a value already; choose another name`);
      else known.push(name);
    }
  }
}

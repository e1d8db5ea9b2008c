import { parsePointer } from '../core/json/json-pointer';
import {
  equalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  setProperty,
} from '../core/json/json-value';
import { type Contract, placeholdersOf, PREDEFINED, type Step } from '../formats/contract/contract';
import { contractWith, stepsUntil, withoutDependents } from '../formats/contract/contract-part';
import { locationAt, type SourceDocument } from '../openapi/read/source-document';
import type { StepResult } from '../runner/result/run-result';
import { contractText } from '../traffic/contract/contract-text';
import type { Assertion } from './grade-result';
import type { Answered } from './service';
import { expectations } from './expectations';
import { KnownValues } from './known-values';

/** How an assertion is tried before anybody is told of it. */
export interface AssertionMaker {
  /** Id of the run: a contract writes `${runId}` for it. */
  readonly runId: string;
  /** Reads a contract that was changed; `undefined` where it is none any more. */
  readonly read: (document: SourceDocument) => Contract | undefined;
  /** Is a contract green at the conforming mock, and red at the defect? */
  readonly notices: (contract: Contract) => Promise<boolean>;
}

/** A contract in whose course a defect shows, and nothing compares what does. */
export interface Course {
  readonly contract: Contract;
  readonly steps: readonly StepResult[];
  readonly conforming: readonly Answered[];
  readonly defective: readonly Answered[];
  /** Places at which the two differ. */
  readonly at: readonly number[];
}

/** What is added to a step. */
interface Addition {
  readonly step: Step;
  readonly expect?: JsonObject;
  readonly capture?: JsonObject;
}

/** An assertion, and the contract with it. */
export interface ReadyAssertion {
  readonly assertion: Assertion;
  readonly contract: Contract;
}

/** Places that are looked at, the first ones; later ones mostly show the same. */
const MOST_PLACES = 12;

/** What a step has to expect to notice a defect that it sees; `undefined` where nothing is found. */
export async function assertionFor(maker: AssertionMaker, course: Course): Promise<ReadyAssertion | undefined> {
  for (const index of course.at.slice(0, MOST_PLACES)) {
    const step = stepAt(course, index);
    const [right, wrong] = [course.conforming[index]?.response, course.defective[index]?.response];
    if (step === undefined || right === undefined || wrong === undefined) continue;
    const values = new KnownValues(course, index, (at) => stepAt(course, at), maker.runId);
    for (const expect of expectations(right, wrong, values)) {
      const additions: Addition[] = [
        ...values.captures().map(({ step: at, capture }) => ({ step: at, capture })),
        { step, expect },
      ];
      const changed = withAdditions(course.contract, additions);
      const contract = changed === undefined ? undefined : maker.read(changed);
      if (contract !== undefined && (await maker.notices(contract)))
        return { assertion: describe(course.contract, additions), contract };
    }
  }
  return undefined;
}

/** The step that sent a request; `undefined` for one that the runner sent on its own. */
export function stepAt(
  { contract, steps, conforming }: Pick<Course, 'contract' | 'steps' | 'conforming'>,
  index: number,
): Step | undefined {
  const { setup, steps: own, cleanup } = contract;
  const order = [...setup, ...own, ...cleanup.toReversed()];
  const answered = conforming[index];
  if (answered === undefined) return undefined;
  const isSame = ({ request, response }: Answered): boolean =>
    request.method === answered.request.method &&
    request.target === answered.request.target &&
    response.status === answered.response.status;
  const candidates = order.filter((_, at) => {
    const { request, status } = steps[at] ?? {};
    if (request?.method !== answered.request.method || status !== answered.response.status) return false;
    const { pathname, search } = new URL(request.url);
    return `${pathname}${search}` === answered.request.target;
  });
  const before = conforming.slice(0, index).filter(isSame).length;
  return candidates[Math.min(before, candidates.length - 1)];
}

/** The file of a contract with what is added to its steps; `undefined` where they say something else already. */
function withAdditions({ document }: Contract, additions: readonly Addition[]): SourceDocument | undefined {
  let root: JsonValue | undefined = document.root;
  for (const { step, expect, capture } of additions) {
    const parts = { ...(expect === undefined ? {} : { expect }), ...(capture === undefined ? {} : { capture }) };
    root = root === undefined ? undefined : mergedAt(root, parsePointer(step.pointer), parts);
  }
  return root === undefined ? undefined : { ...document, root };
}

function mergedAt(at: JsonValue, [name, ...inner]: readonly string[], parts: JsonObject): JsonValue | undefined {
  if (name === undefined) return merged(at, parts);
  if (Array.isArray(at)) {
    const changed = mergedAt(at[Number(name)] ?? null, inner, parts);
    return changed === undefined ? undefined : at.map((item, index) => (index === Number(name) ? changed : item));
  }
  if (!isJsonObject(at)) return undefined;
  const changed = mergedAt(at[name] ?? null, inner, parts);
  return changed === undefined ? undefined : { ...at, [name]: changed };
}

/** Two expectations as one that both hold for; `undefined` where they cannot be put together. */
function merged(one: JsonValue, two: JsonValue): JsonValue | undefined {
  if (equalJson(one, two)) return one;
  if (Array.isArray(one)) {
    if (Array.isArray(two)) return mergedLists(one, two);
    // A list of statuses that are right, and the one that is.
    return one.some((each) => equalJson(each, two)) ? two : undefined;
  }
  return isJsonObject(one) && isJsonObject(two) ? mergedObjects(one, two) : undefined;
}

function mergedLists(one: readonly JsonValue[], two: readonly JsonValue[]): JsonValue | undefined {
  const items = one.map((item, index) => merged(item, two[index] ?? null));
  return one.length === two.length && items.every((item) => item !== undefined) ? items : undefined;
}

function mergedObjects(one: JsonObject, two: JsonObject): JsonValue | undefined {
  const isMatcher = (value: JsonObject): boolean => Object.keys(value).some((name) => name.startsWith('$'));
  // A matcher beside plain properties would be read as one of them.
  if (Object.keys(two).length > 0 && isMatcher(one) !== isMatcher(two)) return undefined;
  const result: Record<string, JsonValue> = { ...one };
  for (const [name, value] of Object.entries(two)) {
    const own = ownProperty(one, name);
    const both = own === undefined ? value : merged(own, value);
    if (both === undefined) return undefined;
    setProperty(result, name, both);
  }
  return result;
}

function describe({ document }: Contract, additions: readonly Addition[]): Assertion {
  const texts = additions.map(({ step, expect, capture }, index) => {
    const text = contractText({
      value: { ...(expect === undefined ? {} : { expect }), ...(capture === undefined ? {} : { capture }) },
      header: [],
      comments: [],
    });
    return index === additions.length - 1
      ? text
      : `# in the step "${step.name}", ${placeOf(document, step.pointer)}\n${text}# here\n`;
  });
  const { step } = additions[additions.length - 1] as Addition;
  return { place: placeOf(document, step.pointer), step: step.name, text: texts.join('') };
}

function placeOf(document: SourceDocument, pointer: string): string {
  const { file, line, column } = locationAt(document, pointer);
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** A step with those that it has its values from, and what of the cleanup these are enough for. */
function neededBy(step: Step, all: readonly Step[]): Step[] {
  const needed = new Set([step]);
  for (const each of needed)
    for (const { name } of placeholdersOf(each)) {
      const giver = all.find(({ captures }) => captures.some((capture) => capture.name === name));
      if (giver !== undefined) needed.add(giver);
    }
  const known = new Set([...PREDEFINED, ...[...needed].flatMap(({ captures }) => captures.map(({ name }) => name))]);
  return all.filter(
    (each) =>
      needed.has(each) || (each.phase === 'cleanup' && placeholdersOf(each).every(({ name }) => known.has(name))),
  );
}

/** So often steps are left out to find out which are not needed. */
const MOST_TRIES = 12;

/** The shortest part of a contract that notices a defect, to be added as one of its own. */
export async function shortest(
  { read, notices }: AssertionMaker,
  contract: Contract,
  step: string,
): Promise<Assertion | undefined> {
  const { document } = contract;
  const { root } = document;
  const failing = [...contract.setup, ...contract.steps].find(({ name }) => name === step);
  if (failing === undefined || !isJsonObject(root)) return undefined;
  const rootOf = (kept: readonly Step[]): JsonObject => ({ ...contractWith(root, kept), name: step });
  const holds = async (kept: readonly Step[]): Promise<boolean> => {
    const part = read({ ...document, root: rootOf(kept) });
    return part !== undefined && (await notices(part));
  };
  const all = stepsUntil(contract, failing);
  const needed = neededBy(failing, all);
  let kept = (await holds(needed)) ? needed : all;
  if (kept === all && !(await holds(all))) return undefined;
  if (kept === needed) return ready(kept);
  const others = kept.filter((each) => each !== failing && each.phase !== 'cleanup').toReversed();
  for (const each of others.slice(0, MOST_TRIES)) {
    if (!kept.includes(each)) continue;
    const fewer = withoutDependents(kept, each);
    if (fewer.includes(failing) && (await holds(fewer))) kept = fewer;
  }
  return ready(kept);

  function ready(steps: readonly Step[]): Assertion {
    return { place: undefined, step, text: contractText({ value: rootOf(steps), header: [], comments: [] }) };
  }
}

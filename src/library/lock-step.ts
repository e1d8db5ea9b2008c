import { parseBearer } from '../core/http/authorization';
import type { HttpRequest } from '../core/http/message';
import { PROBLEM_STATUS, type ProblemCode } from '../core/http/problem';
import { explainEntry } from '../explain/explain-entry';
import type { ExplainedMock } from '../explain/explained-mock';
import { createMock } from '../mock/create-mock';
import type { Rules } from '../mock/rules/rules';
import type { StoredRequest } from '../mock/sandbox/journal-entry';
import type { Sandbox } from '../mock/sandbox/sandbox';
import type { Change } from '../mock/state/state';
import { createInProcessTransport } from '../network/target';
import { createPayloadSource } from '../payload/payload-source';
import { createPrismGenerator } from '../prism/prism-generator';
import type { Binding } from '../resources/model/binding';
import { namePattern } from '../resources/model/resource';
import type { AnswerReason, Basis, ItemChange, Reference, ReferenceSession } from '../runner/transport/reference';
import { splitKey } from '../security/scheme';
import { createClock } from '../mock/sandbox/clock';
import { loadMockInputs } from './mock-inputs';
import type { CreateMockServerOptions } from './mock-options';
import type { RunContractOptions } from './run-options';

/** What a run sends, so that its mock takes it. */
interface ReferenceCaller {
  /** Of the target: the mock has the same path before every path of the description. */
  readonly baseUrl: string;
  readonly sendsKey: boolean;
  readonly keys: readonly string[];
  /** How many contracts there are: each has a sandbox. */
  readonly contracts: number;
}

/** Names the sandbox of a contract. */
const SANDBOX_HEADER = 'x-standin-sandbox';
/** A run takes as long as it takes. */
const NEVER_IDLE = Number.MAX_SAFE_INTEGER;

/**
 * Makes the mock that a run compares its target with: fresh, in this process, with the overrides, rules and fixtures of
 * the options. Each contract has a sandbox of its own, so that the course of the others does not show.
 *
 * @throws SpecError, ConfigError when one of these cannot be used
 */
export async function createReference(options: RunContractOptions, caller: ReferenceCaller): Promise<Reference> {
  const inputs = await loadMockInputs(mockOptions(options, caller), false, () => undefined);
  const { api, rules } = inputs;
  const payloads = createPayloadSource({ api, generator: () => createPrismGenerator(api) });
  // A defect of the mock is answered with 500, and such an answer is not compared.
  const mock = createMock(api, { ...inputs, clock: createClock(), payloads, reportDefect: () => undefined });
  const subject: Subject = { parts: { api, mock, packs: [] }, rules };
  let opened = 0;
  return {
    bindingOf: (id) => bindingOf(subject, id),
    open: () => openSession(subject, `contract-${String(++opened)}`),
  };
}

interface Subject {
  readonly parts: ExplainedMock;
  readonly rules: Rules | undefined;
}

function mockOptions(options: RunContractOptions, caller: ReferenceCaller): CreateMockServerOptions {
  const { description, lenient, allowRemote, allowFiles, overlays, packs, overrides, rules, fixtures, tokens } =
    options;
  return {
    ...{ description, lenient, allowRemote, allowFiles, overlays, packs, overrides, rules, fixtures, tokens },
    auth: caller.sendsKey ? 'keys' : 'off',
    ...(caller.keys.length === 0 ? {} : { apiKeys: caller.keys.map(toMockKey) }),
    basePath: new URL(caller.baseUrl).pathname.replace(/\/+$/, ''),
    faults: 'off',
    sandboxHeader: SANDBOX_HEADER,
    sandboxCookie: 'off',
    sandboxPath: 'off',
    maxSandboxes: caller.contracts + 1,
    sandboxIdleMs: NEVER_IDLE,
  };
}

/** The password of `user:password`: a key of the mock is good as that of any user. */
function toMockKey(text: string): string {
  const { key } = splitKey(text);
  return parseBearer(`Bearer ${key}`).kind === 'bearer' ? key : key.slice(key.indexOf(':') + 1);
}

function bindingOf({ parts: { api, mock } }: Subject, id: string): Binding | undefined {
  const operation = api.operationById(id);
  return operation === undefined ? undefined : mock.model.bindings.get(operation);
}

function openSession(subject: Subject, id: string): ReferenceSession {
  const { engine } = subject.parts.mock;
  const sandbox = engine.sandboxes.obtain(id);
  const named = (request: HttpRequest): HttpRequest => ({
    ...request,
    headers: { ...request.headers, [SANDBOX_HEADER]: id },
    rawHeaders: [...request.rawHeaders, SANDBOX_HEADER, id],
  });
  return {
    transport: createInProcessTransport({ handle: (request) => engine.handle(named(request)) }),
    latest: () => reasonOf(subject, sandbox),
  };
}

function reasonOf(subject: Subject, sandbox: Sandbox): AnswerReason {
  const { api, mock } = subject.parts;
  const number = sandbox.journal.remembered().at(-1);
  if (number === undefined) throw new Error('The mock has no request to tell of');
  const { entry, responseHeaders } = sandbox.journal.requestOf(number);
  const operation = entry.operation === undefined ? undefined : api.operationById(entry.operation);
  const plan = operation && mock.context.plans.get(operation);
  return {
    basis: basisOf(subject, entry),
    isOfRequest: OF_REQUEST.has(entry.code ?? ''),
    isStateful: plan?.responseSource.from === 'state',
    changes: entry.changes.flatMap((change) => itemChange(subject, change)),
    async explain() {
      const sections = await explainEntry(subject.parts, { entry, responseHeaders, state: sandbox.snapshot() });
      const linesOf = (wanted: string): readonly string[] =>
        sections.find(({ title }) => title === wanted)?.lines ?? [];
      const rejected = linesOf('Why it was rejected');
      return rejected.length > 0
        ? `${String(entry.status)}: ${rejected.join('; ')}`
        : linesOf('Response').slice(0, 2).join('; ');
    },
  };
}

/** Rejections that follow from the request alone, by the description or by HTTP. */
const OF_REQUEST: ReadonlySet<string> = new Set<ProblemCode>([
  'bad_request',
  'invalid_json',
  'invalid_body',
  'missing_body',
  'missing_field',
  'invalid_field',
  'missing_parameter',
  'invalid_parameter',
  'missing_api_key',
  'malformed_authorization',
  'invalid_api_key',
  'method_not_allowed',
  'not_acceptable',
  'unsupported_media_type',
]);
/** Those that follow from the description or from HTTP, and from the state as well. */
const OF_DESCRIPTION: ReadonlySet<string> = new Set([...OF_REQUEST, 'resource_not_found', 'precondition_failed']);

/** What an answer follows from. A code that the engine does not know is one of the rules. */
function basisOf(subject: Subject, { status, code, operation: id }: StoredRequest['entry']): Basis {
  const { rules } = subject;
  if (status >= 400 && code !== undefined) {
    if (OF_DESCRIPTION.has(code)) return 'description';
    return rules !== undefined || !Object.hasOwn(PROBLEM_STATUS, code) ? 'stated' : 'inferred';
  }
  if (id === undefined) return 'inferred';
  const isRuled = rules?.operations?.[id] !== undefined;
  return isRuled || bindingOf(subject, id)?.confidence === 'stated' ? 'stated' : 'inferred';
}

function itemChange({ parts: { mock } }: Subject, { collection, key, before, after }: Change): ItemChange[] {
  const resource = mock.model.resources.find(({ path }) => path === collection || namePattern(path).test(collection));
  return resource === undefined ? [] : [{ resource, collection, key: String(key), before, after }];
}

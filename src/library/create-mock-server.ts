import './node-globals';
import { ConfigError, type SourceFinding, SpecError, stackOf, withFullMessage } from '../core/errors/standin-error';
import type { RequestHead } from '../core/http/message';
import { checkOptions } from '../core/options/option-table';
import { PendingWork } from '../core/time/pending-work';
import { printableLines, withoutCiCommands } from '../core/text/printable';
import { once } from '../core/text/memoize';
import type { TellProgress } from '../core/text/progress';
import type { Pack } from '../files/load-rules-and-packs';
import type { Mock } from '../mock/create-mock';
import type { ReportDefect } from '../mock/pipeline/mock-engine';
import type { ReloadedMock } from '../mock/reload-mock';
import { createClock } from '../mock/sandbox/clock';
import type { ApiModel } from '../openapi/model/api-model';
import { createPayloadSource, type PayloadSource } from '../payload/payload-source';
import { createPrismGenerator, PrismThread } from '../prism/prism-generator';
import { credentialLocations, redactTarget } from '../security/credential-locations';
import { type AssembledServer, assembleMockServer, type MockServer } from '../server/mock-server';
import type { OnResponse } from '../server/request-handler';
import type { StartTimer } from '../server/response-delivery';
import { inputFiles, loadMockInputs } from './mock-inputs';
import { type CreateMockServerOptions, MOCK_OPTIONS } from './mock-options';
import { demandKnownEvents, eventOptions } from './event-options';
import { issuerOptions } from './issuer-options';
import type * as AgentHostModule from './agent-host';
import { followStore, useStore } from './mock-store';
import type * as MockRecordingModule from './mock-recording';

/** Examples are checked for so long before the mock starts; the rest are checked when they are first used. */
const SEED_BUDGET_MS = 50;

/** None of a description that is too large to be checked at the start: the warning of it says so of examples too. */
function earlyFindings(warnings: readonly SourceFinding[], mock: Mock): SourceFinding[] {
  const isValidatedInPart = warnings.some(({ rule }) => rule === 'judged-in-part');
  return isValidatedInPart ? [] : mock.seedFindings(SEED_BUDGET_MS);
}

/** For the command line and tests: what a request log, a defect log and an explanation need. */
export interface ServerHooks {
  readonly onResponse?: OnResponse | undefined;
  readonly reportDefect?: ReportDefect | undefined;
  /** Is it remembered where each row of the fixtures was written? */
  readonly keepsOrigins?: boolean | undefined;
  /** Will the files be watched, and the parts reloaded? */
  readonly isWatched?: boolean | undefined;
  /** Called with what a person should know of a recording that goes on. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Called while everything is loaded. */
  readonly onLoading?: TellProgress | undefined;
  /** For tests: waits for the delays of faults. */
  readonly startTimer?: StartTimer | undefined;
}

/**
 * A stateful mock as an ordinary Express app: hand it to supertest (no port needed), or mount it in another app.
 *
 * @throws SpecError, ConfigError when the description, the rules or the fixtures cannot be used; the message has the
 *   first findings, because it is all that a test runner shows
 */
export async function createMockServer(options: CreateMockServerOptions = {}): Promise<MockServer> {
  try {
    return (await createServerParts(options)).app;
  } catch (error) {
    throw withFullMessage(error);
  }
}

export interface ServerParts extends AssembledServer {
  /** Where it is recorded; `undefined` where nothing is. */
  readonly recordingTo: MockRecordingModule.RecordingPlace | undefined;
  /** Calls of tools by agents that have not ended yet. */
  readonly agentCalls: PendingWork;
  readonly api: ApiModel;
  readonly warnings: readonly SourceFinding[];
  readonly packs: readonly Pack[];
  /** Files and folders that all of this is made from, those among them that could not be read the last time. */
  readonly files: () => readonly string[];
  /**
   * Reads them again, and puts the mock that they make behind the same app.
   *
   * @throws SpecError, ConfigError when they cannot be used; then everything stays as it is
   */
  reload(): Promise<Reloaded>;
}

export interface Reloaded extends ReloadedMock {
  readonly api: ApiModel;
  readonly warnings: readonly SourceFinding[];
}

export async function createServerParts(
  options: CreateMockServerOptions,
  hooks: ServerHooks = {},
): Promise<ServerParts> {
  checkOptions(options, MOCK_OPTIONS, 'createMockServer');
  const place = recordingPlace(options);
  let parts = new Set<string>();
  const inputs = await loadMockInputs(options, hooks.isWatched === true, (path) => parts.add(path), hooks.onLoading);
  let { api, warnings } = inputs;
  hooks.onLoading?.({ phase: 'seeding', what: 'items', done: 0, total: 0 });
  const { onNotice = warn } = hooks;
  const recording =
    place && recordingModule().createMockRecording({ place, options, api, current: () => assembled.mock, onNotice });
  const agentCalls = new PendingWork();
  const agents = once(() =>
    agentModule().agentEndpoint(
      () => ({ ...inputs, admin: assembled.admin, mock: assembled.mock, create: createMockServer }),
      options,
      agentCalls,
    ),
  );
  const assembled: AssembledServer = assembleMockServer(api, {
    ...inputs,
    clock: createClock(options.clock?.getTime()),
    payloads: payloadsFor(options, api),
    corsOrigins: options.corsOrigins ?? ['*'],
    startTimer: hooks.startTimer,
    adminToken: options.adminToken,
    keepsOrigins: hooks.keepsOrigins,
    recording,
    events: eventOptions(options),
    agents: (request, response) => agents()(request, response),
    issuer: issuerOptions(options, options.corsOrigins ?? ['*']),
    ...withRedactedTargets(() => api, hooks),
    reportViolation: (message) => {
      process.emitWarning(withoutCiCommands(printableLines(message)), 'StandinViolation');
    },
  });
  demandKnownEvents(assembled.mock, options);
  await useStore(() => assembled.mock, options, onNotice);
  assembled.resumeEvents();
  recording?.start();
  return {
    ...assembled,
    recordingTo: place,
    agentCalls,
    get mock() {
      return assembled.mock;
    },
    get api() {
      return api;
    },
    warnings: [...inputs.warnings, ...earlyFindings(inputs.warnings, assembled.mock)],
    packs: inputs.packs,
    files: () => [...inputFiles(options), ...parts],
    async reload() {
      // When it fails, those of both times: what is missing or broken may be one that was not referred to before, and
      // what was not come to any more one that others still refer to.
      const before = parts;
      parts = new Set();
      const read = await loadMockInputs(options, true, (path) => parts.add(path)).catch((error: unknown) => {
        for (const path of before) parts.add(path);
        throw error;
      });
      demandReadableFiles(read.warnings, warnings);
      // A worker of its own: the one before may still make bodies for requests that came before.
      const succession = assembled.swap(read.api, {
        ...read,
        payloads: payloadsFor(options, read.api, new PrismThread()),
      });
      ({ api, warnings } = read);
      await followStore(succession.mock);
      return { ...succession, api, warnings: read.warnings };
    },
  };
}

/**
 * A file that is saved half-way changes nothing, also where a description without that part could be served.
 *
 * @param served - what was found in the description that is served; a file that is broken there may stay so
 * @throws SpecError for the files that cannot be read any more
 */
function demandReadableFiles(findings: readonly SourceFinding[], served: readonly SourceFinding[]): void {
  const isBroken = ({ rule }: SourceFinding): boolean => rule === 'yaml-syntax';
  const known = new Set(served.filter(isBroken).map(({ file }) => file));
  const broken = findings.filter((finding) => isBroken(finding) && !known.has(finding.file));
  const [first] = broken;
  if (first !== undefined) throw new SpecError('SPEC_SYNTAX', `${first.file} is not valid YAML`, { findings: broken });
}

/** @throws ConfigError for a file that is in the way, and for options that need one */
function recordingPlace(options: CreateMockServerOptions): MockRecordingModule.RecordingPlace | undefined {
  const { record, update, force } = options;
  if (record !== undefined) return recordingModule().recordingPlace(record, options);
  if (update !== true && force !== true) return undefined;
  const name = update === true ? 'update' : 'force';
  throw new ConfigError(
    'CONFIG_INVALID',
    `--${name} says what happens to a contract that is there, and none is recorded`,
    {
      hint: 'Name the contract: --record contracts/NAME.yaml.',
    },
  );
}

function warn(text: string): void {
  process.emitWarning(withoutCiCommands(printableLines(text)), 'StandinNotice');
}

function agentModule(): typeof AgentHostModule {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by who works with agents
  return require('./agent-host') as typeof AgentHostModule;
}

function recordingModule(): typeof MockRecordingModule {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by who records
  return require('./mock-recording') as typeof MockRecordingModule;
}

function payloadsFor(options: CreateMockServerOptions, api: ApiModel, thread?: PrismThread): PayloadSource {
  return createPayloadSource({
    api,
    generator: () => createPrismGenerator(api, thread),
    maker: options.generator,
    seed: options.seed === undefined ? undefined : String(options.seed),
  });
}

/** What is logged of a request has no key in its target. */
function withRedactedTargets(
  api: () => ApiModel,
  { onResponse, reportDefect = warnOfDefect }: ServerHooks,
): { readonly onResponse: OnResponse | undefined; readonly reportDefect: ReportDefect } {
  const redacted = (head: RequestHead): RequestHead => {
    const target = redactTarget(head.target, credentialLocations(api()));
    return target === head.target ? head : { ...head, target };
  };
  return {
    onResponse:
      onResponse === undefined
        ? undefined
        : (head, response, startedAt) => {
            onResponse(redacted(head), response, startedAt);
          },
    reportDefect: (error, head) => {
      reportDefect(error, redacted(head));
    },
  };
}

/** A defect in a test run must not pass unseen. A text, because an Error of jest's realm is none to Node. */
function warnOfDefect(error: unknown): void {
  const text = `the mock met a defect in itself or in its rules: ${stackOf(error)}`;
  process.emitWarning(withoutCiCommands(printableLines(text)), 'StandinDefect');
}

import type { SourceFinding } from '../core/errors/standin-error';
import type { SeedData } from '../formats/fixture';
import type { ApiModel } from '../openapi/model/api-model';
import { type IssuerTokens, withTokens } from '../security/credential-check';
import { credentialLocations } from '../security/credential-locations';
import { RouteTable } from '../openapi/model/route-table';
import { normaliseBasePath } from '../openapi/model/base-paths';
import type { PayloadSource } from '../payload/payload-source';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { ResourceModel } from '../resources/model/binding';
import { NO_OVERRIDES, type Overrides } from '../resources/overrides/statements';
import { ChildCounts } from './state/child-counts';
import { bookOf, checkOptions, DEFAULT_OPTIONS, type MockOptions } from './context/options';
import { checkRules } from './rules/rules-validation';
import { type MockContext, type OnDone, OutgoingCheck } from './context/context';
import { type Clock, SettableClock } from './sandbox/clock';
import { createMockEngine } from './pipeline/handle-request';
import { type MockEngine, type ReportDefect } from './pipeline/mock-engine';
import { ErrorWriter } from './context/error-response';
import { demandKnownFilters } from './faults/fault';
import { OperationPlans } from './plans/operation-planner';
import { createParentLookup } from './calls/parent-items';
import { toResources, type Resource } from './state/prepared-resource';
import type { Rules } from './rules/rules';
import { sampleWith } from './fitting/schema-fitting';
import { MAIN_ID } from './sandbox/sandbox-selection';
import { Sandboxes } from './sandbox/sandboxes';
import { wrongFixtureCounts } from './seed/fixture-checks';
import { FixtureLedger, fixtureOrigins, type OriginOf } from './seed/fixture-ledger';
import { countFixtureItems } from './seed/fixture-counts';
import { NO_SEED, seedState } from './seed/fixture-seed';
import { initialItemsFromExamples } from './seed/initial-items';
import { ExampleItems } from './seed/example-items';
import { SeedSource } from './seed/seed-source';
import { RemainingSeed } from './state/remaining-seed';
import type { State } from './state/state';

export interface MockParts {
  readonly options?: Partial<MockOptions>;
  readonly rules?: Rules | undefined;
  /** Seed data; none leaves the store empty. */
  readonly fixtures?: SeedData | undefined;
  /** Without fixtures: show the examples of the description and items that are generated, instead of nothing. */
  readonly isSeeded?: boolean | undefined;
  /** What is said outright of resources and operations, before anything is inferred. */
  readonly overrides?: Overrides | undefined;
  readonly clock: Clock;
  readonly payloads: PayloadSource;
  readonly onDone?: OnDone | undefined;
  /** Of the issuer beside the API. */
  readonly tokens?: IssuerTokens | undefined;
  /** Path of the page that shows the description, when one is served. */
  readonly docsPath?: string | undefined;
  readonly reportDefect: ReportDefect;
  /** Is it remembered where each item of the fixtures was written? That costs memory for as long as the mock lives. */
  readonly keepsOrigins?: boolean | undefined;
  /** Told once of each way in which a response of the mock breaks the description. */
  readonly reportViolation?: ((message: string) => void) | undefined;
}

/** An engine together with what the way it was made from says about it. */
export interface Mock {
  readonly engine: MockEngine;
  readonly context: MockContext;
  readonly resources: readonly Resource[];
  readonly model: ResourceModel;
  /** What was said outright beside the description. */
  readonly overrides: Overrides;
  /** The state that the mock began with. */
  readonly initial: State;
  /** Where the items come from that the mock began with; those of fixtures only with {@link MockParts.keepsOrigins}. */
  readonly originOf: OriginOf;
  /** The main sandbox goes back to the baseline, the others stay; what was forced on all is natural again. */
  reset(): void;
  /**
   * Numbers of fixtures that count otherwise, and examples that are not used as items because they break the schema of
   * these, as many as are found in time.
   */
  seedFindings(budgetMs?: number): SourceFinding[];
}

/**
 * Puts a mock together: infers the resources, checks the fixtures, plans each operation.
 *
 * @param earlier - sandboxes of another mock to go on with; it is left to the caller to make them fit
 * @throws ConfigError for fixtures that cannot be used
 */
export function createMock(api: ApiModel, parts: MockParts, earlier?: Sandboxes): Mock {
  const options = checkOptions({ ...DEFAULT_OPTIONS, ...parts.options });
  const model = inferResourceModel(api, parts.overrides);
  const resources = toResources(api, model);
  checkRules(parts.rules, api, model);
  demandKnownFilters(options.faults.flags, api);
  const examples = new ExampleItems(api, model);
  const { state: initial, originOf, findings } = seededState(api, model, resources, examples, options.seed, parts);
  const sandboxes = earlier ?? openSandboxes(api, initial, options, parts.clock);
  const { clock, limiter } = sandboxes.main;
  const sample = sampleWith(api, options.seed);
  const context: MockContext = {
    api,
    options,
    ...mountsOf(api, options.basePath),
    clock,
    credentials: withTokens(bookOf(options), parts.tokens),
    tokens: parts.tokens,
    limiter,
    rules: parts.rules,
    resources: new Map(resources.map((resource) => [resource.path, resource])),
    counts: ChildCounts.of(resources),
    plans: new OperationPlans({
      api,
      model,
      resources,
      docsPath: parts.docsPath,
      sample,
      parents: createParentLookup(api, sample, options.strictParents || options.strict),
      overrides: parts.overrides ?? NO_OVERRIDES,
    }),
    errors: new ErrorWriter(api),
    outgoing: new OutgoingCheck(api, parts.reportViolation ?? (() => undefined)),
    payloads: parts.payloads,
    onDone: parts.onDone,
  };
  const engine = createMockEngine(context, sandboxes, parts.reportDefect);
  return {
    engine,
    context,
    resources,
    model,
    overrides: parts.overrides ?? NO_OVERRIDES,
    initial,
    originOf,
    reset() {
      sandboxes.reset(MAIN_ID);
      sandboxes.forcedOnAll.clear();
    },
    seedFindings: (budgetMs) => [
      ...findings,
      ...(initial.seeds === undefined ? [] : examples.findings(resources, budgetMs)),
    ],
  };
}

function seededState(
  api: ApiModel,
  model: ResourceModel,
  resources: readonly Resource[],
  examples: ExampleItems,
  seed: string,
  { fixtures, rules, isSeeded, keepsOrigins }: MockParts,
): { readonly state: State; readonly originOf: OriginOf; readonly findings: readonly SourceFinding[] } {
  const data = fixtures === undefined ? NO_SEED : countFixtureItems(api, model, resources, seed, fixtures);
  const ledger = new FixtureLedger(resources, data.findings);
  const state = seedState(resources, rules, data, ledger);
  const findings = wrongFixtureCounts(data.items, resources, state);
  // What is generated knows nothing of rules: where there are some, the state begins with what they were written for.
  const isForRules = rules !== undefined && rules.beginning !== 'seeded';
  if (fixtures !== undefined || isForRules || isSeeded !== true)
    return { state, originOf: keepsOrigins === true ? fixtureOrigins(ledger) : () => undefined, findings };
  const source = new SeedSource(api, model, resources, initialItemsFromExamples(examples), seed);
  return {
    state: { ...state, collections: new Map(), seeds: new RemainingSeed(source) },
    originOf: (name, key) => source.originOf(name, key),
    findings,
  };
}

/** A base path that was chosen takes the place of those of all servers. The longest comes first: `/v1` before `''`. */
function mountsOf(api: ApiModel, chosen: string | undefined): Pick<MockContext, 'basePath' | 'mounts'> {
  if (chosen === undefined) {
    const mounts = api.mounts.toSorted((left, right) => right.basePath.length - left.basePath.length);
    return { basePath: api.basePath, mounts };
  }
  const basePath = normaliseBasePath(chosen);
  return { basePath, mounts: [{ basePath, routes: new RouteTable(api.operations, basePath) }] };
}

function openSandboxes(
  api: ApiModel,
  baseline: State,
  { seed, rateLimit, sandboxes: limits }: MockOptions,
  clock: Clock,
): Sandboxes {
  const settable = clock instanceof SettableClock ? clock : new SettableClock(clock);
  return new Sandboxes({ baseline, clock: settable, seed, rateLimit, limits, secrets: credentialLocations(api) });
}

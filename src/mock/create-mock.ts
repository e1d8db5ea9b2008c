import type { SeedData } from '../formats/fixture';
import type { ApiModel } from '../openapi/model';
import { normaliseBasePath } from '../openapi/server-url';
import type { PayloadSource } from '../payload/payload-source';
import { checkOptions } from './check-options';
import { checkRules } from './check-rules';
import type { Clock, MockContext } from './context';
import { createMockEngine, type MockEngine, type ReportDefect } from './engine';
import { ErrorWriter } from './error-response';
import { inferResources } from './infer-resources';
import { planOperations } from './operation-plan';
import { DEFAULT_OPTIONS, keyTest, type MockOptions } from './options';
import { RateLimiter } from './rate-limiter';
import type { Resource } from './resource';
import type { Rules } from './rules';
import { seedState } from './seed';
import type { State } from './state';

/** What a mock is made from beside its description. */
export interface MockParts {
  readonly options?: Partial<MockOptions>;
  readonly rules?: Rules | undefined;
  /** Seed data; none leaves the store empty. */
  readonly fixtures?: SeedData | undefined;
  readonly clock: Clock;
  readonly payloads: PayloadSource;
  /** Path of the page that shows the description, when one is served. */
  readonly docsPath?: string | undefined;
  readonly reportDefect: ReportDefect;
}

/** An engine together with what the way it was made from says about it. */
export interface Mock {
  readonly engine: MockEngine;
  readonly context: MockContext;
  readonly resources: readonly Resource[];
  /** The state that a reset goes back to. */
  readonly initial: State;
  reset(): void;
}

/**
 * Puts a mock together: infers the resources, judges the fixtures, plans each operation.
 *
 * @throws ConfigError for fixtures that cannot be used
 */
export function createMock(api: ApiModel, parts: MockParts): Mock {
  const options = checkOptions({ ...DEFAULT_OPTIONS, ...parts.options });
  const resources = inferResources(api);
  checkRules(parts.rules, api, resources);
  const initial = seedState(
    resources,
    parts.rules,
    parts.fixtures?.items ?? [],
    parts.fixtures?.findings,
    parts.fixtures?.nextKeys,
  );
  const context: MockContext = {
    api,
    options,
    basePath: options.basePath === undefined ? api.basePath : normaliseBasePath(options.basePath),
    clock: parts.clock,
    acceptsKey: keyTest(options),
    limiter: options.rateLimit === undefined ? undefined : new RateLimiter(options.rateLimit),
    rules: parts.rules,
    resources: new Map(resources.map((resource) => [resource.path, resource])),
    plans: planOperations(api, resources, parts.docsPath),
    errors: new ErrorWriter(api),
    payloads: parts.payloads,
  };
  const engine = createMockEngine(context, initial, parts.reportDefect);
  return {
    engine,
    context,
    resources,
    initial,
    reset() {
      engine.restore(initial);
      engine.journal.clear();
      context.limiter?.reset();
    },
  };
}

/**
 * The worker thread that Prism lives in: it is started from the built file, see `prism-thread.ts`.
 *
 * Prism takes half a second and 100 MB to load, and on some schemas its generator never comes back. Here both are the
 * worker's trouble, and who started it can end it.
 */
import { parentPort } from 'node:worker_threads';
import type * as PrismModule from '@stoplight/prism-http';
import type { GenerationResult, GenerationJob, Strategy, WorkerMessage } from './prism-generator';

/** Prism, and the parts of its own dependencies that are used here: in one file, see `scripts/vendor.mjs`. */
interface Prism extends Pick<typeof PrismModule, 'createInstance' | 'getHttpOperationsFromSpec'> {
  readonly JSONSchemaFaker: { option(options: Readonly<Record<string, unknown>>): void };
  readonly faker: { seed(seed: number): void };
  readonly seedrandom: (seed: string) => () => number;
}

// oxlint-disable-next-line typescript/no-require-imports -- built with the package
const library = require('#vendor/prism') as Prism;
const { createInstance, getHttpOperationsFromSpec, JSONSchemaFaker, faker, seedrandom } = library;

// What Prism tells a log is of no use here: the caller learns the outcome.
const SILENT = new Proxy({}, { get: (_target, name) => (name === 'child' ? () => SILENT : () => undefined) });
const prism = createInstance({} as PrismModule.IHttpConfig, { logger: SILENT as never });

const port = parentPort;
port?.on('message', (job: GenerationJob) => {
  void runJob(job).then((message) => {
    port.postMessage(message);
  });
});
port?.postMessage({ kind: 'ready' } satisfies WorkerMessage);

async function runJob(job: GenerationJob): Promise<GenerationResult> {
  try {
    const text = JSON.stringify(await generate(job)) as string | undefined;
    return text === undefined ? { kind: 'refused', reason: 'Prism made nothing' } : { kind: 'made', text };
  } catch (error) {
    return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function generate({ document, strategy, seed }: GenerationJob): Promise<unknown> {
  prepareGenerators(strategy, seed);
  const operations = await getHttpOperationsFromSpec(document);
  const result = await prism.request({ method: 'get', url: { path: '/', query: {} }, headers: {} }, operations, {
    // A new object each time: Prism writes the media type of the first request into the one it is given.
    mock: { dynamic: strategy !== 'static', code: 200, seed },
    isProxy: false,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
  })();
  if (result._tag === 'Left') throw result.left;
  return result.right.output.body;
}

/** The generators are shared and keep what they were told, so that everything is said anew for each body. */
function prepareGenerators(strategy: Strategy, seed: string): void {
  JSONSchemaFaker.option({
    // With this on, the faker invents properties, and never finds the last of them for some schemas.
    fillProperties: false,
    useExamplesValue: true,
    requiredOnly: strategy === 'required-only',
  });
  // Prism's `seed` reaches neither the fakers behind `x-faker` nor decimals with `multipleOf`, which ask Math.
  const random = seedrandom(seed);
  faker.seed(Math.floor(random() * 2 ** 31));
  Math.random = random;
}

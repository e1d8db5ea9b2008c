import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { JsonValue } from '../core/json/json-value';
import { PACKAGE_ROOT } from '../files/file-access';
import type { ApiModel } from '../openapi/model/api-model';
import type { Schema } from '../openapi/model/operation';
import { findResponse } from '../openapi/view/responses';
import { chooseResponseContent } from '../payload/content-choice';
import type { GeneratedPayload, PayloadGenerator } from '../payload/payload-source';
import { type ResponseDocument, responseDocument } from './response-document';

/**
 * How a body is made: at random with every optional property, at random with the required ones alone, or by Prism's
 * static generator, which takes the same value for each type.
 */
export type Strategy = 'full' | 'required-only' | 'static';

/** What the worker is asked for. Plain data: it is cloned on its way. */
export interface GenerationJob {
  readonly document: ResponseDocument;
  readonly strategy: Strategy;
  /** The same seed and document give the same body. */
  readonly seed: string;
}

/** What the worker says: that Prism is loaded, once, then a response for each job. */
export type WorkerMessage = { readonly kind: 'ready' } | GenerationResult;

export type GenerationResult =
  /** JSON text, so that nothing but JSON can come over. */
  { readonly kind: 'made'; readonly text: string } | { readonly kind: 'refused'; readonly reason: string };

// The built file, also when this code runs as TypeScript under test: Node 20 loads no TypeScript into a worker, and a
// worker does not have the transforms of the test runner. `npm test` builds first. In the package it is the same path.
const WORKER_FILE = join(PACKAGE_ROOT, 'dist', 'src', 'prism', 'prism-worker.js');

/** All in milliseconds. */
interface ThreadLimits {
  /** For starting the worker and loading Prism. */
  readonly loadMs: number;
  /** For one body. */
  readonly jobMs: number;
  /** A worker that had nothing to do for so long is ended: it holds 100 MB. */
  readonly idleMs: number;
}

const DEFAULT_LIMITS: ThreadLimits = { loadMs: 30_000, jobMs: 2_000, idleMs: 30_000 };

/** Far more than bodies take. Without a limit, a schema with a huge `minItems` would take all that the machine has. */
const HEAP_MB = 512;

/** The worker's answer, or why there is none; in that case the worker is gone too. */
type JobOutcome = GenerationResult | Stopped;

interface Stopped {
  readonly kind: 'stopped';
  readonly reason: string;
}

/**
 * Runs jobs one after the other in a worker that is started when the first one comes, and again after one that did not
 * end in time. It keeps the process alive only while a job runs.
 */
export class PrismThread {
  private readonly limits: ThreadLimits;
  private worker: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private idle: NodeJS.Timeout | undefined;

  constructor(limits: Partial<ThreadLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /** Never rejects: what goes wrong is an outcome. */
  run(job: GenerationJob): Promise<JobOutcome> {
    // The worker does one job at a time; one that waits must not have its wait counted.
    const outcome = this.last
      .then(() => this.runNow(job))
      // Where no thread can be had, Node throws; the jobs behind this one must not fail with it.
      .catch((error: unknown): Stopped => ({
        kind: 'stopped',
        reason: `No worker could be started: ${String(error)}`,
      }));
    this.last = outcome;
    return outcome;
  }

  private async runNow(job: GenerationJob): Promise<JobOutcome> {
    clearTimeout(this.idle);
    this.worker?.ref();
    const worker = this.worker ?? (await this.start());
    const outcome = worker instanceof Worker ? await this.ask(worker, job) : worker;
    this.worker?.unref();
    this.idle = setTimeout(() => {
      this.end();
    }, this.limits.idleMs).unref();
    return outcome;
  }

  private async start(): Promise<Worker | Stopped> {
    // The flags of this process are not for the worker: a loader of TypeScript, an inspector's port.
    const worker = new Worker(WORKER_FILE, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    this.worker = worker;
    // Without a listener, an error between two jobs would end the whole process.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.worker === worker) this.worker = undefined;
    });
    const message = await nextMessage(worker, this.limits.loadMs);
    if (message.kind !== 'stopped') return worker;
    this.end();
    return { kind: 'stopped', reason: `Prism could not be loaded: ${message.reason}` };
  }

  private async ask(worker: Worker, job: GenerationJob): Promise<JobOutcome> {
    worker.postMessage(job);
    const message = await nextMessage(worker, this.limits.jobMs);
    if (message.kind === 'made' || message.kind === 'refused') return message;
    this.end();
    return { kind: 'stopped', reason: message.kind === 'stopped' ? message.reason : 'the worker began anew' };
  }

  private end(): void {
    void this.worker?.terminate();
    this.worker = undefined;
  }
}

function nextMessage(worker: Worker, limitMs: number): Promise<WorkerMessage | Stopped> {
  return new Promise((resolve) => {
    const settle = (message: WorkerMessage | Stopped): void => {
      clearTimeout(timer);
      worker.off('message', settle).off('error', onError).off('exit', onExit);
      resolve(message);
    };
    const stop = (reason: string): void => {
      settle({ kind: 'stopped', reason });
    };
    const onError = (error: Error): void => {
      stop(error.message);
    };
    const onExit = (): void => {
      stop('the worker of Prism ended');
    };
    const timer = setTimeout(() => {
      // When this process was busy beyond the limit, the response may lie here unread: it is read before this runs.
      setImmediate(stop, `Prism did not finish within ${limitMs / 1000} s`);
    }, limitMs);
    worker.on('message', settle).on('error', onError).on('exit', onExit);
  });
}

/**
 * The second leaves out what is not required, which is where most that cannot be made stands: a property that leads back
 * to its own schema, for one. The third knows no chance, and keeps a few rules that the random generator breaks.
 */
const STRATEGIES: readonly Strategy[] = ['full', 'required-only', 'static'];

const MAX_STORED = 1000;

// One for all servers of the process: a worker holds 100 MB. It is started by the first body that is wanted.
const sharedThread = new PrismThread();

/**
 * Makes bodies with Prism's generators (`@stoplight/prism-http`) from the schema of a response, each checked by that
 * schema. The same operation, status and seed always get the same body, in this process and in any other. What could
 * not be made is remembered too: a schema that Prism hangs on holds up no second request.
 *
 * Loads nothing of Prism: that is left to a worker thread.
 */
export function createPrismGenerator(api: ApiModel, thread: PrismThread = sharedThread): PayloadGenerator {
  const made = new Map<string, Promise<GeneratedPayload>>();
  return {
    generate(operation, status, given, seed) {
      const schema = given ?? chooseResponseContent(findResponse(operation, status))?.schema;
      const chance = `${operation.id} ${status}${seed === undefined ? '' : ` ${seed}`}`;
      const key = `${chance} ${schema?.pointer ?? ''}`;
      const known = made.get(key);
      if (known !== undefined) return known;
      // Seeds come from requests, which may have any number of them.
      if (made.size >= MAX_STORED) made.clear();
      const payload = generate(api, thread, schema, chance);
      made.set(key, payload);
      payload.catch(() => made.delete(key));
      return payload;
    },
  };
}

async function generate(
  api: ApiModel,
  thread: PrismThread,
  schema: Schema | undefined,
  seed: string,
): Promise<GeneratedPayload> {
  if (schema === undefined) return failed('the description has neither a schema nor an example for it');
  const document = responseDocument(api, schema);
  let firstReason: string | undefined;
  for (const strategy of STRATEGIES) {
    const outcome = await thread.run({ document, strategy, seed });
    if (outcome.kind === 'stopped') return failed(outcome.reason);
    const payload = validated(outcome, schema);
    if (payload.kind === 'generated') return payload;
    firstReason ??= payload.reason;
  }
  return failed(firstReason ?? '');
}

function validated(response: GenerationResult, schema: Schema): GeneratedPayload {
  if (response.kind === 'refused') return failed(response.reason);
  const value = JSON.parse(response.text) as JsonValue;
  const [violation] = schema.validate('response')(value);
  if (violation === undefined) return { kind: 'generated', value };
  const place = violation.pointer === '' ? 'the body' : violation.pointer;
  return failed(`what Prism makes breaks the schema (${place} ${violation.message})`);
}

function failed(reason: string): GeneratedPayload {
  return { kind: 'failed', reason };
}

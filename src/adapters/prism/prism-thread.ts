import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PACKAGE_ROOT } from '../node/package-root';
import type { GenerationAnswer, GenerationJob, WorkerMessage } from './generation-job';

// The built file, also when this code runs as TypeScript under test: Node 20 loads no TypeScript into a worker, and a
// worker does not have the transforms of the test runner. `npm test` builds first. In the package it is the same path.
const WORKER_FILE = join(PACKAGE_ROOT, 'dist', 'src', 'adapters', 'prism', 'prism-worker.js');

/** All in milliseconds. */
export interface ThreadLimits {
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
export type JobOutcome = GenerationAnswer | Stopped;

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
      // When this process was busy beyond the limit, the answer may lie here unread: it is read before this runs.
      setImmediate(stop, `Prism did not finish within ${limitMs / 1000} s`);
    }, limitMs);
    worker.on('message', settle).on('error', onError).on('exit', onExit);
  });
}

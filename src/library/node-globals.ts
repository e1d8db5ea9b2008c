import type Crypto from 'node:crypto';
import { createRequire } from 'node:module';
import type V8 from 'node:v8';

/** Names of the web that modules of Node export. */
const OF_MODULES: Readonly<Record<string, readonly string[]>> = {
  'node:util': ['TextDecoder', 'TextEncoder'],
  'node:timers': ['setImmediate', 'clearImmediate'],
  'node:perf_hooks': ['performance'],
  'node:buffer': ['Blob', 'File'],
  'node:worker_threads': ['MessageChannel', 'MessagePort', 'BroadcastChannel'],
  'node:stream/web': [
    'ReadableStream',
    'ReadableStreamDefaultReader',
    'ReadableStreamBYOBReader',
    'ReadableStreamBYOBRequest',
    'ReadableByteStreamController',
    'ReadableStreamDefaultController',
    'TransformStream',
    'TransformStreamDefaultController',
    'WritableStream',
    'WritableStreamDefaultController',
    'WritableStreamDefaultWriter',
    'ByteLengthQueuingStrategy',
    'CountQueuingStrategy',
    'TextEncoderStream',
    'TextDecoderStream',
    'CompressionStream',
    'DecompressionStream',
  ],
};

const load = createRequire(__filename);

/**
 * Gives the scope of a browser in a test runner, such as jsdom, the global names of Node that it leaves out and that
 * sockets need. What is there stays as it is, and nothing is loaded for it: a mock on the command line starts with all.
 */
function completeGlobals(): void {
  for (const [module, names] of Object.entries(OF_MODULES)) {
    for (const name of names) define(name, () => (load(module) as Record<string, unknown>)[name]);
  }
  define('crypto', () => (load('node:crypto') as typeof Crypto).webcrypto);
  define('structuredClone', () => {
    const { deserialize, serialize } = load('node:v8') as typeof V8;
    return (value: unknown): unknown => deserialize(serialize(value));
  });
}

function define(name: string, make: () => unknown): void {
  if (name in globalThis) return;
  Object.defineProperty(globalThis, name, { value: make(), configurable: true, writable: true, enumerable: false });
}

completeGlobals();

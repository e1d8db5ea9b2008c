import * as buffer from 'node:buffer';
import { webcrypto } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import * as streams from 'node:stream/web';
import { clearImmediate, setImmediate } from 'node:timers';
import { TextDecoder, TextEncoder } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { BroadcastChannel, MessageChannel, MessagePort } from 'node:worker_threads';

/**
 * Global names of Node that the scope of a browser in a test runner, such as jsdom, leaves out, and that sockets need.
 * What is there stays as it is.
 */
const NODE_GLOBALS: Readonly<Record<string, unknown>> = {
  TextDecoder,
  TextEncoder,
  setImmediate,
  clearImmediate,
  performance,
  crypto: webcrypto,
  structuredClone: (value: unknown): unknown => deserialize(serialize(value)),
  Blob: buffer.Blob,
  File: buffer.File,
  MessageChannel,
  MessagePort,
  BroadcastChannel,
  ...streams,
};

for (const [name, value] of Object.entries(NODE_GLOBALS)) {
  if (name in globalThis) continue;
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false });
}

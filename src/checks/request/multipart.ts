import { Readable } from 'node:stream';
import type * as BusboyNamespace from '@fastify/busboy';
import { messageOf } from '../../errors/error-facts';

/** One part of `multipart/form-data` (RFC 7578). */
export interface Part {
  readonly name: string;
  /** `undefined` for a part that is no file. */
  readonly fileName: string | undefined;
  /** Its Content-Type; `text/plain` when it has none (RFC 7578 §4.4). */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** The parts in their order, or why there are none. */
export type Parts = readonly Part[] | { readonly reason: string };

/** More than anybody means; the size of the whole is limited already. */
const LIMITS = { parts: 1000, headerPairs: 100, headerSize: 8 * 1024, fieldNameSize: 1024 } as const;

/** @param contentType - with its boundary */
export async function readParts(contentType: string, body: Uint8Array): Promise<Parts> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only by those who send such a body
  const { Busboy } = require('@fastify/busboy') as typeof BusboyNamespace;
  const parts: Part[] = [];
  const source = Readable.from(slicesOf(body));
  return new Promise((resolve) => {
    const fail = (reason: string): void => {
      // What comes after it is not looked at.
      source.unpipe();
      resolve({ reason });
    };
    try {
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { ...LIMITS, files: LIMITS.parts },
        // Every part as bytes: whether it is text is for its media type and the schema to say.
        isPartAFile: () => true,
        preservePath: true,
      });
      // The types have a text there, but a part without a file name has none.
      parser.on('file', (name: string, file, fileName: string | undefined, _, mediaType) => {
        const chunks: Uint8Array[] = [];
        file.on('data', (chunk: Uint8Array) => chunks.push(chunk));
        file.on('error', (error) => {
          fail(messageOf(error));
        });
        const at = parts.length;
        parts.push({ name, fileName, mediaType, bytes: NOTHING });
        file.on('end', () => {
          parts[at] = { name, fileName, mediaType, bytes: Buffer.concat(chunks) };
        });
      });
      for (const limit of ['partsLimit', 'filesLimit'] as const) {
        parser.on(limit, () => {
          fail(`it has more than ${LIMITS.parts} parts`);
        });
      }
      parser.on('error', (error) => {
        fail(messageOf(error));
      });
      parser.on('finish', () => {
        resolve(parts);
      });
      source.pipe(parser);
    } catch (error) {
      fail(messageOf(error));
    }
  });
}

const SLICE = 64 * 1024;

function* slicesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += SLICE) yield body.subarray(start, start + SLICE);
}

const NOTHING = new Uint8Array();

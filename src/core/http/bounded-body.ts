import type { IncomingMessage } from 'node:http';

/**
 * The whole body of a request, as UTF-8.
 *
 * @param most - bytes that it may have
 * @returns `undefined` for one that is larger
 */
export async function readBoundedBody(request: IncomingMessage, most: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // The rest is read, and forgotten: a client that still sends would not see the response.
    if (length <= most) chunks.push(chunk);
  }
  return length > most ? undefined : Buffer.concat(chunks).toString('utf8');
}

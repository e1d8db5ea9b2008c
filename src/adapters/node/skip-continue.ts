import type { Duplex } from 'node:stream';

const CONTINUE = /^HTTP\/1\.[01] 100(?= |\r|\n)/;
/** As many bytes decide whether a head may be a 100. */
const DECIDING_BYTES = 'HTTP/1.1 100 '.length;
const LONGEST_HEAD = 16 * 1024;

/**
 * Takes every `100 Continue` out of what a socket reads. A client has to pass over those that it never asked for
 * (RFC 9110 §15.2), and undici drops the connection in place of that; other interim answers it passes over itself.
 *
 * It looks only at what comes first after something was written: with one request at a time on each connection, an
 * answer begins nowhere else.
 */
export function skipContinue(socket: Duplex): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean;
  let isStart = false;
  let held: Buffer | undefined;

  socket.write = (...parts: unknown[]) => {
    isStart = true;
    return write(...parts);
  };

  socket.read = (size) => {
    for (;;) {
      const chunk = read(size) as Buffer | null;
      if (chunk === null || !isStart) return chunk;
      const bytes: Buffer = held === undefined ? chunk : Buffer.concat([held, chunk]);
      const rest = afterContinue(bytes);
      held = rest === 'more' ? bytes : undefined;
      if (rest === 'more' || rest.length === 0) continue;
      isStart = false;
      return rest;
    }
  };
}

/** What follows the 100s at the beginning; `more` when only further bytes can tell. */
function afterContinue(bytes: Buffer): Buffer | 'more' {
  let rest = bytes;
  while (rest.length > 0) {
    const head = rest.toString('latin1', 0, DECIDING_BYTES);
    if (!CONTINUE.test(head)) return isUndecided(head) ? 'more' : rest;
    const end = rest.indexOf('\r\n\r\n');
    // An interim answer that never ends is for the parser to refuse.
    if (end === -1) return rest.length > LONGEST_HEAD ? rest : 'more';
    rest = rest.subarray(end + 4);
  }
  return rest;
}

function isUndecided(head: string): boolean {
  return 'HTTP/1.1 100 '.startsWith(head) || 'HTTP/1.0 100 '.startsWith(head);
}

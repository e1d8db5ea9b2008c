import type { Socket } from 'node:net';

/**
 * Keeps the requests of each connection in order (RFC 9112 §9.3.2). Node hands over a second request while the body of
 * the first is still coming, and a read must not overtake the write before it; nor may anything be done for a request
 * behind an answer that closes the connection (RFC 9112 §9.6).
 *
 * Only work that waits for something says so; work that is done at once costs two look-ups.
 */
export class ConnectionOrder {
  private readonly waiting = new WeakMap<Socket, (() => void)[]>();
  private readonly closed = new WeakSet<Socket>();

  /** Runs the work of a request now, or when those before it are done, or never. */
  run(socket: Socket, work: () => void): void {
    if (this.closed.has(socket)) return;
    const queue = this.waiting.get(socket);
    if (queue === undefined) work();
    else queue.push(work);
  }

  /** The work of the current request goes on later: the next one has to wait. */
  begin(socket: Socket): void {
    this.waiting.set(socket, []);
  }

  /** The current request has its answer. */
  end(socket: Socket): void {
    const queue = this.waiting.get(socket) ?? [];
    this.waiting.delete(socket);
    // A loop, because a client may have sent thousands behind the one that waited.
    while (queue.length > 0 && !this.closed.has(socket)) {
      queue.shift()?.();
      const restarted = this.waiting.get(socket);
      if (restarted === undefined) continue;
      restarted.push(...queue.splice(0));
    }
  }

  /** The answer to the current request closes the connection. */
  close(socket: Socket): void {
    this.closed.add(socket);
  }
}

import type { Socket } from 'node:net';

/**
 * Keeps the requests of each connection in order (RFC 9112 §9.3.2). Node hands over a second request while the body of
 * the first is still coming, and a read must not overtake the write before it; nor may anything be done for a request
 * behind an answer that closes the connection (RFC 9112 §9.6).
 *
 * Only work that waits for something says so; work that is done at once costs one look-up.
 */
export class ConnectionOrder {
  /** What waits behind the current request of a connection; `closed` when nothing more is to be done for it. */
  private readonly states = new WeakMap<Socket, (() => void)[] | 'closed'>();

  /** Must the next request of the connection wait, or be dropped? */
  isHeld(socket: Socket): boolean {
    return this.states.has(socket);
  }

  /** Runs work when the requests before it are done, or never. */
  hold(socket: Socket, work: () => void): void {
    const state = this.states.get(socket);
    if (state === undefined) work();
    else if (state !== 'closed') state.push(work);
  }

  /** The work of the current request goes on later: the next one has to wait. */
  begin(socket: Socket): void {
    this.states.set(socket, []);
  }

  /** The current request has its answer. */
  end(socket: Socket): void {
    const queue = this.states.get(socket);
    if (queue === undefined || queue === 'closed') return;
    this.states.delete(socket);
    // A loop, because a client may have sent thousands behind the one that waited.
    while (queue.length > 0) {
      queue.shift()?.();
      const state = this.states.get(socket);
      if (state === 'closed') return;
      state?.push(...queue.splice(0));
    }
  }

  /** The answer to the current request closes the connection. */
  close(socket: Socket): void {
    this.states.set(socket, 'closed');
  }
}

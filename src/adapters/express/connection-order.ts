import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps pipelined requests of one connection in order (RFC 9112 §9.3.2): Node hands over a second request while the
 * body of the first is still coming, and a read must not overtake the write before it.
 */
export class ConnectionOrder {
  private readonly waiting = new WeakMap<Socket, (() => void)[]>();

  /**
   * Runs the work of a request now, or when those before it on the same connection are done.
   *
   * @param work - calls `done` when the next request may begin
   */
  run({ socket }: IncomingMessage, work: (done: () => void) => void): void {
    const queue = this.waiting.get(socket);
    if (queue !== undefined) {
      queue.push(() => {
        work(() => {
          this.next(socket);
        });
      });
      return;
    }
    let isDone = false;
    work(() => {
      // Work that was done at once never made the others wait.
      if (this.waiting.has(socket)) this.next(socket);
      isDone = true;
    });
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- `done` may have been called meanwhile
    if (!isDone) this.waiting.set(socket, []);
  }

  private next(socket: Socket): void {
    const following = this.waiting.get(socket)?.shift();
    if (following === undefined) this.waiting.delete(socket);
    else following();
  }
}

import type { Socket } from 'node:net';

/** Requests that wait; or that the current one is not done yet, or that nothing more is to be done. */
type State = (() => void)[] | 'busy' | 'closed' | undefined;

const STATE = Symbol('the order of work on a connection');

/**
 * Keeps the requests of each connection in order (RFC 9112 §9.3.2). Node hands over a second request while the body of
 * the first is still coming, and a read must not overtake the write before it; nor may anything be done for a request
 * behind an answer that closes the connection (RFC 9112 §9.6).
 *
 * Only work that waits for something says so; work that is done at once costs one look. The state stands on the socket:
 * a map of sockets would cost more than all the rest.
 */
export class ConnectionOrder {
  /** Must the next request of the connection wait, or be dropped? */
  isHeld(socket: Socket): boolean {
    return stateOf(socket) !== undefined;
  }

  /** Runs work when the requests before it are done, or never. */
  hold(socket: Socket, work: () => void): void {
    const state = stateOf(socket);
    if (state === undefined) work();
    else if (state === 'busy') setState(socket, [work]);
    else if (state !== 'closed') state.push(work);
  }

  /** The work of the current request goes on later: the next one has to wait. */
  begin(socket: Socket): void {
    setState(socket, 'busy');
  }

  /** The current request has its answer. */
  end(socket: Socket): void {
    const queue = stateOf(socket);
    if (queue === 'closed') return;
    setState(socket, undefined);
    if (queue === undefined || queue === 'busy') return;
    // A loop, because a client may have sent thousands behind the one that waited.
    for (let index = 0; index < queue.length; index++) {
      queue[index]?.();
      const state = stateOf(socket);
      if (state === 'closed') return;
      if (state === undefined) continue;
      setState(socket, queue.slice(index + 1));
      return;
    }
  }

  /** The answer to the current request closes the connection. */
  close(socket: Socket): void {
    setState(socket, 'closed');
  }
}

function stateOf(socket: Socket): State {
  return (socket as Socket & { [STATE]?: State })[STATE];
}

function setState(socket: Socket, state: State): void {
  (socket as Socket & { [STATE]?: State })[STATE] = state;
}

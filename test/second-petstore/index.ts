import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failureAnswer, parserFailure, send } from './answer';
import { Failure } from './failure';
import { handle, type Deployment } from './pipeline';
import { Shop } from './shop';

export interface SecondPetstoreOptions {
  /** Keys that are let in; `test-key` alone when absent. */
  readonly keys?: readonly string[];
  /** A few rows from the start, or none. */
  readonly seed?: 'some' | 'none';
  /** Only the nine operations that a deployment without the optional extras has. */
  readonly plain?: boolean;
  readonly pretty?: boolean;
  /** Ids beyond 2^53, which a double cannot hold. */
  readonly largeIds?: boolean;
  /** Ids that do not ascend with time. */
  readonly scatteredIds?: boolean;
  readonly now?: () => number;
}

export interface SecondPetstore {
  readonly handler: RequestListener;
  readonly server: Server;
  /** Listens on 127.0.0.1 and resolves to the address, without a slash at the end. */
  listen(port?: number): Promise<string>;
  close(): Promise<void>;
}

/** An open and a complete order are among the rows: a plain deployment offers no way to place one. */
function stockUp(shop: Shop): void {
  const birds = shop.addCategory({ name: 'Bird', description: 'Feathered, mostly loud' });
  const fish = shop.addCategory({ name: 'Fish', description: undefined });
  const parrot = shop.addPet({ name: 'Ara', categoryId: birds.id, status: undefined });
  const carp = shop.addPet({ name: 'Kōi', categoryId: fish.id, status: undefined });
  const finch = shop.addPet({ name: 'Pinzón', categoryId: birds.id, status: undefined });
  shop.restock(parrot, 7);
  shop.restock(finch, 2);
  const none = { id: undefined, quantity: undefined, shipDate: undefined, complete: undefined };
  shop.place({ ...none, petId: carp.id, quantity: 1, shipDate: '2026-03-01T08:00:00+01:00', complete: true });
  shop.place({ ...none, petId: parrot.id, quantity: 2 });
  shop.place({ ...none, petId: finch.id, quantity: 2 });
}

/** A Petstore that shares no code with the mock: it keeps the runner from being made to measure for the mock. */
export function createSecondPetstore(options: SecondPetstoreOptions = {}): SecondPetstore {
  const now = options.now ?? Date.now;
  const shop = new Shop(now, options.largeIds ? 2n ** 53n : 0n, options.scatteredIds);
  if (options.seed !== 'none') stockUp(shop);
  const keys = new Set(options.keys ?? ['test-key']);
  const deployment: Deployment = { shop, keys, plain: options.plain ?? false, now, remembered: new Map() };
  const pretty = options.pretty ?? false;

  const handler: RequestListener = (request, response) => {
    handle(request, deployment)
      .catch(failureAnswer)
      .then((answer) => {
        send(request, response, answer, pretty);
      })
      .catch(() => response.destroy());
  };
  const server = createServer({ requireHostHeader: false, maxHeaderSize: 24 * 1024 }, handler);
  server.on('checkExpectation', (request: IncomingMessage, response) => {
    send(
      request,
      response,
      failureAnswer(new Failure(417, 'expectation_failed', 'Please do not expect that.')),
      pretty,
    );
  });
  server.on('clientError', (error, socket) => {
    if (socket.writable) socket.end(parserFailure(error));
    else socket.destroy();
  });

  return {
    handler,
    server,
    listen: (port = 0) =>
      new Promise((resolve) => {
        server.listen(port, '127.0.0.1', () => {
          resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

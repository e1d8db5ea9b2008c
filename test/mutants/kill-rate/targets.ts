import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMockServer } from '../../../src/express';
import { startClinic } from '../clinic/server';
import { startLending } from '../lending/server';
import { createSecondPetstore } from '../../second-petstore/index';

/** A conforming server, fresh for each measurement. */
export interface Target {
  readonly url: string;
  close(): Promise<void>;
}

/** The servers that runs are measured against: the mock, the Petstore that was written apart from it, and those of the other APIs. */
export const TARGETS: Readonly<
  Record<'mock' | 'second' | 'lending' | 'clinic', (largeIds: boolean) => Promise<Target>>
> = {
  lending: startLending,
  clinic: startClinic,
  async mock(largeIds) {
    const app = await createMockServer(largeIds ? { idStart: 9007199254740993n } : {});
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
  async second(largeIds) {
    const server = createSecondPetstore({ largeIds });
    return { url: await server.listen(), close: () => server.close() };
  },
};

export type TargetName = keyof typeof TARGETS;

import { loadApi } from '../../../src/files/load-api';
import { createUndiciTransport } from '../../../src/network/undici-transport';
import { createSecondPetstore } from '../../second-petstore';
import { drive, trafficOf } from './traffic';
import { judge } from './trial';

describe('a description from the traffic of a Petstore', () => {
  it('fits every exchange with the mock, and finds what it stores', async () => {
    const { findings, misfits, wanted, found } = judge(await trafficOf({}));
    expect([findings, misfits]).toEqual([[], []]);
    expect(found).toEqual(wanted);
  });

  it('fits every exchange with another server, and finds what its description has', async () => {
    const shop = createSecondPetstore();
    const transport = createUndiciTransport(await shop.listen(), { timeoutMs: 20_000 });
    try {
      const traffic = await drive(loadApi().api, (request) => transport.send(request));
      const { findings, misfits, wanted, found } = judge(traffic);
      expect([findings, misfits]).toEqual([[], []]);
      expect(found).toEqual(wanted);
    } finally {
      await transport.close();
      await shop.close();
    }
  });
});

import { cannedTransport, oneStep, replayText, stepNamed } from './peer';

const step = (name: string): string =>
  oneStep('name: reads', 'operation: listPets', `headers: { ${name}: DELETE }`, 'expect: { status: 200 }');

test.each(['X-HTTP-Method-Override', 'x-http-method', 'X-Method-Override'])(
  '%s is sent in mode full alone: it may make a DELETE of a GET',
  async (name) => {
    for (const mode of ['observe', 'own'] as const) {
      const transport = cannedTransport({});
      const result = await replayText(step(name), transport, { mode });
      expect(transport.sent).toEqual([]);
      expect(stepNamed(result, 'reads').verdict).toMatchObject({
        kind: 'skipped',
        cause: 'mode',
        reason: `its header ${name} asks for another method; --mode full sends it`,
      });
    }
    const transport = cannedTransport({});
    await replayText(step(name), transport, { mode: 'full' });
    expect(transport.sent).toHaveLength(1);
  },
);

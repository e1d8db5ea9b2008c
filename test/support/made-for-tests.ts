/** What is made before the tests of a file, or of the `describe` in which it is asked for, and closed behind them. */
export function madeForTests<Made extends { close(): unknown }>(make: () => Promise<Made>): Made {
  let made: Made | undefined;
  beforeAll(async () => {
    made = await make();
  });
  afterAll(async () => {
    await made?.close();
  });
  return new Proxy({} as Made, { get: (_, name): unknown => made && Reflect.get(made, name) });
}

/** Takes the events of jest-circus; see leftovers.cjs. */
export class LeftoverWatch {
  constructor(testPath: string, options?: { readonly maxPolls?: number });
  begin(): void;
  handle(
    event: { readonly name: string; readonly test?: { readonly errors: unknown[] } },
    state: { readonly unhandledErrors: Error[] },
  ): Promise<void>;
  end(): void;
}

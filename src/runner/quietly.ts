import { HarnessError } from '../errors/harness-error';

/** Looks at something; `undefined` where that is not possible, as without a key. */
export async function quietly<Value>(look: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}

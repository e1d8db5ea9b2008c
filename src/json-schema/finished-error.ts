import type { ErrorObject } from 'ajv';

/** Marks an error whose message is already in our words. Shared, because errors are made on every refused value. */
export const FINISHED = Object.freeze({ isFinished: true });

/** An error of one of our own keywords, under the name that the keyword has in OpenAPI. */
export function finishedError(keyword: string, message: string): Partial<ErrorObject> {
  return { keyword, message, params: FINISHED };
}

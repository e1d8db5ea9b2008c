/** What stands for the id of the run while a body is checked by its schema. */
export const RUN_ID = '1a2b3c4d';

/**
 * What makes a name one of the run, of a contract and of a thing of it: contracts that run at the same time do not meet.
 *
 * @param mark - of the contract; empty where only one is made
 */
export function runText(mark: string, ordinal: number): string {
  return [RUN_ID, mark, ordinal === 0 ? '' : String(ordinal)].filter((part) => part !== '').join('-');
}

import type { Fetched } from './fetch-remote';

/** Of all documents together: one may lead to the next for ever. */
const MAX_MS = 60_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;
const MAX_DOCUMENTS = 1000;
/** From one document to the next: the whole is put together anew after each step. */
const MAX_STEPS = 100;
/** Asked at a time. */
const MAX_AT_ONCE = 10;

/** What all remote documents of one description may take together. */
export class FetchBudget {
  private endsAt: number | undefined;
  private characters = 0;
  private documents = 0;
  private steps = 0;

  /** Fetches documents while there is time and room; of the rest it is kept why they were not. */
  async spend(
    uris: readonly string[],
    fetched: Map<string, Fetched>,
    fetchOne: (uri: string) => Promise<Fetched>,
  ): Promise<void> {
    this.endsAt ??= performance.now() + MAX_MS;
    this.steps += 1;
    const waiting = [...uris];
    const work = async (): Promise<void> => {
      for (let uri = waiting.shift(); uri !== undefined; uri = waiting.shift()) {
        const failure = this.overdrawn();
        const answer = failure === undefined ? await fetchOne(uri) : { failure };
        if ('text' in answer) this.characters += answer.text.length;
        fetched.set(uri, answer);
      }
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
  }

  private overdrawn(): string | undefined {
    if (performance.now() > (this.endsAt ?? Infinity))
      return `the documents of other machines took more than ${MAX_MS / 1000} seconds together`;
    if (this.steps > MAX_STEPS) return `documents lead to others more than ${MAX_STEPS} times in a row`;
    if (this.characters > MAX_CHARACTERS)
      return `the documents of other machines have more than ${MAX_CHARACTERS} characters together`;
    if (this.documents >= MAX_DOCUMENTS)
      return `the description leads to more than ${MAX_DOCUMENTS} documents of other machines`;
    this.documents += 1;
    return undefined;
  }
}

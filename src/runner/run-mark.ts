/** A text of this form holds the id of a run by chance only. */
const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** Does a text hold the id of a run, as names in contracts do? One inside a UUID is no mark. */
export function holdsMark(text: string, runId: string): boolean {
  return text.includes(runId) && text.replaceAll(UUID, '').includes(runId);
}

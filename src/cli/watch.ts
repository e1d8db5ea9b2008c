import { relative } from 'node:path';
import type { Reloaded, ServerParts } from '../adapters/create-mock-server';
import { watchFiles, type Watching } from '../adapters/watch-files';
import { messageOf, stackOf } from '../errors/error-facts';
import { counted } from '../errors/counted';
import { formatHarnessError, HarnessError } from '../errors/harness-error';
import { printable } from '../errors/printable';
import { requestFacts } from './request-facts';
import type { RequestLog } from './request-log';
import { tellWarnings } from './tell-warnings';

/** More items than this are counted, not listed. */
const MAX_LISTED = 20;

/** Puts what changed behind the running mock; what cannot be used is told, and the mock stays as it is. */
export function watchMock(parts: ServerParts, log: RequestLog): Watching {
  let known: ReadonlySet<string> = new Set();
  const onChange = async (changed: readonly string[]): Promise<void> => {
    const names = changed.map((file) => relative('', file)).join(', ');
    const startedAt = performance.now();
    try {
      const reloaded = await parts.reload();
      const ms = Math.round(performance.now() - startedAt);
      log.describe(requestFacts(parts.mock.context.mounts));
      log.tell(`reloaded ${printable(names)} in ${ms} ms`, { files: changed, ms });
      tellWarnings(reloaded.warnings, log);
      known = complainAboutItems(reloaded, known, log);
    } catch (error) {
      const why = error instanceof HarnessError ? formatHarnessError(error) : stackOf(error);
      const text = `not reloaded, the mock goes on as it was: ${printable(names)}\n${why}`;
      log.complain(text, { files: changed, reason: why });
    }
  };
  return watchFiles(parts.files, onChange, (fault) => {
    const reason = messageOf(fault);
    log.complain(printable(`cannot be watched: ${reason}`), { reason });
  });
}

/**
 * Tells what does not fit any more; what was told at the reload before this one, in the same words, is not told again.
 *
 * @param known - what did not fit then
 * @returns what does not fit now
 */
function complainAboutItems({ misfits, vanished }: Reloaded, known: ReadonlySet<string>, log: RequestLog): Set<string> {
  const told = new Set<string>();
  const isNew = (text: string): boolean => {
    told.add(text);
    return !known.has(text);
  };
  for (const path of vanished) {
    const text = `the description has no collection ${path} any more; its items are kept, and shown in the state`;
    if (isNew(text)) log.complain(printable(text), { collection: path });
  }
  const fresh = misfits
    .map((misfit) => {
      const { sandbox, collection, key, message } = misfit;
      const where = sandbox === undefined ? '' : ` (sandbox ${sandbox})`;
      const text = `${collection}/${key}${where} does not fit any more, and is kept: ${message}`;
      return { text, facts: { ...misfit } };
    })
    .filter(({ text }) => isNew(text));
  for (const { text, facts } of fresh.slice(0, MAX_LISTED)) log.complain(printable(text), facts);
  const more = fresh.length - MAX_LISTED;
  if (more > 0) log.complain(`… and ${counted(more, 'item')} more that do not fit`, { more });
  return told;
}

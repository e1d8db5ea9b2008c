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
  const onChange = async (changed: readonly string[]): Promise<void> => {
    const names = changed.map((file) => relative('', file)).join(', ');
    const startedAt = performance.now();
    try {
      const reloaded = await parts.reload();
      const ms = Math.round(performance.now() - startedAt);
      log.describe(requestFacts(parts.mock.context.mounts));
      log.tell(`reloaded ${printable(names)} in ${ms} ms`, { files: changed, ms });
      tellWarnings(reloaded.warnings, log);
      complainAboutItems(reloaded, log);
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

function complainAboutItems({ misfits, vanished }: Reloaded, log: RequestLog): void {
  for (const path of vanished) {
    const text = `the description has no collection ${path} any more; its items are kept, and shown in the state`;
    log.complain(printable(text), { collection: path });
  }
  for (const misfit of misfits.slice(0, MAX_LISTED)) {
    const { sandbox, collection, key, message } = misfit;
    const where = sandbox === undefined ? '' : ` (sandbox ${sandbox})`;
    log.complain(printable(`${collection}/${key}${where} does not fit any more, and is kept: ${message}`), {
      ...misfit,
    });
  }
  const more = misfits.length - MAX_LISTED;
  if (more > 0) log.complain(`… and ${counted(more, 'item')} more that do not fit`, { more });
}

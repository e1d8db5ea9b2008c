import { ConfigError } from '../errors/harness-error';
import type { ApiModel } from '../openapi/model';
import type { Creation } from './creation';
import type { LedgerEntry } from './ledger';

/**
 * What a ledger says of each creation, in its order.
 *
 * @throws ConfigError where it names an operation that the description does not have
 */
export function restoredCreations(api: ApiModel, entries: readonly LedgerEntry[]): Creation[] {
  const all: Creation[] = [];
  for (const entry of entries) {
    if (entry.kind === 'run') continue;
    if (entry.kind === 'pending') all.push(restorePending(api, entry));
    else restoreEnd(all, entry);
  }
  return all;
}

function restorePending(api: ApiModel, pending: Extract<LedgerEntry, { kind: 'pending' }>): Creation {
  const { entry, operation: id, path, leaves, marked, auth, sent } = pending;
  const operation = api.operationById(id);
  if (operation === undefined) {
    throw new ConfigError('CONFIG_INVALID', `The description has no operation ${id}, which the ledger names`, {
      hint: 'Name the description of that run with --spec.',
    });
  }
  return { entry, operation, path, item: undefined, state: 'pending', leaves, marked, auth, sent };
}

function restoreEnd(all: readonly Creation[], ended: Exclude<LedgerEntry, { kind: 'run' | 'pending' }>): void {
  const creation = all.find(({ entry }) => entry === ended.entry);
  if (creation === undefined) return;
  if (ended.kind === 'created' && ended.mayBeOthers === true) {
    creation.mayBeOthers = true;
    creation.perhaps = ended.item;
  } else if (ended.kind === 'created') {
    creation.state = 'there';
    creation.item = ended.item;
    // What has not come to be by now will not.
    creation.wasSeen = true;
    creation.changed = [...(creation.changed ?? []), ...(ended.sent ?? [])];
  } else {
    creation.state = ended.kind;
  }
}

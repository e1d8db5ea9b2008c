import { resolve } from 'node:path';
import { StoreError, type StateLog } from '../mock/state/state-log';
import { counted } from '../core/text/printable';
import { ConfigError } from '../core/errors/standin-error';
import type { Mock } from '../mock/create-mock';
import { aboutOf, type RestoredMock, restoreMock } from '../mock/restore-mock';
import { MAIN_ID } from '../mock/sandbox/sandbox-selection';
import type { SharedLog } from '../mock/sandbox/request-stream';
import { shareMock } from '../mock/share-mock';
import type * as FileLogModule from '../store/file-log';
import type * as RedisLogModule from '../store/redis-log';
import type { CreateMockServerOptions } from './mock-options';
import { DEFAULT_SYNC_MS } from './store-options';

const FILE = 'file:';
/** More of them would bury the rest of what is said at the start. */
const MOST_TOLD = 10;

type Tell = (text: string) => void;

/**
 * Goes on with what the option `store` names, and stores there from now on.
 *
 * @param onNotice - told what was mended, and which items do not fit any more
 * @throws ConfigError `STORE_IN_USE`, `STORE_UNUSABLE`, and for an option that has no effect
 */
export async function useStore(current: () => Mock, options: CreateMockServerOptions, onNotice: Tell): Promise<void> {
  const log = await openLog(options, current(), onNotice);
  if (log === undefined) return;
  try {
    if (log.isShared) tellOther(await shareMock(current, log), log, onNotice);
    else tell(await restoreMock(current(), log), log, onNotice);
  } catch (error) {
    await log.close();
    if (!(error instanceof StoreError)) throw error;
    throw new ConfigError('STORE_UNUSABLE', error.message, { cause: error, hint: error.hint });
  }
}

/** After a reload: what is stored now was made to fit the description of today. */
export async function followStore(mock: Mock): Promise<void> {
  await mock.engine.sandboxes.store?.log.describe(aboutOf(mock));
}

async function openLog(
  { store = 'memory', storeSync }: CreateMockServerOptions,
  mock: Mock,
  onNotice: Tell,
): Promise<SharedLog | undefined> {
  if (storeSync !== undefined && !store.startsWith(FILE))
    throw new ConfigError('CONFIG_INVALID', 'storeSync says when a folder is written, and none is named', {
      hint: 'Name it: --store file:FOLDER --store-sync always.',
    });
  if (store === 'memory') return undefined;
  if (!store.startsWith(FILE)) return openRedis(store, mock);
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by who stores in a folder
  const { openFileLog } = require('../store/file-log') as typeof FileLogModule;
  return openFileLog(resolve(store.slice(FILE.length)), { sync: storeSync ?? DEFAULT_SYNC_MS, onNotice });
}

function openRedis(address: string, { context }: Mock): Promise<SharedLog> {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by who shares a state
  const { openRedisLog } = require('../store/redis-log') as typeof RedisLogModule;
  const { STANDIN_REDIS_USERNAME: username, STANDIN_REDIS_PASSWORD: password } = process.env;
  const { idleMs } = context.options.sandboxes;
  return openRedisLog({ address, username, password, idleMs, mainId: MAIN_ID });
}

function tellOther({ isOfOther }: { readonly isOfOther: boolean }, log: StateLog, onNotice: Tell): void {
  if (isOfOther)
    onNotice(`The description is another one than when ${log.place} was written; what is stored stays as it is`);
}

function tell({ isOfOther, nonconforming, unknownCollections }: RestoredMock, log: StateLog, onNotice: Tell): void {
  tellOther({ isOfOther }, log, onNotice);
  for (const { sandbox, collection, key, message } of nonconforming.slice(0, MOST_TOLD))
    onNotice(`Stored in ${sandbox}, and not what the description says: ${collection}/${key}: ${message}`);
  const more = nonconforming.length - MOST_TOLD;
  if (more > 0) onNotice(`and ${counted(more, 'more stored item')} that the description does not allow`);
  if (unknownCollections.length > 0)
    onNotice(`Stored, and not in the description: ${unknownCollections.slice(0, MOST_TOLD).join(', ')}`);
}

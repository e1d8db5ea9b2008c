import type { Creation } from './creation';
import { collectionOf, isListed } from './find-lost';
import { isNothing, isSuccess, lookAt, type Look } from './look-at-item';
import type { Run } from './run';

/**
 * Looks whether something is gone. A success is believed where there is nothing to look at; a 404 is not, because a
 * gateway without a service behind it says so of everything.
 *
 * @param status - of the removal
 * @returns what speaks against it, to go on after the status; `undefined` when it is gone
 */
export async function doubtAfter(
  run: Run,
  creation: Creation,
  item: string,
  status: number,
): Promise<string | undefined> {
  if (!isSuccess(status) && !isNothing(status)) return '';
  const isConfirmed = isSuccess(status) || creation.isRemovalAnswered === true;
  const look = await lookAt(run, creation, item);
  if (isConfirmed && showsNothing(look)) return undefined;
  if (isSuccess(look?.status)) return ', but it is still there';
  const listed = await isListed(run, creation, item);
  if (listed === true) return ', but it is still there';
  if (listed === false) return undefined;
  const canLook = look !== undefined || collectionOf(run, creation, item) !== undefined;
  return canLook ? ', and no other answer tells whether it is gone' : doubtUnseen(isConfirmed, status);
}

/** Is there nothing to be seen, or something that says that it was removed? */
export function showsNothing(look: Look | undefined): boolean {
  return look !== undefined && (look.saysGone || isNothing(look.status));
}

/** Where the description has no way to look. */
function doubtUnseen(isConfirmed: boolean, status: number): string | undefined {
  return isConfirmed && status !== 202 ? undefined : ', and there is no way to see whether it is gone';
}

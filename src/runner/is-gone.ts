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
  return doubtUnread(run, creation, item, { status, isConfirmed, canLook: look !== undefined });
}

/** The same where a GET does not show it. */
async function doubtUnread(
  run: Run,
  creation: Creation,
  item: string,
  {
    status,
    isConfirmed,
    canLook,
  }: { readonly status: number; readonly isConfirmed: boolean; readonly canLook: boolean },
): Promise<string | undefined> {
  const listed = await isListed(run, creation, item);
  if (listed === true) return ', but it is still there';
  if (listed === false) return canLook && isUnseen(creation, status) ? NEVER_SEEN : undefined;
  const isKnowable = canLook || collectionOf(run, creation, item) !== undefined;
  return isKnowable ? ', and no other answer tells whether it is gone' : doubtUnseen(isConfirmed, status);
}

const NEVER_SEEN = ', and no answer ever showed it: it may stand elsewhere, or still come to be';

/** Was it answered to be made, and never found where it was to stand? A service may show it later than it says so. */
function isUnseen({ wasSeen }: Creation, status: number): boolean {
  return wasSeen !== true && isNothing(status);
}

/** Is there nothing to be seen, or something that says that it was removed? */
export function showsNothing(look: Look | undefined): boolean {
  return look !== undefined && (look.saysGone || isNothing(look.status));
}

/** Where the description has no way to look. */
function doubtUnseen(isConfirmed: boolean, status: number): string | undefined {
  return isConfirmed && status !== 202 ? undefined : ', and there is no way to see whether it is gone';
}

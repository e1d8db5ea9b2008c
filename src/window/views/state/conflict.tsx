import { type JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { JsonObject } from '../../../core/json/json-value';
import { DiffView } from '../../parts/diff';
import { JsonView } from '../../parts/json-view';

interface ConflictProps {
  /** `null` for a removal. */
  readonly mine: JsonObject | null;
  /** `null` where somebody else removed it. */
  readonly theirs: JsonObject | null;
  /** The row is there already, and was not when this one was begun. */
  readonly isTaken: boolean;
  readonly isBusy: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
}

/** Somebody else was faster: both versions beside each other, and which of them shall be. */
export function Conflict({ mine, theirs, isTaken, isBusy, onKeepMine, onTakeTheirs }: ConflictProps): JSX.Element {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The form that had the focus is gone.
    section.current?.focus();
  }, []);
  return (
    <section ref={section} class="section" tabIndex={-1} aria-label="Two versions">
      <p class="problems" role="alert">
        {theirs === null && 'This row was removed by somebody else meanwhile.'}
        {theirs !== null && isTaken && 'There is a row under this key already.'}
        {theirs !== null && !isTaken && 'This row was changed by somebody else meanwhile.'} Nothing of yours is stored
        yet.
      </p>
      <div class="versions">
        <Version title="Mine" item={mine} />
        <Version title="Theirs, as it is stored now" item={theirs} />
      </div>
      {mine !== null && theirs !== null && (
        <div class="section">
          <h3>From theirs to mine</h3>
          <DiffView before={theirs} after={mine} />
        </div>
      )}
      <div class="actions">
        <button type="button" class="primary" aria-disabled={isBusy} onClick={onKeepMine}>
          Keep mine
        </button>
        <button type="button" aria-disabled={isBusy} onClick={onTakeTheirs}>
          Take theirs
        </button>
      </div>
    </section>
  );
}

function Version({ title, item }: { title: string; item: JsonObject | null }): JSX.Element {
  return (
    <div class="section">
      <h3>{title}</h3>
      <div class="body">{item === null ? <p class="empty">removed</p> : <JsonView value={item} label={title} />}</div>
    </div>
  );
}

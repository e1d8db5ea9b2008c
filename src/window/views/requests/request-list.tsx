import { type JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { RequestSummary } from '../../../server/actions/shapes';
import { address, goTo, hrefOf } from '../../base/address';
import { durationText, statusClass, timeText } from '../../parts/text';
import { VirtualGrid } from '../../parts/virtual-list';

const ROW_HEIGHT = 30;

interface RequestListProps {
  /** Oldest first. */
  readonly entries: readonly RequestSummary[];
  readonly isOldestFirst: boolean;
  /** Of the request that is shown beside the list. */
  readonly opened: number | undefined;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  /** Numbers of those that are chosen for a contract. */
  readonly chosen: ReadonlySet<number>;
  readonly onChoose: (seq: number) => void;
}

export function hrefOfRequest(seq: number): string {
  return hrefOf('requests', String(seq), Object.fromEntries(address.value.query));
}

/** The requests as lines: arrow keys move, Enter opens, the space bar chooses. */
export function RequestList(props: RequestListProps): JSX.Element {
  const { entries, isOldestFirst, opened, isFollowing, onFollow, chosen, onChoose } = props;
  const [marked, setMarked] = useState<number | undefined>(opened);
  const seen = useRef(opened);
  if (seen.current !== opened) {
    seen.current = opened;
    setMarked(opened);
  }
  const count = entries.length;
  const entryAt = (index: number): RequestSummary | undefined => entries[isOldestFirst ? index : count - 1 - index];
  const shownIndex = (seq: number): number => {
    const at = indexOf(entries, seq);
    return at === -1 || isOldestFirst ? at : count - 1 - at;
  };
  const open = (index: number): void => {
    const entry = entryAt(index);
    if (entry !== undefined) goTo(hrefOfRequest(entry.seq));
  };
  return (
    <VirtualGrid
      label="Requests"
      count={count}
      rowHeight={ROW_HEIGHT}
      head={<Head />}
      keyOf={(index) => entryAt(index)?.seq ?? index}
      cellsOf={(index) => {
        const entry = entryAt(index);
        return entry === undefined ? null : (
          <Cells entry={entry} isChosen={chosen.has(entry.seq)} onChoose={onChoose} />
        );
      }}
      classOf={(index) => (entryAt(index)?.seq === opened ? 'opened' : '')}
      selected={marked === undefined ? -1 : shownIndex(marked)}
      onSelect={(index) => {
        const entry = entryAt(index);
        setMarked(entry?.seq);
        onFollow(false);
        // Beside an open request the next one is shown at once.
        if (entry !== undefined && opened !== undefined) goTo(hrefOfRequest(entry.seq), { replace: true });
      }}
      onOpen={open}
      onToggle={(index) => {
        const entry = entryAt(index);
        if (entry !== undefined) onChoose(entry.seq);
      }}
      indexOfKey={(key) => shownIndex(Number(key))}
      follow={isFollowing ? (isOldestFirst ? 'end' : 'start') : undefined}
      onScrolled={({ start, end }) => {
        onFollow(isOldestFirst ? end : start);
      }}
    />
  );
}

/** Entries are in the order of their numbers. */
function indexOf(entries: readonly RequestSummary[], seq: number): number {
  let low = 0;
  let high = entries.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = entries[middle]?.seq ?? 0;
    if (found === seq) return middle;
    if (found < seq) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function Head(): JSX.Element {
  return (
    <>
      <span role="columnheader" class="cell-choice">
        <span class="off-screen">Chosen</span>
      </span>
      <span role="columnheader" class="cell-status">
        Status
      </span>
      <span role="columnheader" class="cell-request">
        Request
      </span>
      <span role="columnheader" class="cell-operation">
        Operation
      </span>
      <span role="columnheader" class="cell-marks">
        Notes
      </span>
      <span role="columnheader" class="cell-duration">
        Took
      </span>
      <span role="columnheader" class="cell-time">
        Time
      </span>
    </>
  );
}

interface CellsProps {
  readonly entry: RequestSummary;
  readonly isChosen: boolean;
  readonly onChoose: (seq: number) => void;
}

function Cells({ entry, isChosen, onChoose }: CellsProps): JSX.Element {
  const { seq, status, method, target, operation, durationMs, at } = entry;
  return (
    <>
      <span
        role="gridcell"
        class="cell-choice"
        onClick={(event) => {
          // The rest of the row opens it.
          event.stopPropagation();
        }}
      >
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Choose request ${seq}`}
          checked={isChosen}
          onChange={() => {
            onChoose(seq);
          }}
        />
      </span>
      <span role="gridcell" class={`cell-status ${statusClass(status)}`}>
        {status}
      </span>
      <span role="gridcell" class="cell-request" title={target}>
        <span class="method">{method}</span> {target}
      </span>
      <span role="gridcell" class="cell-operation">
        {operation ?? '–'}
      </span>
      <span role="gridcell" class="cell-marks">
        <Marks entry={entry} />
      </span>
      <span role="gridcell" class="cell-duration">
        {durationText(durationMs)}
      </span>
      <span role="gridcell" class="cell-time">
        {timeText(at)}
      </span>
    </>
  );
}

/** A status that no client sees is not told without a word. */
function deliveryMark(delivery: RequestSummary['delivery']): string {
  if (delivery === null) return 'forced';
  const { end, dribble } = delivery;
  if (end !== null) return end === 'reset' ? 'reset' : 'cut off';
  return dribble === null ? 'late' : 'in pieces';
}

function Marks({ entry }: { entry: RequestSummary }): JSX.Element {
  const { sandbox, changes, warnings, code, forced, delivery } = entry;
  return (
    <>
      {forced !== null && (
        <span class="mark mark-moved" title={forced}>
          {deliveryMark(delivery)}
        </span>
      )}
      {code !== null && <span class="mark mark-bad">{code}</span>}
      {warnings > 0 && <span class="mark mark-bad">{warnings === 1 ? 'warning' : `${warnings} warnings`}</span>}
      {changes > 0 && <span class="mark mark-ok">±{changes}</span>}
      {sandbox !== 'default' && <span class="mark">{sandbox}</span>}
    </>
  );
}

import { type ComponentChildren, type JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualGridProps {
  readonly label: string;
  readonly count: number;
  /** Of each row, in pixels. */
  readonly rowHeight: number;
  /** Of each row, in pixels: a narrower list scrolls to the side. */
  readonly minWidth?: number;
  readonly head: ComponentChildren;
  /** The cells of a row. */
  readonly cellsOf: (index: number) => ComponentChildren;
  readonly keyOf: (index: number) => string | number;
  readonly classOf?: (index: number) => string;
  /** The row that arrow keys start from and that is marked; -1 for none. */
  readonly selected: number;
  /** An arrow key chose a row. */
  readonly onSelect: (index: number) => void;
  /** Enter, or a click. */
  readonly onOpen: (index: number) => void;
  /** The space bar. */
  readonly onToggle?: (index: number) => void;
  /** Where a row is now, -1 for one that is gone: what is read stays where it is when rows come before it. */
  readonly indexOfKey: (key: string | number) => number;
  /** Where the list stays as it grows, until somebody scrolls; told when that happens. */
  readonly follow?: 'start' | 'end' | undefined;
  readonly onScrolled?: (isAt: { readonly start: boolean; readonly end: boolean }) => void;
}

const OVERSCAN = 8;
const PAGE_KEYS: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };

/** Rows of one height, of which only those in sight are built: a grid that arrow keys move in. */
export function VirtualGrid(props: VirtualGridProps): JSX.Element {
  const { label, count, rowHeight, minWidth = 0, head, cellsOf, keyOf, classOf, selected, onSelect, onOpen } = props;
  const { onToggle } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { top, height } = useViewport(scroller, props);
  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + OVERSCAN);
  const isSelectedBuilt = selected >= first && selected < last;
  const idOf = (index: number): string => `row-${keyOf(index)}`;
  useEffect(() => {
    if (selected >= 0) reveal(scroller.current, selected * rowHeight, rowHeight);
    // Only another row is shown; one that moves because others came stays where it is.
  }, [selected < 0 || selected >= count ? undefined : keyOf(selected)]);
  const move = (event: KeyboardEvent): void => {
    // What stands in a row has keys of its own.
    const isOfGrid = event.target === event.currentTarget;
    if (event.key === 'Enter' && selected >= 0) onOpen(selected);
    if (event.key === ' ' && isOfGrid && onToggle !== undefined && selected >= 0) {
      event.preventDefault();
      onToggle(selected);
    }
    const next = nextRow(event.key, selected, count, Math.max(1, Math.floor(height / rowHeight) - 1));
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onSelect(next);
  };
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
  return (
    <div
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-activedescendant={isSelectedBuilt ? idOf(selected) : undefined}
      tabIndex={0}
      onKeyDown={move}
      ref={scroller}
    >
      <div role="rowgroup" class="grid-head" style={{ minWidth: `${minWidth}px` }}>
        <div role="row" aria-rowindex={1} class="grid-row">
          {head}
        </div>
      </div>
      <div role="rowgroup" class="grid-body" style={{ height: `${count * rowHeight}px`, minWidth: `${minWidth}px` }}>
        {rows.map((index) => (
          <div
            key={keyOf(index)}
            id={idOf(index)}
            role="row"
            aria-rowindex={index + 2}
            aria-selected={index === selected}
            class={`grid-row ${classOf?.(index) ?? ''}`}
            style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
            onClick={() => {
              onOpen(index);
            }}
          >
            {cellsOf(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

function nextRow(key: string, selected: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined;
  const within = (index: number): number => Math.min(count - 1, Math.max(0, index));
  if (key === 'ArrowDown') return within(selected + 1);
  if (key === 'ArrowUp') return within(selected < 0 ? count - 1 : selected - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const pages = PAGE_KEYS[key];
  return pages === undefined ? undefined : within(selected + pages * page);
}

/** Scrolls no further than it must; the head covers the first row of what is in sight. */
function reveal(scroller: HTMLElement | null, top: number, height: number): void {
  if (scroller === null) return;
  const inSight = scroller.clientHeight - headHeight(scroller);
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + height > scroller.scrollTop + inSight) scroller.scrollTop = top + height - inSight;
}

function headHeight(scroller: HTMLElement): number {
  return scroller.querySelector<HTMLElement>('.grid-head')?.offsetHeight ?? 0;
}

interface Viewport {
  readonly top: number;
  readonly height: number;
}

function useViewport(scroller: { readonly current: HTMLDivElement | null }, props: VirtualGridProps): Viewport {
  const { rowHeight, count, keyOf, indexOfKey, follow } = props;
  const [viewport, setViewport] = useState<Viewport>({ top: 0, height: 600 });
  const latest = useRef(props);
  latest.current = props;
  /** The first row in sight, as it was when somebody looked last. */
  const anchor = useRef<{ readonly key: string | number; readonly index: number } | undefined>(undefined);
  const look = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, clientHeight } = element;
    setViewport((before) =>
      before.top === scrollTop && before.height === clientHeight ? before : { top: scrollTop, height: clientHeight },
    );
    const index = Math.floor(scrollTop / rowHeight);
    const now = latest.current;
    anchor.current = index < now.count ? { key: now.keyOf(index), index } : undefined;
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = (): void => {
      look();
      const { scrollTop, clientHeight, scrollHeight } = element;
      latest.current.onScrolled?.({ start: scrollTop <= 1, end: scrollTop + clientHeight >= scrollHeight - 1 });
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  const firstKey = count === 0 ? undefined : keyOf(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    if (follow === 'start') element.scrollTop = 0;
    else if (follow === 'end') element.scrollTop = element.scrollHeight;
    else if (anchor.current !== undefined) {
      const { key, index } = anchor.current;
      const now = indexOfKey(key);
      if (now !== -1 && now !== index) element.scrollTop += (now - index) * rowHeight;
    }
    look();
  }, [firstKey, count, follow]);
  return viewport;
}

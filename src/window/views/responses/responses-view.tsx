import { type JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ForcedResponse, OperationList, OperationSummary } from '../../../server/actions/shapes';
import { address, chosenSandbox, goTo, hrefOf, setQuery } from '../../base/address';
import { overview } from '../../base/store';
import { useAdmin } from '../../base/use-admin';
import type { View } from '../../base/view';
import { ErrorMessage } from '../../parts/form';
import { VirtualGrid } from '../../parts/virtual-list';
import { ResponseDialog } from './response-dialog';

export const responsesView: View = { name: 'responses', title: 'Responses', sandboxes: 'main', Page: ResponsesPage };

const ROW_HEIGHT = 30;
const LEAST_WIDTH = 520;

/** Every operation, and what it answers: naturally, or what was chosen here. An address names one: `#/responses/getBook`. */
function ResponsesPage(): JSX.Element {
  const { latest, error } = useAdmin<OperationList>('operations', {}, ['description']);
  const { query } = address.value;
  const text = (query.get('text') ?? '').toLowerCase();
  const onlyForced = query.get('show') === 'forced';
  const sandbox = chosenSandbox() ?? 'default';
  const forced = forcedHere(overview.value?.forced ?? [], sandbox);
  const operations = latest?.operations ?? [];
  const rows = useMemo(
    () => operations.filter((operation) => (!onlyForced || forced.has(operation.id)) && hasText(operation, text)),
    [operations, text, onlyForced, overview.value],
  );
  const [selected, setSelected] = useState<string | number | undefined>(undefined);
  const opened = operations.find(({ id }) => id === address.value.rest);
  const open = (operation: OperationSummary | undefined): void => {
    goTo(hrefOf('responses', operation?.id, Object.fromEntries(query)));
  };
  const indexOfKey = (key: string | number | undefined): number => rows.findIndex(({ id }) => id === key);
  return (
    <div class="column">
      <div class="bar">
        <h1 class="off-screen">Responses</h1>
        <form
          class="filters"
          role="search"
          aria-label="Filter of the operations"
          onSubmit={(event) => {
            event.preventDefault();
          }}
        >
          <input
            type="search"
            aria-label="Text in the operation"
            placeholder="Filter"
            value={query.get('text') ?? ''}
            onInput={({ currentTarget }) => {
              setQuery({ text: currentTarget.value });
            }}
          />
          <button
            type="button"
            class="small toggle"
            aria-pressed={onlyForced}
            onClick={() => {
              setQuery({ show: onlyForced ? undefined : 'forced' });
            }}
          >
            Chosen only
          </button>
        </form>
      </div>
      <ErrorMessage error={error} />
      {latest !== undefined && rows.length === 0 && (
        <Nothing isEmpty={operations.length === 0} onlyForced={onlyForced} />
      )}
      {rows.length > 0 && (
        <VirtualGrid
          label="Operations and what they answer"
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          minWidth={LEAST_WIDTH}
          head={<Head />}
          keyOf={(index) => rows[index]?.id ?? index}
          indexOfKey={indexOfKey}
          cellsOf={(index) => <Cells operation={rows[index]} forced={forced.get(rows[index]?.id ?? '')} />}
          selected={indexOfKey(selected)}
          onSelect={(index) => {
            setSelected(rows[index]?.id);
          }}
          onOpen={(index) => {
            setSelected(rows[index]?.id);
            open(rows[index]);
          }}
        />
      )}
      {opened !== undefined && (
        <ResponseDialog
          operation={opened}
          forced={forced.get(opened.id)}
          sandbox={chosenSandbox()}
          onClose={() => {
            open(undefined);
          }}
        />
      )}
    </div>
  );
}

/** Why no operation is shown. */
function Nothing({ isEmpty, onlyForced }: { isEmpty: boolean; onlyForced: boolean }): JSX.Element {
  const found = onlyForced
    ? 'Every operation answers naturally. Choose one to say what it answers next.'
    : 'No operation is like that.';
  return (
    <div class="empty">
      <p>{isEmpty ? 'The description has no operations. Add a path to it, and it shows here.' : found}</p>
    </div>
  );
}

function hasText({ id, method, path, summary }: OperationSummary, text: string): boolean {
  return [id, method, path, summary].join(' ').toLowerCase().includes(text);
}

/** What touches the requests of one sandbox: its own, else that of all. */
function forcedHere(all: readonly ForcedResponse[], sandbox: string): ReadonlyMap<string, ForcedResponse> {
  const ofAll = all.filter((each) => each.sandbox === '*');
  const own = all.filter((each) => each.sandbox === sandbox);
  return new Map([...ofAll, ...own].map((each) => [each.operation, each]));
}

function Head(): JSX.Element {
  return (
    <>
      <span role="columnheader" class="cell-request">
        Operation
      </span>
      <span role="columnheader" class="cell-answer">
        Answers
      </span>
    </>
  );
}

interface CellsProps {
  readonly operation: OperationSummary | undefined;
  readonly forced: ForcedResponse | undefined;
}

function Cells({ operation, forced }: CellsProps): JSX.Element | null {
  if (operation === undefined) return null;
  const { method, path, id, summary } = operation;
  return (
    <>
      <span role="rowheader" class="cell-request" title={`${id}: ${summary}`}>
        <span class="method">{method}</span> {path}
      </span>
      <span role="gridcell" class="cell-answer">
        {forced === undefined ? (
          <span class="quiet">natural</span>
        ) : (
          <>
            <span class={`mark ${forced.isViolation ? 'mark-broken' : 'mark-bad'}`}>{forced.text}</span>
            {forced.sandbox === '*' && <span class="mark">in all sandboxes</span>}
          </>
        )}
      </span>
    </>
  );
}

import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../core/json/json-value';
import { hrefOf } from '../../base/address';
import { useAdmin } from '../../base/use-admin';
import { DiffView } from '../../parts/diff';
import { ErrorMessage } from '../../parts/form';
import { counted } from '../../parts/text';

/** Of `GET /diff`: by the name of a collection what became of its items since the baseline. */
interface StateDiff {
  readonly collections: Readonly<Record<string, CollectionDiff>>;
}

interface CollectionDiff {
  readonly added: readonly JsonObject[];
  readonly removed: readonly JsonObject[];
  readonly changed: readonly { readonly before: JsonObject; readonly after: JsonObject }[];
}

interface Change {
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
}

const ROWS_AT_ONCE = 50;

/** What a sandbox has that the baseline has not, and the other way round. */
export function SandboxDiff({ id }: { id: string }): JSX.Element {
  const { latest, error, isLoading } = useAdmin<StateDiff>('diff', { sandbox: id }, ['state', 'sandboxes']);
  const collections = Object.entries(latest?.collections ?? {});
  return (
    <section class="section view-part" aria-live="polite">
      <h2>Changes of {id === 'default' ? 'main' : id} since the baseline</h2>
      <ErrorMessage error={error} />
      {isLoading && latest === undefined && <p class="quiet">Looking…</p>}
      {latest !== undefined && collections.length === 0 && <p class="quiet">None: it is as it was at the start.</p>}
      {collections.map(([name, diff]) => (
        <CollectionChanges key={name} name={name} sandbox={id} diff={diff} />
      ))}
    </section>
  );
}

interface CollectionChangesProps {
  readonly name: string;
  readonly sandbox: string;
  readonly diff: CollectionDiff;
}

function CollectionChanges({ name, sandbox, diff }: CollectionChangesProps): JSX.Element {
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const rows: Change[] = [
    ...diff.added.map((after) => ({ before: null, after })),
    ...diff.changed,
    ...diff.removed.map((before) => ({ before, after: null })),
  ];
  const { added, changed, removed } = diff;
  return (
    <div class="section">
      <h3>
        <a href={hrefOf('state', name.replace(/^\//, ''), { sandbox })}>{name}</a>{' '}
        <span class="quiet light">
          {added.length} added, {changed.length} changed, {removed.length} removed
        </span>
      </h3>
      {rows.slice(0, most).map(({ before, after }, index) => (
        <DiffView key={index} before={before} after={after} />
      ))}
      {rows.length > most && (
        <button
          type="button"
          class="link"
          onClick={() => {
            setMost(most + ROWS_AT_ONCE);
          }}
        >
          show more of {counted(rows.length, 'row')}
        </button>
      )}
    </div>
  );
}

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { AdminError } from '../../server/actions/shapes';
import type { Query } from './address';
import { callAdmin, errorDetails } from './client';
import { changes, restarts } from './store';

export interface Loaded<Value> {
  /** What the action gave; `undefined` until it has, and when it failed. */
  readonly value: Value | undefined;
  /** The same, or what was shown before of another query: for tables that must not jump while the next page comes. */
  readonly latest: Value | undefined;
  readonly error: AdminError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Answer<Value> {
  readonly key: string;
  readonly value: Value | undefined;
  readonly error: AdminError | undefined;
}

/**
 * What a GET action gives, loaded anew when its query changes and when the mock tells that something of it changed.
 *
 * @param path - `undefined` loads nothing
 * @param watched - after which changes it is loaded anew
 */
export function useAdmin<Value>(
  path: string | undefined,
  query: Query = {},
  watched: readonly (keyof typeof changes)[] = [],
): Loaded<Value> {
  const key = JSON.stringify([path, query, restarts.value]);
  const stamp = watched.map((kind) => changes[kind].value).join();
  const [answer, setAnswer] = useState<Answer<Value> | undefined>(undefined);
  const [tries, setTries] = useState(0);
  // Answers may overtake each other; an older one is never shown after a newer one.
  const calls = useRef({ sent: 0, shown: 0 });
  useEffect(() => {
    if (path === undefined) return;
    const number = ++calls.current.sent;
    const show = (value: Value | undefined, error: AdminError | undefined): void => {
      if (number <= calls.current.shown) return;
      calls.current.shown = number;
      setAnswer({ key, value, error });
    };
    callAdmin<Value>(path, { query }).then(
      (value) => {
        show(value, undefined);
      },
      (cause: unknown) => {
        show(undefined, errorDetails(cause));
      },
    );
    // `key` stands for the path and the query, which are other objects each time.
  }, [key, stamp, tries]);
  const isCurrent = answer?.key === key;
  return {
    value: isCurrent ? answer.value : undefined,
    latest: answer?.value,
    error: isCurrent ? answer.error : undefined,
    isLoading: path !== undefined && !isCurrent,
    reload: useCallback(() => {
      setTries((count) => count + 1);
    }, []),
  };
}

export interface Action {
  /** Runs something, one at a time; what it throws becomes the error. @returns whether it succeeded */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly error: AdminError | undefined;
  readonly clearError: () => void;
}

/** For buttons and forms: what a person started, whether it still runs, and why it failed. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<AdminError | undefined>(undefined);
  const running = useRef(false);
  const run = useCallback(async (act: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await act();
      return true;
    } catch (cause) {
      setError(errorDetails(cause));
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  const clearError = useCallback(() => {
    setError(undefined);
  }, []);
  return { run, isBusy, error, clearError };
}

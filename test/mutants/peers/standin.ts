import { runContract } from '../../../src/library/run-contract';
import type { ASKED } from '../kill-rate/asked';
import { prepare } from '../kill-rate/asked';
import { type Peer, stable } from './peer';
import { failureLines } from '../../support/failure-lines';

/** What of this package is compared, in the words of `--contracts` of the kill rates. */
type Manner = Extract<(typeof ASKED)[number], 'generated' | 'bundled' | 'everything'>;

const TITLES: Readonly<Record<Manner, { readonly title: string; readonly settings: string }>> = {
  generated: { title: 'standin, without a contract', settings: 'none: `standin verify --base-url URL --spec FILE`' },
  bundled: { title: 'standin, bundled contracts', settings: 'the contracts that Respect gets as well' },
  everything: { title: 'standin, everything', settings: 'contracts, generated interactions, lock-step' },
};

export const STANDIN: readonly Peer[] = (Object.keys(TITLES) as Manner[]).map((manner) => ({
  id: `standin-${manner}`,
  ...TITLES[manner],
  async run({ url }) {
    const { options, remove } = await prepare(manner);
    try {
      const result = await runContract({ baseUrl: url, ...options, seed: 1, concurrency: 4 });
      const found = failureLines(result, ({ name }, { check, message }) => `${name}: ${check} ${message}`);
      return [...new Set(found.map(stable))];
    } finally {
      remove();
    }
  },
}));

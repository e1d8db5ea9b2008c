import { carelessPatterns } from '../careless-patterns';
import type { Lint } from './lint';

/** Every pattern can be judged in bounded time. */
export const patternBounded: Lint = {
  id: 'pattern-bounded',
  source: 'OAS 3.2.0 §5 Security Considerations',
  run: ({ document, objects }) => carelessPatterns(document, objects),
};

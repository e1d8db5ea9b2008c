import type { Variant } from '../defect';
import { ENVIRONMENT_VARIANTS } from './environment';
import { REPRESENTATION_VARIANTS } from './representation';

/** Everything that a conforming server may do differently, by kind. */
export const VARIANTS: readonly Variant[] = [...REPRESENTATION_VARIANTS, ...ENVIRONMENT_VARIANTS];

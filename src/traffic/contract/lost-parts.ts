import { getOrCreate } from '../../core/text/memoize';
import { counted } from '../../core/text/printable';

/** Something of a recorded request that its step does not have as it was sent. */
export interface LostPart {
  /** Why, in words. */
  readonly reason: string;
  /** What the step is sent without, by its name; left out: it has method and path. */
  readonly without?: { readonly kind: 'header' | 'cookie' | 'parameter'; readonly name: string } | undefined;
}

interface Loss {
  readonly reason: string;
  readonly steps: Set<string>;
  /** Names by their kinds. */
  readonly parts: Map<string, Set<string>>;
}

/** So many of what browsers send along are named. */
const NAMED = 5;

/** What steps have lost, the same for the same reason. */
export class LostParts {
  private readonly losses = new Map<string, Loss>();

  add(step: string, parts: readonly LostPart[]): void {
    for (const { reason, without } of parts) {
      const id = `${reason} ${without === undefined ? '' : 'without'}`;
      const loss: Loss = this.losses.get(id) ?? { reason, steps: new Set(), parts: new Map() };
      this.losses.set(id, loss);
      loss.steps.add(step);
      if (without !== undefined) getOrCreate(loss.parts, without.kind, () => new Set<string>()).add(without.name);
    }
  }

  /** In sentences. */
  told(): string[] {
    return [...this.losses.values()].map(({ reason, steps, parts }) => {
      const [first = '', ...others] = steps;
      const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more step')}`;
      const isOne = others.length === 0;
      const what =
        parts.size === 0
          ? `${isOne ? 'has' : 'have'} method and path`
          : `${isOne ? 'is' : 'are'} sent without ${[...parts].map(namesOf).join(' and ')}`;
      return `${reason}, so that "${first}"${more} ${what}`;
    });
  }
}

/** The same of one step, where it says who asks: for the comment before it. */
export function describeLoss(parts: readonly LostPart[]): string[] {
  return parts.flatMap(({ reason, without }) => {
    return without === undefined ? [] : [`Sent without the ${without.kind} ${without.name}: ${reason}.`];
  });
}

function namesOf([kind, names]: readonly [string, ReadonlySet<string>]): string {
  const more = names.size - NAMED;
  const shown = [...names].slice(0, NAMED).join(', ');
  return `the ${kind}${names.size > 1 ? 's' : ''} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

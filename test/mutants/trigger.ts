/** When a defect shows, of all the times it could. */
export const TRIGGERS = [
  'always',
  'first-call-only',
  'every-nth',
  'only-after-removal',
  'only-second-resource',
  'one-in-ten',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

export type Decide = (subject: string) => boolean;

/**
 * @param hasRemoved - was something removed already?
 */
export function createTrigger(trigger: Trigger, nth: number, hasRemoved: () => boolean = () => false): Decide {
  const chance = generatorOf(SEED);
  let times = 0;
  const subjects: string[] = [];
  return (subject) => {
    times += 1;
    if (!subjects.includes(subject)) subjects.push(subject);
    switch (trigger) {
      case 'always':
        return true;
      case 'first-call-only':
        return times === 1;
      case 'every-nth':
        return times % nth === 0;
      case 'only-after-removal':
        return hasRemoved();
      case 'one-in-ten':
        return chance() < 0.1;
      case 'only-second-resource':
        return subjects.indexOf(subject) === 1;
    }
  };
}

/** The same in each run, so that what is missed can be looked at. */
const SEED = 20;

/** Numbers from 0 to 1 that look random (the generator of Park and Miller). */
function generatorOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

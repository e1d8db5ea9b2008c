/** Query parameters that steer the mock, as those of Prism do, and are none of the service. */
export const STEERING_PARAMETERS: ReadonlySet<string> = new Set(['__code', '__example', '__dynamic', '__seed']);

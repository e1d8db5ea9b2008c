import type { CheckDefinition } from '../core/errors/finding';

/** What recorded traffic is judged by beside the checks of responses: both of its sides were written by others. */
interface TrafficCheck extends CheckDefinition {
  readonly source: string;
}

/** A path, a method, a query parameter or a property that the description does not have. */
export const REQUEST_UNDOCUMENTED: TrafficCheck = {
  id: 'request-undocumented',
  area: 'schema',
  source: 'OAS 3.0.3 §4.7.8, §4.7.12, §4.7.13, §4.7.24',
};

/** A parameter that the description requires and nobody sent, or with a value that it does not allow. */
export const REQUEST_PARAMETER: TrafficCheck = {
  id: 'request-parameter',
  area: 'schema',
  source: 'OAS 3.0.3 §4.7.12 Parameter Object',
};

/** A body that is not as the description has it, or in a media type that it does not have. */
export const REQUEST_BODY: TrafficCheck = {
  id: 'request-body',
  area: 'schema',
  source: 'OAS 3.0.3 §4.7.13 Request Body Object, §4.7.14 Media Type Object',
};

/** Something in front of the service answered with a page: one cause, whichever operation met it. */
export const HTML_PAGE: TrafficCheck = {
  id: 'html-page',
  area: 'http',
  source: 'OAS 3.0.3 §4.7.17 Response Object',
  scope: 'run',
  priority: 1,
  expectsVarying: true,
};

/** What was not kept cannot be judged. */
export const NOT_RECORDED: TrafficCheck = { id: 'not-recorded', area: 'schema', source: 'the recording' };

/** In the order that findings are read. */
export const TRAFFIC_CHECKS: readonly TrafficCheck[] = [
  REQUEST_UNDOCUMENTED,
  REQUEST_PARAMETER,
  REQUEST_BODY,
  HTML_PAGE,
  NOT_RECORDED,
];

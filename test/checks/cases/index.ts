import type { CheckCases } from '../answer';
import { BODY_CASES } from './body-cases';
import { ERROR_CASES } from './error-cases';
import { HEADER_CASES } from './header-cases';
import { STATUS_CASES } from './status-cases';

/** Cases of the checks that judge what HTTP and the description say, whatever a contract expects. */
export const PROTOCOL_CASES: Readonly<Record<string, CheckCases>> = {
  ...STATUS_CASES,
  ...BODY_CASES,
  ...ERROR_CASES,
  ...HEADER_CASES,
};

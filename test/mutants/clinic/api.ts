import { join } from 'node:path';
import type { Api } from '../api';
import { ANSWER_DEFECTS } from './catalogue/answers';
import { LIST_DEFECTS } from './catalogue/lists';
import { RULE_DEFECTS } from './catalogue/rules';
import { WRITE_DEFECTS } from './catalogue/writes';
import type { ClinicClient } from './client';
import { CLINIC } from './dialect';
import { CLINIC_VARIANTS } from './variants';

/** The desk of a laboratory: written to be measured with, by somebody who had not looked at what is found. */
export const CLINIC_API: Api<ClinicClient> = {
  dialect: CLINIC,
  targets: { clinic: 'Server' },
  runOptions: (url) => ({ baseUrl: `${url}/api/v1`, description: join(__dirname, 'clinic.yaml') }),
  defects: [...ANSWER_DEFECTS, ...LIST_DEFECTS, ...WRITE_DEFECTS, ...RULE_DEFECTS],
  variants: CLINIC_VARIANTS,
  dropped: {},
  classes: {
    ST: 'status codes',
    SC: 'schema',
    ER: 'errors',
    AU: 'keys and laboratories',
    HD: 'headers and methods',
    LI: 'lists, filters, paging',
    IN: 'input validation',
    WR: 'writes',
    DE: 'deletion',
    BR: 'rules of the business',
    CO: 'conditional requests',
    ID: 'repetition',
  },
};

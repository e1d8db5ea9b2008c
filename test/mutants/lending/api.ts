import { join } from 'node:path';
import type { Api } from '../api';
import { ACCESS_DEFECTS } from './catalogue/access';
import { ANSWER_DEFECTS } from './catalogue/answers';
import { INPUT_DEFECTS, LIST_DEFECTS } from './catalogue/lists';
import { REPETITION_DEFECTS, RULE_DEFECTS } from './catalogue/rules';
import { REMOVAL_DEFECTS, WRITE_DEFECTS } from './catalogue/writes';
import type { LendingClient } from './client';
import { LENDING } from './dialect';
import { LENDING_VARIANTS } from './variants';

/** Workshops that lend tools: an API in another style than the Petstore, with nothing in common but that it is an API. */
export const LENDING_API: Api<LendingClient> = {
  dialect: LENDING,
  targets: { lending: 'Server' },
  runOptions: (url) => ({
    baseUrl: `${url}/v2`,
    description: join(__dirname, 'lending.yaml'),
    // Workspaces are made by nobody: a run is told which one it may work in.
    within: { workspace: 'harbour' },
  }),
  defects: [
    ...ANSWER_DEFECTS,
    ...ACCESS_DEFECTS,
    ...LIST_DEFECTS,
    ...INPUT_DEFECTS,
    ...WRITE_DEFECTS,
    ...REMOVAL_DEFECTS,
    ...RULE_DEFECTS,
    ...REPETITION_DEFECTS,
  ],
  variants: LENDING_VARIANTS,
  dropped: {},
  classes: {
    ST: 'status codes',
    SC: 'schema',
    ER: 'problem details',
    AU: 'keys and workspaces',
    HD: 'headers and methods',
    LI: 'lists, filters, paging',
    IN: 'input validation',
    WR: 'writes',
    DE: 'deletion',
    BR: 'rules between resources',
    CO: 'conditional requests',
    ID: 'repetition',
  },
};

import type { Api } from './api';
import { DEFECTS } from './catalogue/index';
import { CLINIC_API } from './clinic/api';
import type { Client } from './client';
import { DROPPED } from './dropped';
import { LENDING_API } from './lending/api';
import { PETSTORE } from './petstore';
import { VARIANTS } from './variants/index';

export const PETSTORE_API: Api<Client> = {
  dialect: PETSTORE,
  targets: { mock: 'Mock', second: 'Second server' },
  runOptions: (baseUrl) => ({ baseUrl }),
  defects: DEFECTS,
  variants: VARIANTS,
  dropped: DROPPED,
  classes: {
    ST: 'status codes',
    SH: 'response shape',
    TY: 'types, formats, enums',
    ER: 'Error contract',
    AU: 'authentication',
    HD: 'headers and content types',
    IV: 'input validation',
    CR: 'create',
    UP: 'update',
    DE: 'delete',
    LI: 'lists, filters, paging',
    BR: 'rules between resources',
    ID: 'identity',
    NC: 'concurrency and time',
    EN: 'deployment',
  },
};

export type AnyApi = Api<never>;

/** The APIs whose defects are tried, by the words of `--api`. */
export const APIS = { petstore: PETSTORE_API, lending: LENDING_API, clinic: CLINIC_API } as const satisfies Readonly<
  Record<string, AnyApi>
>;
export type ApiName = keyof typeof APIS;

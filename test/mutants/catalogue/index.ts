import type { Defect } from '../defect';
import { BUSINESS_DEFECTS } from './business';
import { CREATE_DEFECTS } from './create';
import { CREDENTIAL_DEFECTS } from './credentials';
import { DEPLOYMENT_DEFECTS } from './deployment';
import { ERROR_DEFECTS } from './errors';
import { HEADER_DEFECTS } from './headers';
import { IDENTITY_DEFECTS } from './identity';
import { INPUT_DEFECTS } from './input';
import { LIST_DEFECTS } from './lists';
import { REMOVE_DEFECTS } from './remove';
import { SHAPE_DEFECTS } from './shapes';
import { STATUS_DEFECTS } from './status';
import { TYPE_DEFECTS } from './types';
import { UPDATE_DEFECTS } from './update';

/** Every defect, by class. */
export const DEFECTS: readonly Defect[] = [
  ...STATUS_DEFECTS,
  ...SHAPE_DEFECTS,
  ...TYPE_DEFECTS,
  ...ERROR_DEFECTS,
  ...CREDENTIAL_DEFECTS,
  ...HEADER_DEFECTS,
  ...INPUT_DEFECTS,
  ...CREATE_DEFECTS,
  ...UPDATE_DEFECTS,
  ...REMOVE_DEFECTS,
  ...LIST_DEFECTS,
  ...BUSINESS_DEFECTS,
  ...IDENTITY_DEFECTS,
  ...DEPLOYMENT_DEFECTS,
];

import { exampleValid } from './example-valid';
import { linkOperationExists } from './link-operation-exists';
import type { Lint } from './lint';
import { operationIdUnique } from './operation-id-unique';
import { parameterUnique } from './parameter-unique';
import { pathParameterDefined } from './path-parameter-defined';
import { refResolves } from './ref-resolves';
import { schemaCompiles } from './schema-compiles';
import { securitySchemeDefined } from './security-scheme-defined';
import { sunsetAfterDeprecation } from './sunset-after-deprecation';
import { templateConflict } from './template-conflict';

/** Every rule, in the order their findings are shown. */
export const LINTS: readonly Lint[] = [
  refResolves,
  templateConflict,
  pathParameterDefined,
  parameterUnique,
  operationIdUnique,
  securitySchemeDefined,
  linkOperationExists,
  sunsetAfterDeprecation,
  schemaCompiles,
  exampleValid,
];

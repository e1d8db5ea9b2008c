import { allOfClosed } from './all-of-closed';
import { exampleValid } from './example-valid';
import { formatKnown } from './format-known';
import { linkOperationExists } from './link-operation-exists';
import type { Lint } from './lint';
import { operationIdUnique } from './operation-id-unique';
import { parameterStyle } from './parameter-style';
import { parameterUnique } from './parameter-unique';
import { pathParameterDefined } from './path-parameter-defined';
import { patternBounded } from './pattern-bounded';
import { refResolves } from './ref-resolves';
import { requiredDeclared } from './required-declared';
import { schemaBounded } from './schema-bounded';
import { schemaCompiles } from './schema-compiles';
import { schemaKeyword } from './schema-keyword';
import { securitySchemeDefined } from './security-scheme-defined';
import { securitySchemeName } from './security-scheme-name';
import { sunsetAfterDeprecation } from './sunset-after-deprecation';
import { templateConflict } from './template-conflict';
import { templateSuffix } from './template-suffix';

/** Every rule, in the order their findings are shown. */
export const LINTS: readonly Lint[] = [
  refResolves,
  templateConflict,
  templateSuffix,
  pathParameterDefined,
  parameterUnique,
  parameterStyle,
  operationIdUnique,
  securitySchemeDefined,
  securitySchemeName,
  linkOperationExists,
  sunsetAfterDeprecation,
  schemaKeyword,
  formatKnown,
  schemaBounded,
  allOfClosed,
  requiredDeclared,
  // What has examples is compiled to check them, and need not be tried once more.
  exampleValid,
  schemaCompiles,
  patternBounded,
];

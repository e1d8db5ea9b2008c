import { isHttpUrl } from '../../core/http/request-target';
import { isBundled, relativePath } from '../../files/file-access';
import { GIVEN_DOCUMENT } from '../../files/load-api';
import type { Mock } from '../../mock/create-mock';
import type { ApiModel } from '../../openapi/model/api-model';

/** The description with the base paths at which a mock has it. */
export function servedApi({ context: { api, mounts, basePath } }: Mock): ApiModel {
  return { ...api, mounts, basePath };
}

/** How `verify --spec` finds a description; `undefined` for the one that it takes by itself. */
export function descriptionName({ document: { file } }: ApiModel): string | undefined {
  if (isBundled(file)) return undefined;
  // A document that a program gave has no file.
  if (file === GIVEN_DOCUMENT) return 'openapi.yaml';
  return isHttpUrl(file) ? file : relativePath(file);
}

import type { TellProgress } from '../core/text/progress';
import type { ApiModel } from '../openapi/model/api-model';
import { SchemaView } from '../openapi/view/schema-view';
import type { Inference } from './drafts/draft';
import { DraftModel } from './drafts/draft-model';
import type { ResourceModel } from './model/binding';
import { gatherStatements, NO_OVERRIDES, type Overrides } from './overrides/statements';
import { assembleModel } from './passes/model-assembly';
import { indexPaths } from './paths/operation-readings';
import { INFERENCE_PASSES } from './registry';

const MODELS = new WeakMap<ApiModel, WeakMap<Overrides, ResourceModel>>();

/**
 * Finds what a description keeps, and what each of its operations does with it. Reads words only: no schema is
 * compiled. The same description gives the same model, which is worked out once.
 *
 * @param overrides - what is said outright beside the description; it comes before hints in it, and those before guesses
 */
export function inferResourceModel(
  api: ApiModel,
  overrides: Overrides = NO_OVERRIDES,
  onProgress?: TellProgress,
): ResourceModel {
  let models = MODELS.get(api);
  if (models === undefined) MODELS.set(api, (models = new WeakMap()));
  let model = models.get(overrides);
  if (model === undefined) models.set(overrides, (model = infer(api, overrides, onProgress)));
  return model;
}

function infer(api: ApiModel, overrides: Overrides, onProgress?: TellProgress): ResourceModel {
  const tell = (): void => onProgress?.({ phase: 'inferring', what: 'resources', done: 0, total: 0 });
  tell();
  const view = new SchemaView(api);
  const index = indexPaths(api, view);
  const inference: Inference = { api, view, index, statements: gatherStatements(api, index, overrides) };
  const model = new DraftModel(inference);
  for (const pass of INFERENCE_PASSES) {
    pass.run(inference, model);
    model.update();
    tell();
  }
  return assembleModel(inference, model);
}

import type { Operation } from '../../openapi/model/operation';
import type { FindDraft, Inference, ResourceDraft } from './draft';

/** The resource model while the passes of the inference put it together. */
export class DraftModel {
  /** Collections, by the shape of their path. */
  readonly drafts = new Map<string, ResourceDraft>();
  /** Single records and memberships, which nothing is bound to by a path below them. */
  readonly records: ResourceDraft[] = [];
  /** By the shape of each collection that was merged into another: that other one. */
  readonly merged = new Map<string, ResourceDraft>();
  /** Why operations are bound to nothing. */
  readonly reasons = new Map<Operation, string>();
  private readonly inference: Inference;
  private bound: ReadonlySet<Operation> = new Set();

  constructor(inference: Inference) {
    this.inference = inference;
  }

  get all(): ResourceDraft[] {
    return [...this.drafts.values(), ...this.records];
  }

  /** The collection at a path, or the one that it was merged into. */
  readonly draftAt: FindDraft = (shape) => {
    const root = this.merged.get(shape);
    const isThere = root !== undefined && this.drafts.get(root.template.shape) === root;
    return this.drafts.get(shape) ?? (isThere ? root : undefined);
  };

  /** Was an operation left unbound by the passes before this one, and is it not declared stateless? */
  readonly isFree = (operation: Operation): boolean =>
    !this.bound.has(operation) && this.inference.statements.operation(operation)?.isStateless !== true;

  /** Called after each pass: what one pass binds is free for no later one. */
  update(): void {
    this.bound = new Set(this.all.flatMap(({ uses }) => uses.map(({ operation }) => operation)));
  }
}

/** One step of the inference. */
export interface InferencePass {
  readonly id: string;
  /** Why it stands where it does in the order of the passes. */
  readonly reason: string;
  run(inference: Inference, model: DraftModel): void;
}

import { problem, type Problem } from '../../core/http/problem';
import { withIssued } from '../../security/issued-credentials';
import type { MockContext } from '../context/context';
import type { Sandbox } from '../sandbox/sandbox';
import { MAIN_ID, selectSandbox } from '../sandbox/sandbox-selection';
import type { Sandboxes } from '../sandbox/sandboxes';
import type { RequestContext, SandboxContext } from './request-context';

/** The contexts of all sandboxes, each created once. */
export class SandboxContexts {
  readonly main: SandboxContext;
  private readonly context: MockContext;
  private readonly sandboxes: Sandboxes;
  private readonly known = new WeakMap<Sandbox, SandboxContext>();

  constructor(context: MockContext, sandboxes: Sandboxes) {
    this.context = context;
    this.sandboxes = sandboxes;
    this.main = this.of(sandboxes.main);
  }

  /** The first stage: puts a request into the sandbox that it names. @returns why it cannot be used */
  select(request: RequestContext): Problem | undefined {
    const selection = selectSandbox(this.context.options.sandboxes, request.head);
    if (selection === undefined) return undefined;
    const found = selection.kind === 'named' ? this.find(selection.id) : selection.problem;
    if ('code' in found) return found;
    if (selection.kind === 'named') request.head = selection.head;
    request.enter(found);
    return undefined;
  }

  /** While a request waited, its sandbox may have been created, or evicted. @returns why it cannot be used any more */
  reselect(request: RequestContext): Problem | undefined {
    const { id } = request.sandbox;
    const found = id === undefined ? undefined : this.find(id);
    if (found === undefined) return undefined;
    if (!('code' in found)) {
      request.enter(found);
      return undefined;
    }
    // The main sandbox responds, which knows nothing of the operation.
    request.enter(this.main);
    request.operation = request.plan = request.faults = request.warnings = undefined;
    return found;
  }

  private find(id: string): SandboxContext | Problem {
    const sandbox = id === MAIN_ID ? this.sandboxes.main : this.sandboxes.enter(id);
    return sandbox === undefined ? sandboxGoneProblem(id) : this.of(sandbox);
  }

  private of(sandbox: Sandbox): SandboxContext {
    const { context, sandboxes, known } = this;
    let found = known.get(sandbox);
    if (found === undefined) {
      const own = {
        clock: sandbox.clock,
        limiter: sandboxes.limiterOf(sandbox),
        credentials: withIssued(context.credentials, sandbox.issued),
      };
      found = { sandbox, context: { ...context, ...own }, sandboxes };
      if (sandboxes.isMaterialised(sandbox)) known.set(sandbox, found);
    }
    return found;
  }
}

/** A silent start from the baseline would look like lost data. */
export function sandboxGoneProblem(id: string): Problem {
  const message = `The sandbox ${id} had to make room for others, or nobody used it for too long; what was in it is gone. Reset or delete it to begin anew, or raise --max-sandboxes`;
  return problem('sandbox_gone', message);
}

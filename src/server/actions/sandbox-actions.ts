import { problem } from '../../core/http/problem';
import { type Action, action, NO_CONTENT, ok } from './action';

/** The sandboxes beside the main state. */
export const SANDBOX_ACTIONS: readonly Action[] = [
  action({
    name: 'sandboxes',
    method: 'GET',
    path: '/sandboxes',
    about: 'the sandboxes in which something was written',
    input: {},
    library: 'sandboxes',
    run: ({ target }) => ok(target.sandboxes()),
  }),
  action({
    name: 'createSandbox',
    method: 'POST',
    path: '/sandboxes',
    about: 'creates one: {"id":"b","from":"a"}',
    input: {
      id: { in: 'body', type: 'string', about: 'its name', required: true },
      from: { in: 'body', type: 'string', about: 'the sandbox whose state it begins with; "default" for the main one' },
      snapshot: { in: 'body', type: 'string', about: 'the snapshot that it begins with' },
    },
    library: 'fork',
    changes: 'sandboxes',
    run: ({ target, input: { id, from, snapshot } }) =>
      target.createSandbox(id, from, snapshot) ?? { status: 201, value: { id } },
  }),
  action({
    name: 'removeSandboxes',
    method: 'DELETE',
    path: '/sandboxes',
    about: 'deletes ?sandbox=b, or all of them',
    input: {},
    library: 'remove',
    changes: 'sandboxes',
    mayBeGone: true,
    run({ target, sandbox }) {
      if (sandbox === undefined) target.removeSandboxes();
      else if (!target.removeSandbox(sandbox))
        return problem('resource_not_found', `There is no sandbox "${sandbox}" in which something was written`);
      return NO_CONTENT;
    },
  }),
];

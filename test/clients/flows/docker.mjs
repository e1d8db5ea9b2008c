// The Docker CLI (DOCKER=path to it, else the one on PATH), API 1.33. Real software in front of the mock, so only exit codes,
// and what was sent or is shown again, are judged. The container has a terminal: its log is then plain text, which any string is.
import { after, both, call, end, port, prints, program } from '../flow.mjs';
const env = { DOCKER_HOST: `tcp://127.0.0.1:${port}`, DOCKER_API_VERSION: '1.33', DOCKER_CONFIG: '/nonexistent' };
const docker =
  (...args) =>
  () =>
    program(args, { env });
const lacks = (word) => (v) => !v.includes(word) || `${word} is shown`;
const run = (line, pattern, rc, before = []) =>
  call(
    'docker ' + line,
    () => {
      after(...before);
      return docker(...line.split(' '))();
    },
    prints(pattern, rc),
  );

await run('version --format {{.Server.Version}}', /\S/);
await run('info');
await run('volume create --label a=b myvol', /^myvol\s*$/);
await run('volume create other', /^other\s*$/);
await run('volume ls -q', both(/^myvol$/m, /^other$/m));
await run('volume inspect myvol', both(/"Name": "myvol"/, /"a": "b"/));
await run('volume ls -q -f name=myvol', both(/^myvol$/m, lacks('other')));
await run('volume rm myvol', /myvol/);
await run('volume inspect myvol --format gone', /./, 'refused', ['docker volume rm myvol']);
await run('network create --label a=b mynet', /\S/);
await run('network ls --format {{.Name}}', /^mynet$/m);
await run('network inspect mynet', both(/"Name": "mynet"/, /"a": "b"/));
await run('network rm mynet', /mynet/);
await run('network inspect mynet --format gone', /./, 'refused', ['docker network rm mynet']);
await run('image ls');
await run('pull busybox:latest');
await run('create --tty --name c1 --label a=b busybox:latest true', /\S/);
await run('ps -a --format {{.Names}}', /\bc1\b/);
await run('inspect c1 --format {{.Name}},{{.Config.Image}},{{.State.Status}}', /^\/?c1,busybox:latest,created\s*$/);
await run('start c1', /c1/);
await run('inspect c1 --format {{.State.Status}},{{.State.Running}}', /^running,true\s*$/);
await run('ps --format {{.Names}}', /\bc1\b/);
await run('rename c1 c2');
await run('inspect c2 --format {{.Name}},{{.Config.Labels.a}}', /^\/?c2,b\s*$/);
await run('logs c2');
await run('stop c2', /c2/);
await run('inspect c2 --format {{.State.Status}},{{.State.Running}}', /^exited,false\s*$/);
await run('rm c2', /c2/);
await run('inspect c2 --format gone', /./, 'refused', ['docker rm c2']);
await run('ps -a --format {{.Names}} --no-trunc', lacks('c2'), 0, ['docker rm c2']);
await run('inspect nothing-like-this', /./, 'refused');
await run('secret ls');
await run('node ls');
await run('system df');
end();

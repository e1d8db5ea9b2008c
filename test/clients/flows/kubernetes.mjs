// Kubernetes by @kubernetes/client-node. Left out: how many pages a list with a limit has (fewer items per page are lawful).
import { after, both, call, distinct, end, load, origin, refused, size, some, text, times } from '../flow.mjs';
const k = await load('@kubernetes/client-node');
const kc = new k.KubeConfig();
kc.loadFromOptions({
  clusters: [{ name: 'c', server: origin, skipTLSVerify: true }],
  users: [{ name: 'u', token: 'test-key' }],
  contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
  currentContext: 'x',
});
const core = kc.makeApiClient(k.CoreV1Api),
  apps = kc.makeApiClient(k.AppsV1Api),
  batch = kc.makeApiClient(k.BatchV1Api),
  version = kc.makeApiClient(k.VersionApi);
const namespace = 'demo',
  containers = [{ name: 'c', image: 'nginx' }];
const patchAs = (strategy) => k.setHeaderOptions('Content-Type', strategy);

await call('getCode version', () => version.getCode(), { gitVersion: text });
await call(
  'createNamespace',
  () =>
    core.createNamespace({
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { a: 'b' } } },
    }),
  { metadata: { name: namespace, labels: { a: 'b' }, uid: text, creationTimestamp: (v) => v instanceof Date } },
);
await call('readNamespace', () => core.readNamespace({ name: namespace }), {
  metadata: { name: namespace, labels: { a: 'b' } },
});
await call('listNamespace', () => core.listNamespace(), { items: some({ metadata: { name: namespace } }) });
await call(
  'createNamespacedConfigMap',
  () =>
    core.createNamespacedConfigMap({
      namespace,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cm' }, data: { k: 'v' } },
    }),
  { data: { k: 'v' }, metadata: { name: 'cm', namespace } },
);
await call('readNamespacedConfigMap', () => core.readNamespacedConfigMap({ name: 'cm', namespace }), {
  data: { k: 'v' },
});
await call(
  'replaceNamespacedConfigMap',
  () =>
    core.replaceNamespacedConfigMap({
      name: 'cm',
      namespace,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cm' }, data: { k: 'v2' } },
    }),
  { data: { k: 'v2' } },
);
await call(
  'patch, JSON patch',
  () =>
    core.patchNamespacedConfigMap(
      { name: 'cm', namespace, body: [{ op: 'replace', path: '/data/k', value: 'v3' }] },
      patchAs(k.PatchStrategy.JsonPatch),
    ),
  { data: { k: 'v3' } },
);
await call(
  'patch, merge',
  () =>
    core.patchNamespacedConfigMap(
      { name: 'cm', namespace, body: { data: { m: 'n' } } },
      patchAs(k.PatchStrategy.MergePatch),
    ),
  { data: { m: 'n', k: (v) => v !== undefined || 'lost' } },
);
await call(
  'patch, strategic merge',
  () =>
    core.patchNamespacedConfigMap(
      { name: 'cm', namespace, body: { metadata: { labels: { x: 'y' } } } },
      patchAs(k.PatchStrategy.StrategicMergePatch),
    ),
  { metadata: { name: 'cm', labels: { x: 'y' } } },
);
await call('listNamespacedConfigMap', () => core.listNamespacedConfigMap({ namespace }), {
  kind: 'ConfigMapList',
  items: both(size(1), some({ metadata: { name: 'cm' } })),
});
await call(
  'createNamespacedPod',
  () =>
    core.createNamespacedPod({
      namespace,
      body: { metadata: { name: 'p1', labels: { app: 'web' } }, spec: { containers } },
    }),
  { metadata: { name: 'p1', labels: { app: 'web' } }, spec: { containers: [{ image: 'nginx' }] } },
);
await call(
  'createNamespacedPod 10 more',
  () =>
    times(10, (i) =>
      core.createNamespacedPod({
        namespace,
        body: { metadata: { name: 'p' + (i + 2), labels: { app: i % 2 ? 'web' : 'db' } }, spec: { containers } },
      }),
    ),
  size(10),
);
await call('listNamespacedPod', () => core.listNamespacedPod({ namespace }), { items: size(11) });
await call(
  'list with limit and continue',
  async () => {
    const names = [];
    let _continue,
      n = 0;
    do {
      const r = await core.listNamespacedPod({ namespace, limit: 4, _continue });
      if (r.items.length > 4) throw new Error(`${r.items.length} items, limit 4`);
      names.push(...r.items.map((x) => x.metadata.name));
      _continue = r.metadata?._continue;
    } while (_continue && ++n < 20);
    return names;
  },
  both(size(11), distinct(11)),
);
await call('list with labelSelector', () => core.listNamespacedPod({ namespace, labelSelector: 'app=web' }), {
  items: size(6),
});
await call('list with fieldSelector', () => core.listNamespacedPod({ namespace, fieldSelector: 'metadata.name=p1' }), {
  items: both(size(1), some({ metadata: { name: 'p1' } })),
});
await call('listPodForAllNamespaces', () => core.listPodForAllNamespaces(), {
  items: some({ metadata: { name: 'p1' } }),
});
await call('readNamespacedPodStatus', () => core.readNamespacedPodStatus({ name: 'p1', namespace }), {
  metadata: { name: 'p1' },
});
await call(
  'readNamespacedPodLog',
  () => core.readNamespacedPodLog({ name: 'p1', namespace }),
  (v) => typeof v === 'string',
);
await call(
  'createNamespacedSecret',
  () =>
    core.createNamespacedSecret({ namespace, body: { metadata: { name: 's' }, data: { p: 'cQ==' }, type: 'Opaque' } }),
  { type: 'Opaque', data: { p: 'cQ==' } },
);
await call(
  'createNamespacedService',
  () =>
    core.createNamespacedService({
      namespace,
      body: { metadata: { name: 'svc' }, spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] } },
    }),
  { spec: { ports: [{ port: 80, targetPort: 8080 }] } },
);
await call(
  'createNamespacedDeployment',
  () =>
    apps.createNamespacedDeployment({
      namespace,
      body: {
        metadata: { name: 'd' },
        spec: {
          replicas: 2,
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
        },
      },
    }),
  { spec: { replicas: 2 } },
);
await call('readNamespacedDeploymentScale', () => apps.readNamespacedDeploymentScale({ name: 'd', namespace }), {
  spec: { replicas: 2 },
});
await call(
  'replaceNamespacedDeploymentScale',
  () =>
    apps.replaceNamespacedDeploymentScale({
      name: 'd',
      namespace,
      body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd', namespace }, spec: { replicas: 5 } },
    }),
  { spec: { replicas: 5 } },
);
await call('the deployment has the new scale', () => apps.readNamespacedDeployment({ name: 'd', namespace }), {
  spec: { replicas: 5 },
});
await call(
  'createNamespacedJob',
  () =>
    batch.createNamespacedJob({
      namespace,
      body: { metadata: { name: 'j' }, spec: { template: { spec: { restartPolicy: 'Never', containers } } } },
    }),
  { metadata: { name: 'j' } },
);
await call(
  'generateName',
  () => core.createNamespacedPod({ namespace, body: { metadata: { generateName: 'g-' }, spec: { containers } } }),
  { metadata: { name: /^g-.+/ } },
);
await refused('create twice', () => core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'cm' } } }), {
  code: 409,
});
await refused('read unknown', () => core.readNamespacedPod({ name: 'zzz', namespace }), { code: 404 });
await call(
  'watch tells of a new namespace',
  () =>
    new Promise((done, reject) => {
      const seen = [];
      new k.Watch(kc)
        .watch(
          '/api/v1/namespaces',
          {},
          (type, object) => {
            seen.push(`${type} ${object?.metadata?.name}`);
          },
          () => {},
        )
        .then(async (controller) => {
          await core.createNamespace({ body: { metadata: { name: 'watched' } } }).catch(() => {});
          setTimeout(() => {
            controller.abort?.();
            done(seen);
          }, 1500);
        }, reject);
    }),
  some('ADDED watched'),
);
await call('deleteNamespacedPod', () => core.deleteNamespacedPod({ name: 'p1', namespace }));
await refused(
  'read a deleted pod',
  () => (after('deleteNamespacedPod'), core.readNamespacedPod({ name: 'p1', namespace })),
  { code: 404 },
);
await call('deleteCollectionNamespacedPod', () => core.deleteCollectionNamespacedPod({ namespace }));
await call(
  'list after deleteCollection',
  () => (after('deleteCollectionNamespacedPod'), core.listNamespacedPod({ namespace })),
  { items: size(0) },
);
await call('deleteNamespace', () => core.deleteNamespace({ name: namespace }));
await refused('readNamespace after delete', () => (after('deleteNamespace'), core.readNamespace({ name: namespace })), {
  code: 404,
});
end();

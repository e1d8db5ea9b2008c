// Why calls are not right, by client and call: told in docs/clients.md.
export const WHY = {
  kubernetes: {
    'list with labelSelector': 'selectors are a language of their own, which no description tells',
    'list with fieldSelector': 'selectors are a language of their own, which no description tells',
    'watch tells of a new namespace': 'a list that stays open and tells of changes is not modelled',
    readNamespacedDeploymentScale: 'Scale is another schema than Deployment: nothing tells that it shows a part of it',
    replaceNamespacedDeploymentScale:
      'Scale is another schema than Deployment: nothing tells that it shows a part of it',
    'the deployment has the new scale':
      'Scale is another schema than Deployment: nothing tells that it shows a part of it',
    listNamespacedConfigMap: 'the word that a list has as its kind stands in an extension of the description alone',
  },
};

// Why calls are not right, by client and call: told in docs/measured/clients.md.
export const WHY = {
  kubernetes: {
    'list with labelSelector': 'selectors are a language of their own, which no description explains',
    'list with fieldSelector': 'selectors are a language of their own, which no description explains',
    'watch tells of a new namespace': 'a list that stays open and reports changes is not modelled',
    readNamespacedDeploymentScale: 'nothing says that another schema, Scale, shows a part of a Deployment',
    replaceNamespacedDeploymentScale: 'nothing says that another schema, Scale, shows a part of a Deployment',
    'the deployment has the new scale': 'nothing says that another schema, Scale, shows a part of a Deployment',
    listNamespacedConfigMap: 'the kind of a list stands in an extension of the description alone',
  },
  docker: {
    'docker volume ls -q -f name=myvol':
      'filters are a language of their own inside of a parameter, which no description explains',
    'docker create --tty --name c1 --label a=b busybox:latest true':
      'the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker ps -a --format {{.Names}}':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker inspect c1 --format {{.Name}},{{.Config.Image}},{{.State.Status}}':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker start c1':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker inspect c1 --format {{.State.Status}},{{.State.Running}}':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker ps --format {{.Names}}':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker rename c1 c2':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker inspect c2 --format {{.Name}},{{.Config.Labels.a}}':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker logs c2':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker stop c2':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker inspect c2 --format {{.State.Status}},{{.State.Running}}':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker rm c2':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker inspect c2 --format gone':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker ps -a --format {{.Names}} --no-trunc':
      'needs the container, which is rejected: the command asks for the restart policy "no", which the description does not list: 400 is what it says',
    'docker inspect nothing-like-this':
      'images are read by an operation without state behind it, which returns its example for every name',
    'docker node ls': 'a property of plain text that the client decodes as base64 is generated',
    'docker system df': 'a property that the description has as a list of lists is a list in the client',
  },
};

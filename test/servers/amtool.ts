import type { Session } from './server';

/** A person on call: looks at alerts, silences one while its cause is mended, and takes the silence back. */
export const amtool: Session = {
  needs: ['/usr/bin/amtool'],
  secrets: [],
  act(recorderUrl, run) {
    const tell = (...args: readonly string[]): string =>
      run('/usr/bin/amtool', [`--alertmanager.url=${new URL(recorderUrl).origin}`, ...args]);
    const said = ['--author=somebody', '--comment=the disk is being replaced'];
    tell('config', 'show');
    tell('cluster', 'show');
    const alert = ['alertname=DiskFull', 'node=db1', 'severity=critical'];
    tell('alert', 'add', ...alert, '--annotation=summary=no space is left');
    tell('alert', 'query');
    tell('alert', 'query', 'node=db1');
    const silence = tell('silence', 'add', 'node=db1', '--duration=2h', ...said).trim();
    tell('silence', 'query');
    tell('silence', 'query', 'node=db1');
    tell('silence', 'update', '--duration=3h', '--comment=it takes longer than that', silence);
    tell('alert', 'query', '--silenced');
    // An update may give it another id.
    tell('silence', 'expire', tell('silence', 'query', '--quiet', 'node=db1').trim());
    tell('silence', 'query', '--expired');
    tell('silence', 'add', 'node=db2', 'severity=~warn.*', '--duration=1h', ...said);
    tell('alert', 'add', ...alert, `--end=${new Date().toISOString()}`);
  },
};

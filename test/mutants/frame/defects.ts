import type { Sender } from '../client';
import type { Defect, Oracle } from '../defect';

type Told<Caller extends Sender> = Pick<Defect<Caller>, 'clause' | 'start' | 'witness'>;

/** Defects that are told in short: by what they are called, as in `ST-01 T S: the title`, with the oracles that they need. */
export const defectsOf = <Caller extends Sender>(told: Readonly<Record<string, Told<Caller>>>): Defect<Caller>[] =>
  Object.entries(told).map(([name, rest]) => {
    const [head = '', title = ''] = name.split(/: (.*)/s);
    const [id = '', ...needs] = head.split(' ');
    return { id, title, needs: needs as Oracle[], ...rest };
  });

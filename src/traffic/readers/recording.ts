import { messageOf, StandinError } from '../../core/errors/standin-error';
import { readRecordingLines } from '../exchange/recording-lines';
import { readWhole, type ReadItem, type TrafficReader, type TrafficSource, wholeProblem } from './reader';

/** What `standin record` writes while it records: all that there is where it was killed. */
export const recording: TrafficReader = {
  name: 'recordings of standin',
  recognises: (_, head) => /^\s*\{\s*"standin"\s*:\s*"recording\//.test(head),
  read,
};

async function* read(source: TrafficSource): AsyncIterable<ReadItem> {
  const text = await readWhole(source);
  if (typeof text !== 'string') {
    yield text;
    return;
  }
  const { file } = source;
  try {
    const { exchanges, problems } = readRecordingLines(text.split('\n'), file);
    for (const { line, message } of problems)
      yield { file, at: line === undefined ? '' : `line ${line}`, problem: message, done: 'all other lines were read' };
    yield* exchanges;
  } catch (error) {
    const hint = error instanceof StandinError && error.hint !== undefined ? `. ${error.hint.replace(/\.$/, '')}` : '';
    const message = messageOf(error).replace(file, () => 'The file');
    yield wholeProblem(source, `${message}${hint}`, 'line 1');
  }
}

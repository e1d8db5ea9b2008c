import { ConfigError } from '../../core/errors/standin-error';
import type { ApiModel } from '../../openapi/model/api-model';
import type { RecordedExchange } from '../../traffic/exchange/recorded-exchange';

/** How a recording ended. */
export interface StoppedRecording {
  /** The recording, one line for each exchange. */
  readonly recording: string;
  /** `undefined` where none was to be made, and where nothing was answered. */
  readonly contract: string | undefined;
  /** How many exchanges are in the recording. */
  readonly exchanges: number;
  /** How many could not be written. */
  readonly lost: number;
  /** What became of it, for people. */
  readonly lines: readonly string[];
}

/** What the mock answers, as it is recorded. */
export interface MockRecording {
  readonly onExchange: (exchange: RecordedExchange) => void;
  /** What the description of a reload says of secrets counts from now on, too. */
  readonly follow: (api: ApiModel) => void;
  /** The state was changed by others than requests of the API. */
  readonly noteChange: () => void;
  /** Ends it, and makes the contract; called again, the same. */
  readonly stop: () => Promise<StoppedRecording>;
}

export interface RecordingControls {
  /**
   * Ends the recording that the option `record` began, and writes the contract.
   *
   * @throws ConfigError where nothing is recorded, and where no contract can be made of it; the recording stays then
   */
  stopRecording(): Promise<StoppedRecording>;
}

export function recordingControls(recording: MockRecording | undefined): RecordingControls {
  return {
    stopRecording() {
      if (recording !== undefined) return recording.stop();
      const error = new ConfigError('CONFIG_INVALID', 'Nothing is recorded', {
        hint: 'Start the mock with --record contracts/NAME.yaml; a program gives createMockServer the option record.',
      });
      return Promise.reject(error);
    },
  };
}

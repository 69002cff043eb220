// Requests and answers that were recorded from the demo, by the operation. `scripts/examples` writes them.
import type { SourceInput } from '../site/page.ts';

export interface Recorded {
  readonly who: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly file?: string;
  readonly status: number;
  readonly answer: unknown;
}

export interface Recording {
  /** By the operation: one call that succeeded. */
  readonly calls: Readonly<Record<string, Recorded>>;
  /** By the operation: why there is none. */
  readonly notRecorded: Readonly<Record<string, string>>;
  /** By the code of the error: a call that was refused. */
  readonly refusals: Readonly<Record<string, Recorded & { readonly operation: string }>>;
}

export type RecordedApi = 'trading' | 'chat';

export const recordingFile = (api: RecordedApi): string => `contracts/examples/${api}.json`;

export const readRecording = (
  api: RecordedApi,
  { readFile }: Pick<SourceInput, 'readFile'>,
): Recording => JSON.parse(readFile(recordingFile(api))) as Recording;

import type { Custody } from './load.ts';

/** What came of an act, in a sentence. */
export interface Said {
  readonly text: string;
  /** Whether somebody else has to do something now. */
  readonly isHalf?: boolean;
}

export interface PartProps {
  readonly custody: Custody;
  readonly mayAct: boolean;
  readonly onDone: (said: Said) => void;
}

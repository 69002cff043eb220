// What readers of market data see of the replica.
import type { Memory } from './fold.ts';

export interface Replica {
  /**
   * The markets with everything that was in the journal on the call, if that comes within a quarter of a second;
   * otherwise with what is there. Refuses as long as nothing was filled.
   */
  present(): Promise<Memory>;
  /** What is missing before the process should get traffic. */
  whyNotReady(): string | undefined;
  stop(): void;
}

// A market that a broken rule has stopped. Who lets it trade again must be two people.

/** What is wrong, and what must not go on trading because of it. */
export interface NewHalt {
  readonly symbol: string;
  readonly rule: string;
  /** What breaks the rule: a coin, an account, the cause of a movement. */
  readonly subject: string;
  readonly foundBy: 'auditor' | 'engine';
  /**
   * The subject is one event of the past, which nobody can break a second time: once two people have released
   * the halt, it stays released. Else a rule that is still broken after a day halts again.
   */
  readonly isEvent?: boolean;
}

export interface InvariantHalt {
  readonly id: bigint;
  readonly symbol: string;
  readonly rule: string;
  readonly subject: string;
  readonly foundBy: string;
  readonly at: Date;
}

/** The two who let a market trade again, and why. */
export interface Release {
  readonly symbol: string;
  readonly releasedById: number;
  readonly approvedById: number;
  readonly reason: string;
  readonly at: Date;
}

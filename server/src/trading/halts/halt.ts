// A market halted by a broken rule. Two people must agree to let it trade again.

/** What is wrong, and what must stop trading because of it. */
export interface NewHalt {
  readonly symbol: string;
  readonly rule: string;
  /** What breaks the rule: a coin, an account, the cause of a movement. */
  readonly subject: string;
  readonly foundBy: 'auditor' | 'engine' | 'custody';
  /**
   * The subject is one past event, which cannot happen a second time: once two people have released
   * the halt, it stays released. Otherwise a rule that is still broken after a day halts again.
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

/** The two people who let a market trade again, and why. */
export interface Release {
  readonly symbol: string;
  readonly releasedById: number;
  readonly approvedById: number;
  readonly reason: string;
  readonly at: Date;
}

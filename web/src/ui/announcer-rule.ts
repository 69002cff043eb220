// What the one polite announcer says, and when: the rule without a clock or a page.

/** A message that came into the open conversation. */
export interface Heard {
  readonly at: number;
  readonly text: string;
}

export interface Gathering {
  /** The messages of the last five seconds, at most one more than are read out. */
  readonly recent: readonly number[];
  /** Came too fast to be read out: counted. */
  readonly held: number;
  /** When the count is said. */
  readonly dueAt: number | undefined;
}

export const QUIET: Gathering = { recent: [], held: 0, dueAt: undefined };

/** Up to three messages in five seconds are read out; of more, the count. */
const WINDOW_MS = 5000;
const READ_OUT_MAX = 3;

/** Takes one message: it is read out at once, or held and counted. */
export function hear(
  before: Gathering,
  heard: Heard,
): { after: Gathering; say: string | undefined } {
  const recent = [...before.recent.filter((at) => heard.at - at < WINDOW_MS), heard.at];
  if (before.held === 0 && recent.length <= READ_OUT_MAX)
    return { after: { recent, held: 0, dueAt: undefined }, say: heard.text };
  return {
    after: {
      recent: recent.slice(-READ_OUT_MAX - 1),
      held: before.held + 1,
      dueAt: before.dueAt ?? heard.at + WINDOW_MS,
    },
    say: undefined,
  };
}

/** What is due at a moment: the number of messages that were held. */
export function due(before: Gathering, now: number): { after: Gathering; count: number } {
  if (before.dueAt === undefined || now < before.dueAt) return { after: before, count: 0 };
  return { after: { recent: [], held: 0, dueAt: undefined }, count: before.held };
}

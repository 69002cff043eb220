// The flags that a person has on a message. Read and unread are kept elsewhere, as bits of a whole conversation. The
// other flags are sparse: one small number, stored only where a flag is set.

export const FLAG = {
  starred: 1,
  collapsed: 2,
  mentioned: 4,
  topicWildcard: 8,
  alertWord: 16,
  /** Mentioned by name and not as part of a group. Clients do not see the difference. */
  namedPersonally: 32,
  /** A bot was called to this message from outside the channel: it may read this message, and by that no other. */
  called: 64,
} as const;

/** The flags that count for "has something on the message". */
export const SHOWN_BITS =
  FLAG.starred | FLAG.collapsed | FLAG.mentioned | FLAG.topicWildcard | FLAG.alertWord;

/** Either of them says that the message mentions the person, by themselves or as part of the topic. */
export const MENTION_BITS = FLAG.mentioned | FLAG.topicWildcard;

export interface FlagFacts {
  readonly isUnread: boolean;
  /** Whether the person was subscribed when the message was sent, or is a bot that was called to it. */
  readonly isReceived: boolean;
  readonly bits: number;
  readonly mentionsEveryone: boolean;
}

/** The names of the flags in the API. */
export function flagNames({ isUnread, isReceived, bits, mentionsEveryone }: FlagFacts): string[] {
  const isWild = mentionsEveryone && isReceived;
  const isTopicWild = (bits & FLAG.topicWildcard) !== 0;
  const names: (string | false)[] = [
    !isUnread && 'read',
    (bits & FLAG.starred) !== 0 && 'starred',
    (bits & FLAG.collapsed) !== 0 && 'collapsed',
    (bits & FLAG.mentioned) !== 0 && 'mentioned',
    isWild && 'stream_wildcard_mentioned',
    isTopicWild && 'topic_wildcard_mentioned',
    (bits & FLAG.alertWord) !== 0 && 'has_alert_word',
    !isReceived && 'historical',
    (isWild || isTopicWild) && 'wildcard_mentioned',
  ];
  return names.filter((name) => name !== false);
}

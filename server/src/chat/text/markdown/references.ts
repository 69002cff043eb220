// Finds the names in a text, so that the caller can look them up before rendering. It may find too many (a mention
// inside a code block does not count), but never too few.
import {
  CHANNEL_LINK,
  CHANNEL_WILDCARDS,
  EMOJI_NAME,
  GROUP_MENTION,
  TOPIC_WILDCARD,
  USER_MENTION,
  WITH_ID,
  WITH_MESSAGE,
  foldMention,
} from './syntax.ts';
import { MAX_UNITS } from './limits.ts';

export interface References {
  /** As written: compare them case-insensitively. */
  readonly userNames: readonly string[];
  readonly userIds: readonly number[];
  readonly groupNames: readonly string[];
  readonly channelNames: readonly string[];
  readonly topics: readonly { readonly channelName: string; readonly topic: string }[];
  readonly emojiNames: readonly string[];
  /** The parts after `/user_uploads/`. */
  readonly uploadPaths: readonly string[];
}

const UPLOAD = /user_uploads\/([^\s()<>"'?#\]]{1,500})/g;

export function findReferences(content: string): References {
  const text = content.slice(0, MAX_UNITS);
  const userIds = new Set<number>();
  const [userNames, groupNames, channelNames, emojiNames] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];
  const topics = new Map<string, { channelName: string; topic: string }>();
  for (const [, , name = ''] of all(USER_MENTION, text)) {
    if (CHANNEL_WILDCARDS.has(name) || name === TOPIC_WILDCARD) continue;
    const id = WITH_ID.exec(name)?.[2];
    if (id !== undefined) userIds.add(Number(id));
    // A name may itself end like an id, so both are looked up.
    userNames.set(foldMention(name), name);
  }
  for (const [, , name = ''] of all(GROUP_MENTION, text)) groupNames.set(foldMention(name), name);
  for (const [, channelName = '', written] of all(CHANNEL_LINK, text)) {
    channelNames.set(foldMention(channelName), channelName);
    if (written === undefined) continue;
    for (const topic of [written, WITH_MESSAGE.exec(written)?.[1]])
      if (topic !== undefined)
        topics.set(JSON.stringify([foldMention(channelName), foldMention(topic)]), {
          channelName,
          topic,
        });
  }
  for (const [, name = ''] of all(EMOJI_NAME, text)) emojiNames.set(name, name);
  const uploadPaths = new Set<string>();
  for (const [, path = ''] of text.matchAll(UPLOAD)) {
    try {
      uploadPaths.add(decodeURIComponent(path));
    } catch {
      // Not a valid URL, so not one of ours.
    }
  }
  return {
    userNames: [...userNames.values()],
    userIds: [...userIds],
    groupNames: [...groupNames.values()],
    channelNames: [...channelNames.values()],
    topics: [...topics.values()],
    emojiNames: [...emojiNames.values()],
    uploadPaths: [...uploadPaths],
  };
}

/** Every match of the pattern, including overlapping ones: rendering decides later which of them count. */
function* all(sticky: RegExp, text: string): Generator<RegExpExecArray> {
  const first = sticky.source[0] ?? '';
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    sticky.lastIndex = at;
    const match = sticky.exec(text);
    if (match !== null) yield match;
  }
}

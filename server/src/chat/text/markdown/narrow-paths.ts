// The part of an address after `#narrow/`. Percent signs are written as dots, since some programs decode
// what follows the `#`.

export function encodeHashComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(
      /[.()!'*~]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    .replaceAll('%', '.');
}

export const channelPath = (channelId: number, channelName: string): string =>
  `/#narrow/channel/${channelId}-${encodeHashComponent(channelName.replaceAll(' ', '-'))}`;

/** With the newest message's id, the link still leads there when the topic was moved. */
export function topicPath(channel: string, topic: string, latestMessageId?: number): string {
  const withId = latestMessageId === undefined ? '' : `/with/${latestMessageId}`;
  return `${channel}/topic/${encodeHashComponent(topic)}${withId}`;
}

export const messagePath = (channel: string, topic: string, messageId: number): string =>
  `${channel}/topic/${encodeHashComponent(topic)}/near/${messageId}`;

/** A direct conversation: the ids of everybody in it, and a word that people can read. */
export const directPath = (userIds: readonly number[]): string =>
  `/#narrow/dm/${[...userIds].sort((left, right) => left - right).join(',')}-${userIds.length > 2 ? 'group' : 'dm'}`;

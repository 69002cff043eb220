// The part of a URL after `#narrow/`. Dots replace percent signs, since some programs decode the fragment.

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

/** With the id of the newest message, the link still works after the topic was moved. */
export function topicPath(channel: string, topic: string, latestMessageId?: number): string {
  const withId = latestMessageId === undefined ? '' : `/with/${latestMessageId}`;
  return `${channel}/topic/${encodeHashComponent(topic)}${withId}`;
}

export const messagePath = (channel: string, topic: string, messageId: number): string =>
  `${channel}/topic/${encodeHashComponent(topic)}/near/${messageId}`;

/** A direct conversation: the ids of its participants, and a readable word. */
export const directPath = (userIds: readonly number[]): string =>
  `/#narrow/dm/${[...userIds].sort((left, right) => left - right).join(',')}-${userIds.length > 2 ? 'group' : 'dm'}`;

// The path of a message in the web app, relative to the origin.
import { channelPath, directPath, messagePath } from '../../text/markdown/narrow-paths.ts';
import type { Target } from '../message/channels-for-reader.ts';

export function pathOf(target: Target, id: number): string {
  if (target.kind === 'direct') return `${directPath(target.people)}/near/${id}`;
  const { channelId, name } = target.channel;
  return messagePath(channelPath(channelId, name), target.topic, id);
}

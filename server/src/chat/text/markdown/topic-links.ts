// Finds the links in a topic, which clients show beside it: a topic itself has no formatting.
import type { EnvLinkifier } from './env.ts';
import { findLinkified, patternBudget, type FoundLink } from './linkifiers.ts';
import { findAddresses } from './texts.ts';
import { safeUrl, urlEnd } from './urls.ts';

export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

const SCHEME = /(?<![\p{L}\p{N}])https?:\/\//giu;

/** In the order of the topic. Where two overlap, a linkifier wins over a URL. */
export function findTopicLinks(topic: string, linkifiers: readonly EnvLinkifier[]): TopicLink[] {
  const found = findLinkified(topic, linkifiers, patternBudget());
  for (const link of [...findSchemes(topic), ...findAddresses(topic)])
    if (!found.some((other) => overlap(link, other))) found.push(link);
  return found
    .sort((left, right) => left.index - right.index)
    .map(({ index, length, url }) => ({ text: topic.slice(index, index + length), url }));
}

function findSchemes(topic: string): FoundLink[] {
  const found: FoundLink[] = [];
  let last = 0;
  for (const { index } of topic.matchAll(SCHEME)) {
    if (index < last) continue;
    last = urlEnd(topic, index, topic.length);
    const url = safeUrl(topic.slice(index, last));
    if (url !== undefined) found.push({ index, length: last - index, url });
  }
  return found;
}

const overlap = (left: FoundLink, right: FoundLink): boolean =>
  left.index < right.index + right.length && right.index < left.index + left.length;

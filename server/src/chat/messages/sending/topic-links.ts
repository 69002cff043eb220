// The links that the organization's linkifiers make of a topic.
import type { Db } from '../../../platform/db/pool.ts';
import { readPatterns } from '../../organization/linkifiers/access.ts';
import { findTopicLinks, type TopicLink } from '../../text/markdown/topic-links.ts';

export const linksOfTopic = async (db: Db, topic: string): Promise<TopicLink[]> =>
  findTopicLinks(topic, await readPatterns(db));

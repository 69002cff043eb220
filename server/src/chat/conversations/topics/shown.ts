import { EMPTY_TOPIC_DISPLAY_NAME } from '../../limits.ts';

/** The topic as a client sees it: clients that do not support the empty topic get a name for it. */
export const shownTopic = (topic: string, allowsEmpty: boolean): string =>
  topic === '' && !allowsEmpty ? EMPTY_TOPIC_DISPLAY_NAME : topic;

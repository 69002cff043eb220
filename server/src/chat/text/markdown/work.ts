// The state of one rendering: the names that it can look up, its remaining budgets, and what it found.
import type { Env } from 'markdown-it';
import type { EnvChannel, EnvGroup, EnvTopic, EnvUpload, EnvUser, RenderEnv } from './env.ts';
import {
  MAX_FORMULAS,
  MAX_FORMULA_CHARACTERS,
  MAX_HIGHLIGHTED,
  MAX_TABLE_CELLS,
} from './limits.ts';
import { patternBudget } from './linkifiers.ts';
import { foldMention } from './syntax.ts';

export class Work {
  readonly env: RenderEnv;
  readonly budget = {
    formulas: MAX_FORMULAS,
    formulaCharacters: MAX_FORMULA_CHARACTERS,
    highlighted: MAX_HIGHLIGHTED,
    tableCells: MAX_TABLE_CELLS,
    patterns: patternBudget(),
  };
  /** How many quotes enclose the current text: mentions in a quote notify nobody. */
  quoteDepth = 0;
  /** The first lines inside fenced quotes and spoilers, which no other line of their block precedes. */
  readonly blockStarts = new Set<number>([0]);

  readonly found = {
    userIds: new Set<number>(),
    groupIds: new Set<number>(),
    hasChannelWildcard: false,
    hasTopicWildcard: false,
    links: new Set<string>(),
    uploadPaths: new Set<string>(),
    previewUrls: new Set<string>(),
    hasImage: false,
  };

  readonly customEmoji: ReadonlyMap<string, string>;
  private readonly usersById: ReadonlyMap<number, EnvUser>;
  private readonly usersByName: ReadonlyMap<string, readonly EnvUser[]>;
  private readonly groups: ReadonlyMap<string, EnvGroup>;
  private readonly channels: ReadonlyMap<string, EnvChannel>;
  private readonly topics: ReadonlyMap<string, EnvTopic>;
  private readonly uploads: ReadonlyMap<string, EnvUpload>;

  constructor(env: RenderEnv) {
    this.env = env;
    this.usersById = new Map(env.users.map((user) => [user.id, user]));
    this.usersByName = Map.groupBy(env.users, ({ fullName }) => foldMention(fullName));
    this.groups = new Map(env.groups.map((group) => [foldMention(group.name), group]));
    this.channels = new Map(env.channels.map((channel) => [foldMention(channel.name), channel]));
    this.topics = new Map(
      env.topics.map((topic) => [topicKey(topic.channelId, topic.topic), topic]),
    );
    this.customEmoji = new Map(env.customEmoji.map(({ name, sourceUrl }) => [name, sourceUrl]));
    this.uploads = new Map(env.uploads.map((upload) => [upload.path, upload]));
  }

  findUser(id: number): EnvUser | undefined {
    return this.usersById.get(id);
  }

  /** The only person with that name; if there are two, the mention must name an id. */
  findUserNamed(name: string): EnvUser | undefined {
    const users = this.usersByName.get(foldMention(name)) ?? [];
    return new Set(users.map(({ id }) => id)).size === 1 ? users[0] : undefined;
  }

  findGroup(name: string): EnvGroup | undefined {
    return this.groups.get(foldMention(name));
  }

  findChannel(name: string): EnvChannel | undefined {
    return this.channels.get(foldMention(name));
  }

  findTopic(channelId: number, topic: string): EnvTopic | undefined {
    return this.topics.get(topicKey(channelId, topic));
  }

  findUpload(path: string): EnvUpload | undefined {
    return this.uploads.get(path);
  }
}

const topicKey = (channelId: number, topic: string): string => `${channelId}:${foldMention(topic)}`;

/** markdown-it passes the work along in its own environment. */
export const workOf = (env: Env): Work => env['work'] as Work;

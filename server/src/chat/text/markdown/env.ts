// The people, groups, channels and files that a text names, and the settings of rendering. Plain data, which can be
// sent to a thread.

export interface EnvUser {
  readonly id: number;
  readonly fullName: string;
  readonly isActive: boolean;
}

export interface EnvGroup {
  readonly id: number;
  /** As written in the mention: `role:members` for a system group. */
  readonly name: string;
  /** Shown instead of the name, for system groups. */
  readonly displayName?: string;
  readonly isActive: boolean;
}

export interface EnvChannel {
  readonly id: number;
  readonly name: string;
}

export interface EnvTopic {
  readonly channelId: number;
  readonly topic: string;
  readonly latestMessageId: number;
}

export interface EnvLinkifier {
  readonly pattern: string;
  readonly urlTemplate: string;
}

export interface EnvCustomEmoji {
  readonly name: string;
  readonly sourceUrl: string;
}

/** A file that the text links to. `path` is what follows `/user_uploads/`. */
export interface EnvUpload {
  readonly path: string;
  readonly contentType: string;
  /** Pixels of an image; absent for other files. */
  readonly width?: number;
  readonly height?: number;
  readonly isThumbnailReady?: boolean;
}

/** The result of the job that fetches link previews. */
export interface EnvEmbed {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly imageUrl?: string;
}

/**
 * How content of other servers is shown: through this server (`key` signs its URLs), from its source, or not at all.
 */
export type EnvExternal = { readonly key: string } | 'direct' | 'hidden';

export interface RenderEnv {
  /** Our own origin, without a trailing slash: links to it are made relative. */
  readonly origin: string;
  readonly users: readonly EnvUser[];
  readonly groups: readonly EnvGroup[];
  readonly channels: readonly EnvChannel[];
  readonly topics: readonly EnvTopic[];
  readonly linkifiers: readonly EnvLinkifier[];
  readonly customEmoji: readonly EnvCustomEmoji[];
  readonly uploads: readonly EnvUpload[];
  readonly embeds: readonly EnvEmbed[];
  readonly external: EnvExternal;
  /** The organization's default language of code blocks; empty for none. */
  readonly defaultCodeLanguage: string;
  readonly hasImagePreviews: boolean;
  readonly hasLinkPreviews: boolean;
  /** The author's setting: `:)` becomes an emoji. */
  readonly translatesEmoticons: boolean;
}

export const EMPTY_ENV: RenderEnv = {
  origin: '',
  users: [],
  groups: [],
  channels: [],
  topics: [],
  linkifiers: [],
  customEmoji: [],
  uploads: [],
  embeds: [],
  external: 'hidden',
  defaultCodeLanguage: '',
  hasImagePreviews: true,
  hasLinkPreviews: true,
  translatesEmoticons: false,
};

export interface Mentions {
  readonly userIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly hasChannelWildcard: boolean;
  readonly hasTopicWildcard: boolean;
}

export interface Rendered {
  readonly html: string;
  readonly text: string;
  readonly mentions: Mentions;
  /** Every linked URL, once each, as in the HTML. */
  readonly links: readonly string[];
  /** The parts after `/user_uploads/` in links to our own files. */
  readonly uploadPaths: readonly string[];
  readonly previewUrls: readonly string[];
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  readonly isPlain: boolean;
}

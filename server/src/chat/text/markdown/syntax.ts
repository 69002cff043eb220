// The syntax of names. The same patterns find the names to look up and render them. Each is bounded, or ends at a
// character that it cannot contain, so no input makes it slow.

/** Whether a mention or a channel link may follow this character, or the start of a text. */
export const isBeforeMention = (character: string | undefined): boolean =>
  character === undefined || /[\s'"({[/<]/.test(character);

export const USER_MENTION = /@(_?)\*\*([^*\n]{1,200})\*\*/y;
export const GROUP_MENTION = /@(_?)\*([^*\n]{1,200})\*/y;
export const CHANNEL_LINK = /#\*\*([^*>\n]{1,200})(?:>([^*\n]{0,200}))?\*\*/y;
export const EMOJI_NAME = /:([\p{L}\p{M}\p{N}_+-]{1,100}):/uy;
export const TIME = /<time:([^>\n]{0,200})>/y;
/** `Name|12` or `|12`. */
export const WITH_ID = /^(.*)\|(\d{1,15})$/;
/** `topic@214`: the message in the topic. */
export const WITH_MESSAGE = /^(.*)@(\d{1,15})$/;

export const CHANNEL_WILDCARDS: ReadonlySet<string> = new Set([
  'all',
  'everyone',
  'channel',
  'stream',
]);
export const TOPIC_WILDCARD = 'topic';

/** Names are compared regardless of case and of how accents are encoded. */
export const foldMention = (name: string): string => name.normalize('NFKC').toLowerCase();

// Looks up what the text of a message names: people, groups, channels, topics, emoji and files.
import { listNamed } from '../../../accounts/users/access.ts';
import { knows } from '../../../accounts/users/sight.ts';
import { readKnown } from '../../rights/sight/access.ts';
import type { OriginContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { ABOUT, remembered } from '../../../platform/facts/memory.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import {
  EMPTY_ENV,
  type EnvGroup,
  type EnvTopic,
  type EnvUser,
  type RenderEnv,
} from '../../text/markdown/env.ts';
import { findEmojiIn } from '../../organization/custom-emoji/access.ts';
import { readPatterns } from '../../organization/linkifiers/access.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import { listGroupsByName } from '../../rights/permissions/access.ts';
import type { Rights } from '../../rights/permissions/rights.ts';
import { findReferences, type References } from '../../text/markdown/references.ts';
import { externalEnv } from '../external-content/address.ts';
import { readChannelsForReader, type ChannelForReader } from '../message/channels-for-reader.ts';
import { findNewestInTopic } from '../message/topic-store.ts';
import { listNamedFiles } from '../uploads/access.ts';
import { envUpload } from '../uploads/preview.ts';

export interface Author {
  readonly rights: Rights;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The most names that are looked up for one text. Further ones stay plain text. */
const NAMES_MAX = 200;

/** Longer lists of names are seldom written twice: whom they name is read each time. */
const REMEMBERED_LENGTH = 500;

/** Everything that the text of `content` names, looked up, and the settings that rendering depends on. */
export async function readRenderEnv(
  db: Db,
  ctx: Pick<OriginContext, 'publicUrl' | 'secrets' | 'config'>,
  author: Author,
  organization: Readonly<Record<string, RealmValue>>,
  content: string,
): Promise<RenderEnv> {
  const references = findReferences(content);
  const channels = await findVisibleChannels(db, author.rights, references);
  return {
    ...EMPTY_ENV,
    origin: ctx.publicUrl(),
    external: externalEnv(ctx),
    users: await findUsers(db, author.rights, references),
    groups: await findGroups(db, references),
    channels: channels.map(({ channelId, name }) => ({ id: channelId, name })),
    topics: await findTopics(db, channels, references),
    linkifiers: await readPatterns(db),
    customEmoji: await findEmojiIn(db, content),
    // The files to show. They are looked up again when the message is written (`holdNamedFiles`), because only the
    // transaction can keep them from being deleted.
    uploads: (await listNamedFiles(db, author.rights, references.uploadPaths)).map(envUpload),
    defaultCodeLanguage: String(organization['default_code_block_language'] ?? ''),
    hasImagePreviews: organization['inline_image_preview'] !== false,
    hasLinkPreviews: organization['inline_url_embed_preview'] === true,
    translatesEmoticons: author.settings['translate_emoticons'] === true,
  };
}

/** Whom the author does not know stays plain text: a mention by id would tell their name. */
async function findUsers(
  db: Db,
  rights: Rights,
  { userNames, userIds }: References,
): Promise<EnvUser[]> {
  if (userNames.length === 0 && userIds.length === 0) return [];
  const ids = userIds.filter(isRowId).slice(0, NAMES_MAX);
  // A mention may have the form `name|id`, so the name without the id is looked up too.
  const names = userNames.flatMap((name) => [name, name.replace(/\|\d+$/, '')]);
  const asked = { ids, names: names.slice(0, 2 * NAMES_MAX) };
  const find = () => listNamed(db, asked, 4 * NAMES_MAX);
  const key = JSON.stringify(asked);
  const found = await (key.length > REMEMBERED_LENGTH
    ? find()
    : remembered(db, `named ${key}`, [ABOUT.names, ABOUT.everybody], find));
  const known = await readKnown(db, rights);
  return found.filter(({ id }) => knows({ known }, id));
}

async function findGroups(db: Db, { groupNames }: References): Promise<EnvGroup[]> {
  if (groupNames.length === 0) return [];
  const find = () => listGroupsByName(db, groupNames.slice(0, NAMES_MAX), 2 * NAMES_MAX);
  const key = JSON.stringify(groupNames);
  const groups = await (key.length > REMEMBERED_LENGTH
    ? find()
    : remembered(db, `groups named ${key}`, [ABOUT.everybody], find));
  return groups.map(({ id, name, isDeactivated }) => {
    const displayName = SYSTEM_NAMES.get(name);
    return {
      id,
      name,
      isActive: !isDeactivated,
      ...(displayName !== undefined && { displayName }),
    };
  });
}

/** The names that clients show for the system groups. */
const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map([
  ['role:internet', 'Everyone on the internet'],
  ['role:everyone', 'Everyone'],
  ['role:members', 'Members'],
  ['role:fullmembers', 'Full members'],
  ['role:moderators', 'Moderators'],
  ['role:administrators', 'Administrators'],
  ['role:owners', 'Owners'],
  ['role:nobody', 'Nobody'],
]);

/** Only channels that the author may see: a link would reveal that a channel exists. */
async function findVisibleChannels(
  db: Db,
  rights: Rights,
  { channelNames }: References,
): Promise<readonly ChannelForReader[]> {
  if (channelNames.length === 0) return [];
  const channels = await readChannelsForReader(db, rights, {
    names: channelNames.slice(0, NAMES_MAX),
  });
  return channels.filter(({ maySee }) => maySee);
}

async function findTopics(
  db: Db,
  channels: readonly ChannelForReader[],
  { topics }: References,
): Promise<EnvTopic[]> {
  const found: EnvTopic[] = [];
  for (const { channelName, topic } of topics.slice(0, NAMES_MAX)) {
    const channel = channels.find(({ name }) => name.toLowerCase() === channelName.toLowerCase());
    // A link to a topic includes its newest message, so topics that the author may not read are skipped.
    if (channel === undefined || !channel.mayRead || channel.isProtected) continue;
    const latestMessageId = await findNewestInTopic(db, channel.conversationId, topic);
    if (latestMessageId !== undefined) {
      found.push({ channelId: channel.channelId, topic, latestMessageId });
    }
  }
  return found;
}

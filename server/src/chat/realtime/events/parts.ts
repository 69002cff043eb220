// Every feature's part in register, one line each. The order is that of the events in the contract.
import type { Static } from 'typebox';
import { alertWordsPart } from '../../messages/alert-words/state.ts';
import { botsPart } from '../../administration/bot-list/state.ts';
import { channelsPart } from '../../channels/subscriptions/state.ts';
import { customEmojiPart } from '../../organization/custom-emoji/state.ts';
import { defaultChannelsPart } from '../../channels/default-channels/state.ts';
import { sightPart } from '../../rights/sight/state.ts';
import { channelRightsPart } from '../../conversations/channel-rights/state.ts';
import { devicesPart } from '../../notifications/devices/state.ts';
import { directPart } from '../../conversations/direct/state.ts';
import { domainsPart } from '../../organization/domains/state.ts';
import { draftsPart } from '../../messages/drafts/state.ts';
import { foldersPart } from '../../channels/folders/state.ts';
import { groupsPart } from '../../administration/groups/state.ts';
import { invitationsPart } from '../../administration/invitations/state.ts';
import { linkifiersPart } from '../../organization/linkifiers/state.ts';
import { messagesPart } from '../../messages/message/state.ts';
import { mutedUsersPart } from '../../messages/muted-users/state.ts';
import { navigationViewsPart } from '../../people/navigation-views/state.ts';
import { onboardingPart } from '../../people/onboarding/state.ts';
import { orgPart } from '../../organization/org/state.ts';
import { playgroundsPart } from '../../organization/playgrounds/state.ts';
import { presencePart } from '../../people/presence/state.ts';
import { profilesPart } from '../../people/profiles/state.ts';
import { reactionsPart } from '../../messages/reactions/state.ts';
import { readStatePart } from '../../messages/read-state/state.ts';
import type { RegisterPart } from '../../register-part.ts';
import { remindersPart } from '../../messages/reminders/state.ts';
import { scheduledPart } from '../../messages/scheduled/state.ts';
import { settingsPart } from '../../people/settings/state.ts';
import { snippetsPart } from '../../people/snippets/state.ts';
import { statusesPart } from '../../people/statuses/state.ts';
import { submessagesPart } from '../../messages/submessages/state.ts';
import { subscriptionsPart } from '../../channels/subscriptions/state.ts';
import { topicsPart } from '../../conversations/topics/state.ts';
import { typingPart } from '../../messages/typing/state.ts';
import { uploadsPart } from '../../messages/uploads/state.ts';
import { usersPart } from '../../administration/users/state.ts';
import { absentPart } from './absent.ts';

const LIST = [
  absentPart,
  draftsPart,
  usersPart,
  groupsPart,
  botsPart,
  orgPart,
  profilesPart,
  settingsPart,
  channelsPart,
  subscriptionsPart,
  foldersPart,
  defaultChannelsPart,
  topicsPart,
  directPart,
  messagesPart,
  readStatePart,
  reactionsPart,
  submessagesPart,
  typingPart,
  presencePart,
  statusesPart,
  mutedUsersPart,
  alertWordsPart,
  linkifiersPart,
  customEmojiPart,
  playgroundsPart,
  snippetsPart,
  navigationViewsPart,
  uploadsPart,
  devicesPart,
  invitationsPart,
  domainsPart,
  scheduledPart,
  onboardingPart,
  remindersPart,
  channelRightsPart,
  sightPart,
] as const;

export const PARTS: readonly RegisterPart[] = LIST;

/** Any event that a client may get. */
export type ChatEvent = Static<(typeof LIST)[number]['events'][number]>;

// Every route of the chat API. A route that is not in this list is not served.
import { deleteAlertWords, getAlertWords, postAlertWords } from './messages/alert-words/routes.ts';
import {
  deleteApiKey,
  deleteBotApiKey,
  getApiKeys,
  getBotApiKeys,
  patchApiKey,
  patchBotApiKey,
  postApiKey,
  postBotApiKey,
  postRotateApiKey,
  postRotateBotApiKey,
} from './administration/api-keys/routes.ts';
import { deleteAvatar, postAvatar } from './organization/avatars/routes.ts';
import {
  deleteBotStorage,
  getBotStorage,
  putBotStorage,
} from './administration/bot-storage/routes.ts';
import {
  deleteBot,
  getBotKey,
  getBots,
  patchBot,
  postBot,
  postRegenerateBotKey,
} from './administration/bots/routes.ts';
import {
  deleteStream,
  getStream,
  getStreamEmail,
  getStreamId,
  getStreamMembers,
  getStreams,
  patchStream,
} from './channels/administration/routes.ts';
import { deleteIdentity, getIdentities, postIdentity } from './administration/identities/routes.ts';
import { deleteEmoji, getEmoji, postEmoji } from './organization/custom-emoji/routes.ts';
import { deleteDefaultStreams, postDefaultStreams } from './channels/default-channels/routes.ts';
import {
  deleteApnsToken,
  deleteFcmToken,
  postApnsToken,
  postDevice,
  postFcmToken,
  postRegisterPush,
  postRemoveDevice,
  postTestE2ee,
  postTestNotification,
} from './notifications/devices/routes.ts';
import { getAuditLog } from './administration/audit-log/routes.ts';
import {
  deleteDomain,
  getDomains,
  patchDomain,
  postDomain,
} from './organization/domains/routes.ts';
import { deleteDraft, getDrafts, patchDraft, postDrafts } from './messages/drafts/routes.ts';
import { deleteEvents, getEvents, postRegister } from './realtime/events/routes.ts';
import {
  getChannelFolders,
  patchChannelFolder,
  patchChannelFolders,
  postChannelFolder,
} from './channels/folders/routes.ts';
import {
  getGroupMembers,
  getGroups,
  getIsGroupMember,
  getSubgroups,
  patchGroup,
  postCreateGroup,
  postDeactivateGroup,
  postGroupMembers,
  postSubgroups,
} from './administration/groups/routes.ts';
import { putPhrase } from './administration/account/phrase-routes.ts';
import type { ChatRoute } from './http/route.ts';
import {
  postFetchApiKey,
  postRegenerateApiKey,
  postRevealApiKey,
} from './administration/keys/routes.ts';
import {
  deletePasskey,
  patchPasskey,
  postAskPasskey,
  postPasskey,
  postPasskeyOptions,
} from './administration/passkeys/routes.ts';
import {
  deleteInvite,
  deleteMultiuseInvite,
  getInvites,
  postInvites,
  postMultiuseInvite,
  postRegisterAccount,
  postResendInvite,
} from './administration/invitations/routes.ts';
import {
  deleteLinkifier,
  getLinkifiers,
  patchLinkifier,
  patchLinkifiers,
  postLinkifier,
} from './organization/linkifiers/routes.ts';
import {
  deleteMessageRoute,
  getMessageHistory,
  patchMessage,
  postDeleteTopic,
} from './messages/editing/routes.ts';
import { getMessage, getMessages, getReadReceipts, getTopics } from './messages/fetching/routes.ts';
import { postReport } from './messages/reports/routes.ts';
import { postMessage, postRender } from './messages/sending/routes.ts';
import { deleteMutedUser, postMutedUser } from './messages/muted-users/routes.ts';
import { getMatchesNarrow } from './messages/narrow/routes.ts';
import {
  deleteNavigationView,
  getNavigationViews,
  patchNavigationView,
  postNavigationView,
} from './people/navigation-views/routes.ts';
import { postOnboardingStep } from './people/onboarding/routes.ts';
import {
  getServerSettings,
  patchRealm,
  patchUserDefaults,
} from './administration/organization/routes.ts';
import { deletePlayground, postPlayground } from './organization/playgrounds/routes.ts';
import {
  getRealmPresence,
  getUserPresence,
  getUserPresenceByEmail,
  postPresence,
} from './people/presence/routes.ts';
import {
  deleteOwnProfile,
  deleteProfileField,
  getProfileFields,
  patchOwnProfile,
  patchProfileField,
  patchProfileFieldOrder,
  postProfileField,
} from './people/profiles/routes.ts';
import { deleteReaction, postReaction } from './messages/reactions/routes.ts';
import {
  postFlags,
  postFlagsForNarrow,
  postMarkAllRead,
  postMarkStreamRead,
  postMarkTopicRead,
} from './messages/flags/routes.ts';
import { deleteReminder, getReminders, postReminder } from './messages/reminders/routes.ts';
import {
  deleteScheduled,
  getScheduled,
  patchScheduled,
  postScheduled,
} from './messages/scheduled/routes.ts';
import {
  patchDisplaySettings,
  patchNotificationSettings,
  patchSettings,
} from './administration/account/routes.ts';
import { deleteSnippet, getSnippets, patchSnippet, postSnippet } from './people/snippets/routes.ts';
import {
  deleteSession,
  deleteSessions,
  getSessions,
  getStepUp,
  postStepUp,
} from './administration/sessions/routes.ts';
import { getStatus, postOwnStatus, postStatus } from './people/statuses/routes.ts';
import { postSubmessage } from './messages/submessages/routes.ts';
import {
  deleteSubscriptions,
  getSubscriptions,
  getSubscriptionStatus,
  getUserChannels,
  patchSubscription,
  patchSubscriptions,
  postCreateChannel,
  postSubscriptionProperties,
  postSubscriptions,
} from './channels/subscriptions/routes.ts';
import { patchMutedTopics, postUserTopics } from './conversations/topics/routes.ts';
import { postTyping, postTypingEdit } from './messages/typing/routes.ts';
import {
  deleteAttachment,
  getAttachments,
  getTemporaryUrl,
  postUpload,
} from './messages/uploads/routes.ts';
import {
  deleteOwnUser,
  deleteUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  patchUser,
  patchUserByEmail,
  postReactivateUser,
  postUser,
} from './administration/users/routes.ts';
import {
  deleteTotp,
  getSecondFactors,
  postConfirmTotp,
  postRecoveryCodes,
  postTotp,
} from './administration/second-factors/routes.ts';
import {
  deleteWebPushSubscription,
  getWebPushKey,
  getWebPushSubscriptions,
  postWebPushSubscription,
  postWebPushTest,
} from './notifications/web-push/routes.ts';

export const chatRoutes: readonly ChatRoute[] = [
  getServerSettings,
  postFetchApiKey,
  postRegenerateApiKey,
  getOwnUser,
  deleteOwnUser,
  getUsers,
  getUser,
  getUserByEmail,
  patchUser,
  deleteUser,
  postReactivateUser,
  postUser,
  patchUserByEmail,
  getBots,
  postBot,
  patchBot,
  deleteBot,
  getBotKey,
  postRegenerateBotKey,
  getGroups,
  postCreateGroup,
  patchGroup,
  postDeactivateGroup,
  getGroupMembers,
  postGroupMembers,
  getIsGroupMember,
  getSubgroups,
  postSubgroups,
  postAvatar,
  deleteAvatar,
  patchSettings,
  patchRealm,
  patchUserDefaults,
  getAuditLog,
  getProfileFields,
  postProfileField,
  patchProfileFieldOrder,
  patchProfileField,
  deleteProfileField,
  patchOwnProfile,
  deleteOwnProfile,
  postRegister,
  getEvents,
  deleteEvents,
  getMessages,
  postMessage,
  postRender,
  getMatchesNarrow,
  postFlags,
  postFlagsForNarrow,
  postMarkAllRead,
  postMarkStreamRead,
  postMarkTopicRead,
  getMessage,
  patchMessage,
  deleteMessageRoute,
  getMessageHistory,
  getReadReceipts,
  postDeleteTopic,
  postReport,
  getTopics,
  postReaction,
  deleteReaction,
  postSubmessage,
  patchDisplaySettings,
  patchNotificationSettings,
  getBotStorage,
  putBotStorage,
  deleteBotStorage,
  postOnboardingStep,
  getScheduled,
  postScheduled,
  patchScheduled,
  deleteScheduled,
  getReminders,
  postReminder,
  deleteReminder,
  getDrafts,
  postDrafts,
  patchDraft,
  deleteDraft,
  postCreateChannel,
  getStreams,
  getStream,
  getStreamId,
  getStreamMembers,
  getStreamEmail,
  patchStream,
  deleteStream,
  getSubscriptions,
  postSubscriptions,
  deleteSubscriptions,
  patchSubscriptions,
  postSubscriptionProperties,
  patchSubscription,
  getSubscriptionStatus,
  getUserChannels,
  postDefaultStreams,
  deleteDefaultStreams,
  postChannelFolder,
  getChannelFolders,
  patchChannelFolders,
  patchChannelFolder,
  postUserTopics,
  patchMutedTopics,
  postTyping,
  postTypingEdit,
  postPresence,
  getRealmPresence,
  getUserPresence,
  getUserPresenceByEmail,
  postOwnStatus,
  getStatus,
  postStatus,
  postMutedUser,
  deleteMutedUser,
  getAlertWords,
  postAlertWords,
  deleteAlertWords,
  getLinkifiers,
  patchLinkifiers,
  postLinkifier,
  patchLinkifier,
  deleteLinkifier,
  getEmoji,
  postEmoji,
  deleteEmoji,
  postPlayground,
  deletePlayground,
  getSnippets,
  postSnippet,
  patchSnippet,
  deleteSnippet,
  getNavigationViews,
  postNavigationView,
  patchNavigationView,
  deleteNavigationView,
  postUpload,
  getTemporaryUrl,
  getAttachments,
  deleteAttachment,
  postApnsToken,
  deleteApnsToken,
  postFcmToken,
  deleteFcmToken,
  postDevice,
  postRemoveDevice,
  postRegisterPush,
  postTestE2ee,
  postTestNotification,
  getWebPushKey,
  getWebPushSubscriptions,
  postWebPushSubscription,
  postWebPushTest,
  deleteWebPushSubscription,
  getDomains,
  postDomain,
  patchDomain,
  deleteDomain,
  getInvites,
  postInvites,
  postMultiuseInvite,
  deleteInvite,
  deleteMultiuseInvite,
  postResendInvite,
  postRegisterAccount,
];

/** /json has no routes for unauthenticated callers. */
const KEY_ONLY: ReadonlySet<ChatRoute> = new Set([
  getServerSettings,
  postFetchApiKey,
  postRegisterAccount,
]);

/** The routes under /json, for signed-in browsers. */
export const sessionRoutes: readonly ChatRoute[] = [
  ...chatRoutes.filter((route) => !KEY_ONLY.has(route)),
  postRevealApiKey,
  putPhrase,
  postPasskeyOptions,
  postPasskey,
  patchPasskey,
  deletePasskey,
  postAskPasskey,
  getSecondFactors,
  postTotp,
  postConfirmTotp,
  deleteTotp,
  postRecoveryCodes,
  getSessions,
  deleteSession,
  deleteSessions,
  getStepUp,
  postStepUp,
  getIdentities,
  postIdentity,
  deleteIdentity,
  getApiKeys,
  postApiKey,
  patchApiKey,
  deleteApiKey,
  postRotateApiKey,
  getBotApiKeys,
  postBotApiKey,
  patchBotApiKey,
  deleteBotApiKey,
  postRotateBotApiKey,
];

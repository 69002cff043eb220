// Generated from contracts/ by packages/sdk/generate. Do not edit; run: npm run gen
import type { CallOptions, NoParams, NoResult, Upload } from '../options.ts';
import type {
  AddAlertWordsParams,
  AddAlertWordsResult,
  AddApnsTokenParams,
  AddDefaultChannelParams,
  AddFcmTokenParams,
  AddNavigationViewParams,
  AddReactionParams,
  AddRealmDomainParams,
  ArchiveChannelParams,
  CheckMessagesMatchNarrowParams,
  CheckMessagesMatchNarrowResult,
  CreateBotParams,
  CreateBotResult,
  CreateChannelFolderParams,
  CreateChannelFolderResult,
  CreateChannelParams,
  CreateChannelResult,
  CreateDraftsParams,
  CreateDraftsResult,
  CreateInviteLinkParams,
  CreateInviteLinkResult,
  CreateLinkifierParams,
  CreateLinkifierResult,
  CreateMessageReminderParams,
  CreateMessageReminderResult,
  CreatePlaygroundParams,
  CreatePlaygroundResult,
  CreateProfileFieldParams,
  CreateProfileFieldResult,
  CreateSavedSnippetParams,
  CreateSavedSnippetResult,
  CreateScheduledMessageParams,
  CreateScheduledMessageResult,
  CreateUserGroupParams,
  CreateUserGroupResult,
  CreateUserParams,
  CreateUserResult,
  DeactivateBotParams,
  DeactivateCustomEmojiParams,
  DeactivateUserGroupParams,
  DeactivateUserParams,
  DeleteDraftParams,
  DeleteLinkifierParams,
  DeleteMessageParams,
  DeletePlaygroundParams,
  DeleteProfileFieldParams,
  DeleteQueueParams,
  DeleteReminderParams,
  DeleteSavedSnippetParams,
  DeleteScheduledMessageParams,
  DeleteTopicParams,
  DeleteTopicResult,
  EditDraftParams,
  EditNavigationViewParams,
  EditSavedSnippetParams,
  FetchApiKeyParams,
  FetchApiKeyResult,
  GetAlertWordsResult,
  GetAttachmentsResult,
  GetAuditLogParams,
  GetAuditLogResult,
  GetBotApiKeyParams,
  GetBotApiKeyResult,
  GetBotStorageParams,
  GetBotStorageResult,
  GetBotsResult,
  GetBrowserSubscriptionsResult,
  GetChannelEmailParams,
  GetChannelEmailResult,
  GetChannelFoldersParams,
  GetChannelFoldersResult,
  GetChannelIdParams,
  GetChannelIdResult,
  GetChannelParams,
  GetChannelResult,
  GetChannelsParams,
  GetChannelsResult,
  GetCustomEmojiResult,
  GetDraftsResult,
  GetEventsParams,
  GetEventsResult,
  GetFileTemporaryUrlParams,
  GetFileTemporaryUrlResult,
  GetInvitesResult,
  GetIsUserGroupMemberParams,
  GetIsUserGroupMemberResult,
  GetLinkifiersResult,
  GetMessageHistoryParams,
  GetMessageHistoryResult,
  GetMessageParams,
  GetMessageResult,
  GetMessagesParams,
  GetMessagesResult,
  GetNavigationViewsResult,
  GetOwnUserResult,
  GetProfileFieldsResult,
  GetReadReceiptsParams,
  GetReadReceiptsResult,
  GetRealmDomainsResult,
  GetRealmPresenceResult,
  GetRemindersResult,
  GetSavedSnippetsResult,
  GetScheduledMessagesResult,
  GetServerSettingsResult,
  GetStreamTopicsParams,
  GetStreamTopicsResult,
  GetSubscribersParams,
  GetSubscribersResult,
  GetSubscriptionStatusParams,
  GetSubscriptionStatusResult,
  GetSubscriptionsParams,
  GetSubscriptionsResult,
  GetUserByEmailParams,
  GetUserByEmailResult,
  GetUserChannelsParams,
  GetUserChannelsResult,
  GetUserGroupMembersParams,
  GetUserGroupMembersResult,
  GetUserGroupSubgroupsParams,
  GetUserGroupSubgroupsResult,
  GetUserGroupsParams,
  GetUserGroupsResult,
  GetUserParams,
  GetUserPresenceByEmailParams,
  GetUserPresenceByEmailResult,
  GetUserPresenceParams,
  GetUserPresenceResult,
  GetUserResult,
  GetUserStatusParams,
  GetUserStatusResult,
  GetUsersParams,
  GetUsersResult,
  GetWebPushKeyResult,
  MarkAllAsReadResult,
  MarkOnboardingStepAsReadParams,
  MarkStreamAsReadParams,
  MarkTopicAsReadParams,
  MuteTopicParams,
  MuteUserParams,
  ReactivateUserParams,
  RegenerateApiKeyResult,
  RegenerateBotApiKeyParams,
  RegenerateBotApiKeyResult,
  RegisterAccountParams,
  RegisterAccountResult,
  RegisterClientDeviceResult,
  RegisterPushDeviceParams,
  RegisterQueueParams,
  RegisterQueueResult,
  RemoveAlertWordsParams,
  RemoveAlertWordsResult,
  RemoveApnsTokenParams,
  RemoveAttachmentParams,
  RemoveAvatarResult,
  RemoveBotStorageParams,
  RemoveClientDeviceParams,
  RemoveDefaultChannelParams,
  RemoveFcmTokenParams,
  RemoveNavigationViewParams,
  RemoveProfileDataParams,
  RemoveReactionParams,
  RemoveRealmDomainParams,
  RenderMessageParams,
  RenderMessageResult,
  ReorderChannelFoldersParams,
  ReorderLinkifiersParams,
  ReorderProfileFieldsParams,
  ReportMessageParams,
  ResendInviteParams,
  RevokeInviteLinkParams,
  RevokeInviteParams,
  SendInvitesParams,
  SendMessageParams,
  SendMessageResult,
  SendSubmessageParams,
  SetAvatarResult,
  SetTypingStatusForMessageEditParams,
  SetTypingStatusParams,
  SubscribeBrowserParams,
  SubscribeParams,
  SubscribeResult,
  TestBrowserParams,
  TestPushDevicesParams,
  TestPushTokensParams,
  UnmuteUserParams,
  UnsubscribeBrowserParams,
  UnsubscribeParams,
  UnsubscribeResult,
  UpdateBotParams,
  UpdateBotResult,
  UpdateBotStorageParams,
  UpdateChannelFolderParams,
  UpdateChannelParams,
  UpdateDisplaySettingsParams,
  UpdateDisplaySettingsResult,
  UpdateLinkifierParams,
  UpdateMessageFlagsForNarrowParams,
  UpdateMessageFlagsForNarrowResult,
  UpdateMessageFlagsParams,
  UpdateMessageFlagsResult,
  UpdateMessageParams,
  UpdateMessageResult,
  UpdateNotificationSettingsParams,
  UpdateNotificationSettingsResult,
  UpdatePresenceParams,
  UpdatePresenceResult,
  UpdateProfileDataParams,
  UpdateProfileFieldParams,
  UpdateRealmDomainParams,
  UpdateRealmParams,
  UpdateRealmResult,
  UpdateRealmUserSettingsDefaultsParams,
  UpdateScheduledMessageParams,
  UpdateSettingsParams,
  UpdateSettingsResult,
  UpdateStatusOfUserParams,
  UpdateStatusParams,
  UpdateSubscriptionPropertyParams,
  UpdateSubscriptionSettingsParams,
  UpdateSubscriptionsParams,
  UpdateSubscriptionsResult,
  UpdateUserByEmailParams,
  UpdateUserGroupMembersParams,
  UpdateUserGroupParams,
  UpdateUserGroupSubgroupsParams,
  UpdateUserParams,
  UpdateUserTopicParams,
  UploadCustomEmojiParams,
  UploadFileResult,
} from './types.generated.ts';

/** Every operation of the chat API. */
export interface ChatMethods {
  /** What a client needs to know before it logs in. */
  getServerSettings(params?: NoParams, options?: CallOptions): Promise<GetServerSettingsResult>;
  /** Gives your API key for your address and password. */
  fetchApiKey(params: FetchApiKeyParams, options?: CallOptions): Promise<FetchApiKeyResult>;
  /** Gives you a new API key; the old one stops working at once. */
  regenerateApiKey(params?: NoParams, options?: CallOptions): Promise<RegenerateApiKeyResult>;
  /** Who you are. */
  getOwnUser(params?: NoParams, options?: CallOptions): Promise<GetOwnUserResult>;
  /** Deactivates your own account. */
  deactivateOwnUser(params?: NoParams, options?: CallOptions): Promise<NoResult>;
  /** Everybody whom you may know, bots and deactivated people included. */
  getUsers(params?: GetUsersParams, options?: CallOptions): Promise<GetUsersResult>;
  /** Makes an account for somebody. */
  createUser(params: CreateUserParams, options?: CallOptions): Promise<CreateUserResult>;
  /** One person or bot, by id. */
  getUser(params: GetUserParams, options?: CallOptions): Promise<GetUserResult>;
  /** Changes somebody's name, role, address or profile. */
  updateUser(params: UpdateUserParams, options?: CallOptions): Promise<NoResult>;
  /** Deactivates a person, and the bots of that person. */
  deactivateUser(params: DeactivateUserParams, options?: CallOptions): Promise<NoResult>;
  /** One person or bot, by address. */
  getUserByEmail(params: GetUserByEmailParams, options?: CallOptions): Promise<GetUserByEmailResult>;
  /** Changes somebody's name, role, address or profile. */
  updateUserByEmail(params: UpdateUserByEmailParams, options?: CallOptions): Promise<NoResult>;
  /** Gives a deactivated person or bot everything back. */
  reactivateUser(params: ReactivateUserParams, options?: CallOptions): Promise<NoResult>;
  /** Your own active bots, with their keys. */
  getBots(params?: NoParams, options?: CallOptions): Promise<GetBotsResult>;
  /** Makes a bot that belongs to you. */
  createBot(params: CreateBotParams, options?: CallOptions): Promise<CreateBotResult>;
  /** Changes a bot's name, role or owner, or where an outgoing webhook is called. */
  updateBot(params: UpdateBotParams, options?: CallOptions): Promise<UpdateBotResult>;
  /** Deactivates a bot. */
  deactivateBot(params: DeactivateBotParams, options?: CallOptions): Promise<NoResult>;
  /** The API key of a bot that you manage. */
  getBotApiKey(params: GetBotApiKeyParams, options?: CallOptions): Promise<GetBotApiKeyResult>;
  /** Gives a bot a new API key; the old one stops working at once. */
  regenerateBotApiKey(params: RegenerateBotApiKeyParams, options?: CallOptions): Promise<RegenerateBotApiKeyResult>;
  /** Every user group, those of roles included. */
  getUserGroups(params?: GetUserGroupsParams, options?: CallOptions): Promise<GetUserGroupsResult>;
  /** Makes a user group. */
  createUserGroup(params: CreateUserGroupParams, options?: CallOptions): Promise<CreateUserGroupResult>;
  /** Changes the name, the description or the permissions of a group. */
  updateUserGroup(params: UpdateUserGroupParams, options?: CallOptions): Promise<NoResult>;
  /** Puts a group out of use, unless a setting or another group still uses it. */
  deactivateUserGroup(params: DeactivateUserGroupParams, options?: CallOptions): Promise<NoResult>;
  /** Who is in a group. */
  getUserGroupMembers(params: GetUserGroupMembersParams, options?: CallOptions): Promise<GetUserGroupMembersResult>;
  /** Lets people and groups into a group, or out of it. */
  updateUserGroupMembers(params: UpdateUserGroupMembersParams, options?: CallOptions): Promise<NoResult>;
  /** Whether somebody is in a group. */
  getIsUserGroupMember(params: GetIsUserGroupMemberParams, options?: CallOptions): Promise<GetIsUserGroupMemberResult>;
  /** Which groups are in a group. */
  getUserGroupSubgroups(params: GetUserGroupSubgroupsParams, options?: CallOptions): Promise<GetUserGroupSubgroupsResult>;
  /** Puts groups into a group, or takes them out. */
  updateUserGroupSubgroups(params: UpdateUserGroupSubgroupsParams, options?: CallOptions): Promise<NoResult>;
  /** Uploads your picture, as the one file of a multipart body. */
  setAvatar(params: Upload, options?: CallOptions): Promise<SetAvatarResult>;
  /** Takes your picture away; one is drawn from your name. */
  removeAvatar(params?: NoParams, options?: CallOptions): Promise<RemoveAvatarResult>;
  /** Changes your own name, password, time zone and settings, and asks for another address. */
  updateSettings(params?: UpdateSettingsParams, options?: CallOptions): Promise<UpdateSettingsResult>;
  /** Changes the organization's settings and who may do what. */
  updateRealm(params?: UpdateRealmParams, options?: CallOptions): Promise<UpdateRealmResult>;
  /** Changes what new people start with. */
  updateRealmUserSettingsDefaults(params?: UpdateRealmUserSettingsDefaultsParams, options?: CallOptions): Promise<NoResult>;
  /** Who changed what in the organization, the newest first. */
  getAuditLog(params?: GetAuditLogParams, options?: CallOptions): Promise<GetAuditLogResult>;
  /** What people can say of themselves. */
  getProfileFields(params?: NoParams, options?: CallOptions): Promise<GetProfileFieldsResult>;
  /** Makes a custom profile field. */
  createProfileField(params: CreateProfileFieldParams, options?: CallOptions): Promise<CreateProfileFieldResult>;
  /** Puts the custom profile fields in order. */
  reorderProfileFields(params: ReorderProfileFieldsParams, options?: CallOptions): Promise<NoResult>;
  /** Changes a custom profile field. */
  updateProfileField(params: UpdateProfileFieldParams, options?: CallOptions): Promise<NoResult>;
  /** Removes a custom profile field, with what people wrote into it. */
  deleteProfileField(params: DeleteProfileFieldParams, options?: CallOptions): Promise<NoResult>;
  /** Writes into your custom profile fields. */
  updateProfileData(params: UpdateProfileDataParams, options?: CallOptions): Promise<NoResult>;
  /** Empties your custom profile fields. */
  removeProfileData(params: RemoveProfileDataParams, options?: CallOptions): Promise<NoResult>;
  /** Opens an event queue and gives the state that its events start from. */
  registerQueue(params?: RegisterQueueParams, options?: CallOptions): Promise<RegisterQueueResult>;
  /** Waits for events, acknowledging those up to last_event_id. */
  getEvents(params: GetEventsParams, options?: CallOptions): Promise<GetEventsResult>;
  /** Closes an event queue. */
  deleteQueue(params: DeleteQueueParams, options?: CallOptions): Promise<NoResult>;
  /** Messages of a narrow around an anchor, oldest first. */
  getMessages(params?: GetMessagesParams, options?: CallOptions): Promise<GetMessagesResult>;
  /** Sends a message to a channel or to people. */
  sendMessage(params: SendMessageParams, options?: CallOptions): Promise<SendMessageResult>;
  /** Shows how a text would look, without sending it. */
  renderMessage(params: RenderMessageParams, options?: CallOptions): Promise<RenderMessageResult>;
  /** Which of these messages are in a narrow, and where its search finds something in them. */
  checkMessagesMatchNarrow(params: CheckMessagesMatchNarrowParams, options?: CallOptions): Promise<CheckMessagesMatchNarrowResult>;
  /** Sets or takes one of your flags on messages. */
  updateMessageFlags(params: UpdateMessageFlagsParams, options?: CallOptions): Promise<UpdateMessageFlagsResult>;
  /** Sets or takes one of your flags on the messages of a narrow around an anchor. */
  updateMessageFlagsForNarrow(params: UpdateMessageFlagsForNarrowParams, options?: CallOptions): Promise<UpdateMessageFlagsForNarrowResult>;
  /** Marks everything as read. Prefer update-message-flags-for-narrow. */
  markAllAsRead(params?: NoParams, options?: CallOptions): Promise<MarkAllAsReadResult>;
  /** Marks a channel as read. Prefer update-message-flags-for-narrow. */
  markStreamAsRead(params: MarkStreamAsReadParams, options?: CallOptions): Promise<NoResult>;
  /** Marks a topic as read. Prefer update-message-flags-for-narrow. */
  markTopicAsRead(params: MarkTopicAsReadParams, options?: CallOptions): Promise<NoResult>;
  /** One message. */
  getMessage(params: GetMessageParams, options?: CallOptions): Promise<GetMessageResult>;
  /** Changes the text of a message, or moves it and others of its topic. */
  updateMessage(params: UpdateMessageParams, options?: CallOptions): Promise<UpdateMessageResult>;
  /** Deletes a message. */
  deleteMessage(params: DeleteMessageParams, options?: CallOptions): Promise<NoResult>;
  /** The versions of a message: the first one, and then the newest, oldest first. */
  getMessageHistory(params: GetMessageHistoryParams, options?: CallOptions): Promise<GetMessageHistoryResult>;
  /** Who has read a message. */
  getReadReceipts(params: GetReadReceiptsParams, options?: CallOptions): Promise<GetReadReceiptsResult>;
  /** Deletes all messages of a topic. */
  deleteTopic(params: DeleteTopicParams, options?: CallOptions): Promise<DeleteTopicResult>;
  /** Asks the moderators to look at a message. */
  reportMessage(params: ReportMessageParams, options?: CallOptions): Promise<NoResult>;
  /** The topics of a channel, the one with the newest message first. */
  getStreamTopics(params: GetStreamTopicsParams, options?: CallOptions): Promise<GetStreamTopicsResult>;
  /** Reacts to a message with an emoji. */
  addReaction(params: AddReactionParams, options?: CallOptions): Promise<NoResult>;
  /** Takes a reaction of yours back. */
  removeReaction(params: RemoveReactionParams, options?: CallOptions): Promise<NoResult>;
  /** Votes in a poll, adds to a to-do list, and such. */
  sendSubmessage(params: SendSubmessageParams, options?: CallOptions): Promise<NoResult>;
  /** Changes your own name, password, time zone and settings, and asks for another address. */
  updateDisplaySettings(params?: UpdateDisplaySettingsParams, options?: CallOptions): Promise<UpdateDisplaySettingsResult>;
  /** Changes your own name, password, time zone and settings, and asks for another address. */
  updateNotificationSettings(params?: UpdateNotificationSettingsParams, options?: CallOptions): Promise<UpdateNotificationSettingsResult>;
  /** What you keep here; for bots. */
  getBotStorage(params?: GetBotStorageParams, options?: CallOptions): Promise<GetBotStorageResult>;
  /** Keeps texts under names, in the place of what stood there; for bots. */
  updateBotStorage(params: UpdateBotStorageParams, options?: CallOptions): Promise<NoResult>;
  /** Forgets what stands under these names, or everything; for bots. */
  removeBotStorage(params?: RemoveBotStorageParams, options?: CallOptions): Promise<NoResult>;
  /** Says that you have been shown something that clients explain once. */
  markOnboardingStepAsRead(params: MarkOnboardingStepAsReadParams, options?: CallOptions): Promise<NoResult>;
  /** Your messages that are to be sent later, or failed to be, in the order of time. */
  getScheduledMessages(params?: NoParams, options?: CallOptions): Promise<GetScheduledMessagesResult>;
  /** Has a message sent later. */
  createScheduledMessage(params: CreateScheduledMessageParams, options?: CallOptions): Promise<CreateScheduledMessageResult>;
  /** Changes a message that is not sent yet. One that failed needs a new time. */
  updateScheduledMessage(params: UpdateScheduledMessageParams, options?: CallOptions): Promise<NoResult>;
  /** Takes back a message that is not sent yet. */
  deleteScheduledMessage(params: DeleteScheduledMessageParams, options?: CallOptions): Promise<NoResult>;
  /** Your reminders that are still to come, in the order of time. */
  getReminders(params?: NoParams, options?: CallOptions): Promise<GetRemindersResult>;
  /** Has the notification bot remind you of a message later. */
  createMessageReminder(params: CreateMessageReminderParams, options?: CallOptions): Promise<CreateMessageReminderResult>;
  /** Takes a reminder back. */
  deleteReminder(params: DeleteReminderParams, options?: CallOptions): Promise<NoResult>;
  /** Your drafts, the one edited longest ago first. */
  getDrafts(params?: NoParams, options?: CallOptions): Promise<GetDraftsResult>;
  /** Creates drafts, all of them or none. */
  createDrafts(params?: CreateDraftsParams, options?: CallOptions): Promise<CreateDraftsResult>;
  /** Replaces a draft. */
  editDraft(params: EditDraftParams, options?: CallOptions): Promise<NoResult>;
  /** Deletes a draft. */
  deleteDraft(params: DeleteDraftParams, options?: CallOptions): Promise<NoResult>;
  /** Makes a channel and subscribes people to it. */
  createChannel(params: CreateChannelParams, options?: CallOptions): Promise<CreateChannelResult>;
  /** Channels, by name. */
  getChannels(params?: GetChannelsParams, options?: CallOptions): Promise<GetChannelsResult>;
  /** One channel. */
  getChannel(params: GetChannelParams, options?: CallOptions): Promise<GetChannelResult>;
  /** Changes a channel: its name, its privacy, who may do what in it. */
  updateChannel(params: UpdateChannelParams, options?: CallOptions): Promise<NoResult>;
  /** Archives a channel: it can be read, but nothing in it changes any more. */
  archiveChannel(params: ArchiveChannelParams, options?: CallOptions): Promise<NoResult>;
  /** The id of the channel with a name. */
  getChannelId(params: GetChannelIdParams, options?: CallOptions): Promise<GetChannelIdResult>;
  /** Who is subscribed to a channel. */
  getSubscribers(params: GetSubscribersParams, options?: CallOptions): Promise<GetSubscribersResult>;
  /** The address under which the channel takes mail; empty, as this server takes none. */
  getChannelEmail(params: GetChannelEmailParams, options?: CallOptions): Promise<GetChannelEmailResult>;
  /** The channels that you are subscribed to. */
  getSubscriptions(params?: GetSubscriptionsParams, options?: CallOptions): Promise<GetSubscriptionsResult>;
  /** Subscribes yourself or others to channels, making those that do not exist. */
  subscribe(params: SubscribeParams, options?: CallOptions): Promise<SubscribeResult>;
  /** Ends some of your subscriptions and begins others. */
  updateSubscriptions(params?: UpdateSubscriptionsParams, options?: CallOptions): Promise<UpdateSubscriptionsResult>;
  /** Ends your own or others’ subscriptions to channels. */
  unsubscribe(params: UnsubscribeParams, options?: CallOptions): Promise<UnsubscribeResult>;
  /** Sets colour, muting, pin and notifications of your subscriptions. */
  updateSubscriptionSettings(params: UpdateSubscriptionSettingsParams, options?: CallOptions): Promise<NoResult>;
  /** Sets one property of one subscription. */
  updateSubscriptionProperty(params: UpdateSubscriptionPropertyParams, options?: CallOptions): Promise<NoResult>;
  /** Whether somebody is subscribed to a channel. */
  getSubscriptionStatus(params: GetSubscriptionStatusParams, options?: CallOptions): Promise<GetSubscriptionStatusResult>;
  /** The channels that somebody is subscribed to, as far as you may know of them. */
  getUserChannels(params: GetUserChannelsParams, options?: CallOptions): Promise<GetUserChannelsResult>;
  /** Makes a channel one of those to which new members are subscribed. */
  addDefaultChannel(params: AddDefaultChannelParams, options?: CallOptions): Promise<NoResult>;
  /** Ends that new members are subscribed to a channel. */
  removeDefaultChannel(params: RemoveDefaultChannelParams, options?: CallOptions): Promise<NoResult>;
  /** Makes a folder for channels; it stands last. */
  createChannelFolder(params: CreateChannelFolderParams, options?: CallOptions): Promise<CreateChannelFolderResult>;
  /** The folders, in their order. */
  getChannelFolders(params?: GetChannelFoldersParams, options?: CallOptions): Promise<GetChannelFoldersResult>;
  /** Puts the folders into another order. */
  reorderChannelFolders(params: ReorderChannelFoldersParams, options?: CallOptions): Promise<NoResult>;
  /** Renames, describes or archives a folder. */
  updateChannelFolder(params: UpdateChannelFolderParams, options?: CallOptions): Promise<NoResult>;
  /** Mutes, unmutes or follows a topic for yourself. */
  updateUserTopic(params: UpdateUserTopicParams, options?: CallOptions): Promise<NoResult>;
  /** The older way to mute a topic or to end that. */
  muteTopic(params: MuteTopicParams, options?: CallOptions): Promise<NoResult>;
  /** Tells others that you began or stopped typing a message. */
  setTypingStatus(params: SetTypingStatusParams, options?: CallOptions): Promise<NoResult>;
  /** Tells others that you began or stopped changing a message. */
  setTypingStatusForMessageEdit(params: SetTypingStatusForMessageEditParams, options?: CallOptions): Promise<NoResult>;
  /** Says that you are here, and asks who else is. */
  updatePresence(params: UpdatePresenceParams, options?: CallOptions): Promise<UpdatePresenceResult>;
  /** Who is here, by address. */
  getRealmPresence(params?: NoParams, options?: CallOptions): Promise<GetRealmPresenceResult>;
  /** When somebody was last here, by id. */
  getUserPresence(params: GetUserPresenceParams, options?: CallOptions): Promise<GetUserPresenceResult>;
  /** When somebody was last here, by address. */
  getUserPresenceByEmail(params: GetUserPresenceByEmailParams, options?: CallOptions): Promise<GetUserPresenceByEmailResult>;
  /** Says what you are doing, in a few words or by an emoji. */
  updateStatus(params?: UpdateStatusParams, options?: CallOptions): Promise<NoResult>;
  /** What somebody says they are doing. */
  getUserStatus(params: GetUserStatusParams, options?: CallOptions): Promise<GetUserStatusResult>;
  /** Changes what is said of somebody; whether they hide is theirs alone. */
  updateStatusOfUser(params: UpdateStatusOfUserParams, options?: CallOptions): Promise<NoResult>;
  /** Mutes somebody: what they write is read already, for you. */
  muteUser(params: MuteUserParams, options?: CallOptions): Promise<NoResult>;
  /** Hears somebody again. */
  unmuteUser(params: UnmuteUserParams, options?: CallOptions): Promise<NoResult>;
  /** The words that you want to be told of. */
  getAlertWords(params?: NoParams, options?: CallOptions): Promise<GetAlertWordsResult>;
  /** Adds words that you want to be told of. */
  addAlertWords(params: AddAlertWordsParams, options?: CallOptions): Promise<AddAlertWordsResult>;
  /** Takes words away. */
  removeAlertWords(params: RemoveAlertWordsParams, options?: CallOptions): Promise<RemoveAlertWordsResult>;
  /** The organization’s linkifiers, in the order in which they are tried. */
  getLinkifiers(params?: NoParams, options?: CallOptions): Promise<GetLinkifiersResult>;
  /** Puts the linkifiers into another order. */
  reorderLinkifiers(params: ReorderLinkifiersParams, options?: CallOptions): Promise<NoResult>;
  /** Makes a linkifier; it is tried last. */
  createLinkifier(params: CreateLinkifierParams, options?: CallOptions): Promise<CreateLinkifierResult>;
  /** Changes a linkifier. */
  updateLinkifier(params: UpdateLinkifierParams, options?: CallOptions): Promise<NoResult>;
  /** Takes a linkifier away. Links that were made stay. */
  deleteLinkifier(params: DeleteLinkifierParams, options?: CallOptions): Promise<NoResult>;
  /** The organization’s own emoji, by id; deactivated ones too. */
  getCustomEmoji(params?: NoParams, options?: CallOptions): Promise<GetCustomEmojiResult>;
  /** Adds an emoji, whose picture is the one file of a multipart body. */
  uploadCustomEmoji(params: UploadCustomEmojiParams & Upload, options?: CallOptions): Promise<NoResult>;
  /** Takes an emoji away; where it is shown it stays. */
  deactivateCustomEmoji(params: DeactivateCustomEmojiParams, options?: CallOptions): Promise<NoResult>;
  /** Adds a place where code of a language can be tried out. */
  createPlayground(params: CreatePlaygroundParams, options?: CallOptions): Promise<CreatePlaygroundResult>;
  /** Takes a playground away. */
  deletePlayground(params: DeletePlaygroundParams, options?: CallOptions): Promise<NoResult>;
  /** Your saved texts, the oldest first. */
  getSavedSnippets(params?: NoParams, options?: CallOptions): Promise<GetSavedSnippetsResult>;
  /** Saves a text to be sent again. */
  createSavedSnippet(params: CreateSavedSnippetParams, options?: CallOptions): Promise<CreateSavedSnippetResult>;
  /** Changes a saved text. */
  editSavedSnippet(params: EditSavedSnippetParams, options?: CallOptions): Promise<NoResult>;
  /** Deletes a saved text. */
  deleteSavedSnippet(params: DeleteSavedSnippetParams, options?: CallOptions): Promise<NoResult>;
  /** The views that you want at hand. */
  getNavigationViews(params?: NoParams, options?: CallOptions): Promise<GetNavigationViewsResult>;
  /** Adds a view to those that you want at hand. */
  addNavigationView(params: AddNavigationViewParams, options?: CallOptions): Promise<NoResult>;
  /** Pins or renames a view. */
  editNavigationView(params: EditNavigationViewParams, options?: CallOptions): Promise<NoResult>;
  /** Takes a view away. */
  removeNavigationView(params: RemoveNavigationViewParams, options?: CallOptions): Promise<NoResult>;
  /** Uploads a file: the one file of a multipart body, by whatever name its part has. */
  uploadFile(params: Upload, options?: CallOptions): Promise<UploadFileResult>;
  /** An address of a file that works for a minute without credentials. */
  getFileTemporaryUrl(params: GetFileTemporaryUrlParams, options?: CallOptions): Promise<GetFileTemporaryUrlResult>;
  /** The files that you have uploaded, the oldest first, and the messages that have them. */
  getAttachments(params?: NoParams, options?: CallOptions): Promise<GetAttachmentsResult>;
  /** Deletes a file of yours. Messages keep their link, which leads nowhere then. */
  removeAttachment(params: RemoveAttachmentParams, options?: CallOptions): Promise<NoResult>;
  /** Keeps the token of an iOS app that does not encrypt notifications. */
  addApnsToken(params: AddApnsTokenParams, options?: CallOptions): Promise<NoResult>;
  /** Forgets the token of an iOS app. */
  removeApnsToken(params: RemoveApnsTokenParams, options?: CallOptions): Promise<NoResult>;
  /** Keeps the token of an Android app that does not encrypt notifications. */
  addFcmToken(params: AddFcmTokenParams, options?: CallOptions): Promise<NoResult>;
  /** Forgets the token of an Android app. */
  removeFcmToken(params: RemoveFcmTokenParams, options?: CallOptions): Promise<NoResult>;
  /** Gives a device an id. */
  registerClientDevice(params?: NoParams, options?: CallOptions): Promise<RegisterClientDeviceResult>;
  /** Forgets a device; it is notified no more. */
  removeClientDevice(params: RemoveClientDeviceParams, options?: CallOptions): Promise<NoResult>;
  /** Registers a device for notifications that only it can read. */
  registerPushDevice(params?: RegisterPushDeviceParams, options?: CallOptions): Promise<NoResult>;
  /** Sends a test to one device, or to all of yours. */
  testPushDevices(params?: TestPushDevicesParams, options?: CallOptions): Promise<NoResult>;
  /** Sends a test to one token, or to all of yours. */
  testPushTokens(params?: TestPushTokensParams, options?: CallOptions): Promise<NoResult>;
  /** The key with which a browser subscribes; empty where browsers are not notified. */
  getWebPushKey(params?: NoParams, options?: CallOptions): Promise<GetWebPushKeyResult>;
  /** Your browsers that are notified, the oldest first. */
  getBrowserSubscriptions(params?: NoParams, options?: CallOptions): Promise<GetBrowserSubscriptionsResult>;
  /** Notifies a browser from now on. One that subscribes in a session is notified until that session ends. */
  subscribeBrowser(params: SubscribeBrowserParams, options?: CallOptions): Promise<NoResult>;
  /** Notifies a browser no more. */
  unsubscribeBrowser(params: UnsubscribeBrowserParams, options?: CallOptions): Promise<NoResult>;
  /** Sends a test to one of your browsers. */
  testBrowser(params: TestBrowserParams, options?: CallOptions): Promise<NoResult>;
  /** The domains whose addresses are let in, where the organization restricts them. */
  getRealmDomains(params?: NoParams, options?: CallOptions): Promise<GetRealmDomainsResult>;
  /** Lets in addresses of a domain. */
  addRealmDomain(params: AddRealmDomainParams, options?: CallOptions): Promise<NoResult>;
  /** Says whether subdomains of a domain count. */
  updateRealmDomain(params: UpdateRealmDomainParams, options?: CallOptions): Promise<NoResult>;
  /** No longer lets in addresses of a domain. */
  removeRealmDomain(params: RemoveRealmDomainParams, options?: CallOptions): Promise<NoResult>;
  /** Invitations that are open: all of them for administrators, otherwise your own. */
  getInvites(params?: NoParams, options?: CallOptions): Promise<GetInvitesResult>;
  /** Invites people by email. */
  sendInvites(params: SendInvitesParams, options?: CallOptions): Promise<NoResult>;
  /** Makes an invitation link that many people can use. */
  createInviteLink(params?: CreateInviteLinkParams, options?: CallOptions): Promise<CreateInviteLinkResult>;
  /** Revokes an invitation by email. */
  revokeInvite(params: RevokeInviteParams, options?: CallOptions): Promise<NoResult>;
  /** Revokes an invitation link that many people can use. */
  revokeInviteLink(params: RevokeInviteLinkParams, options?: CallOptions): Promise<NoResult>;
  /** Sends the email of an invitation again. */
  resendInvite(params: ResendInviteParams, options?: CallOptions): Promise<NoResult>;
  /** Takes up an invitation. An extension: other servers have only web pages for it. */
  registerAccount(params: RegisterAccountParams, options?: CallOptions): Promise<RegisterAccountResult>;
}

/** Method and path of every operation. */
export const CHAT_ROUTES: Readonly<Record<keyof ChatMethods, string>> = {
  getServerSettings: 'GET /server_settings',
  fetchApiKey: 'POST /fetch_api_key',
  regenerateApiKey: 'POST /users/me/api_key/regenerate',
  getOwnUser: 'GET /users/me',
  deactivateOwnUser: 'DELETE /users/me',
  getUsers: 'GET /users',
  createUser: 'POST /users',
  getUser: 'GET /users/{user_id}',
  updateUser: 'PATCH /users/{user_id}',
  deactivateUser: 'DELETE /users/{user_id}',
  getUserByEmail: 'GET /users/{email}',
  updateUserByEmail: 'PATCH /users/{email}',
  reactivateUser: 'POST /users/{user_id}/reactivate',
  getBots: 'GET /bots',
  createBot: 'POST /bots',
  updateBot: 'PATCH /bots/{bot_id}',
  deactivateBot: 'DELETE /bots/{bot_id}',
  getBotApiKey: 'GET /bots/{bot_id}/api_key',
  regenerateBotApiKey: 'POST /bots/{bot_id}/api_key/regenerate',
  getUserGroups: 'GET /user_groups',
  createUserGroup: 'POST /user_groups/create',
  updateUserGroup: 'PATCH /user_groups/{user_group_id}',
  deactivateUserGroup: 'POST /user_groups/{user_group_id}/deactivate',
  getUserGroupMembers: 'GET /user_groups/{user_group_id}/members',
  updateUserGroupMembers: 'POST /user_groups/{user_group_id}/members',
  getIsUserGroupMember: 'GET /user_groups/{user_group_id}/members/{user_id}',
  getUserGroupSubgroups: 'GET /user_groups/{user_group_id}/subgroups',
  updateUserGroupSubgroups: 'POST /user_groups/{user_group_id}/subgroups',
  setAvatar: 'POST /users/me/avatar',
  removeAvatar: 'DELETE /users/me/avatar',
  updateSettings: 'PATCH /settings',
  updateRealm: 'PATCH /realm',
  updateRealmUserSettingsDefaults: 'PATCH /realm/user_settings_defaults',
  getAuditLog: 'GET /audit_log',
  getProfileFields: 'GET /realm/profile_fields',
  createProfileField: 'POST /realm/profile_fields',
  reorderProfileFields: 'PATCH /realm/profile_fields',
  updateProfileField: 'PATCH /realm/profile_fields/{field_id}',
  deleteProfileField: 'DELETE /realm/profile_fields/{field_id}',
  updateProfileData: 'PATCH /users/me/profile_data',
  removeProfileData: 'DELETE /users/me/profile_data',
  registerQueue: 'POST /register',
  getEvents: 'GET /events',
  deleteQueue: 'DELETE /events',
  getMessages: 'GET /messages',
  sendMessage: 'POST /messages',
  renderMessage: 'POST /messages/render',
  checkMessagesMatchNarrow: 'GET /messages/matches_narrow',
  updateMessageFlags: 'POST /messages/flags',
  updateMessageFlagsForNarrow: 'POST /messages/flags/narrow',
  markAllAsRead: 'POST /mark_all_as_read',
  markStreamAsRead: 'POST /mark_stream_as_read',
  markTopicAsRead: 'POST /mark_topic_as_read',
  getMessage: 'GET /messages/{message_id}',
  updateMessage: 'PATCH /messages/{message_id}',
  deleteMessage: 'DELETE /messages/{message_id}',
  getMessageHistory: 'GET /messages/{message_id}/history',
  getReadReceipts: 'GET /messages/{message_id}/read_receipts',
  deleteTopic: 'POST /streams/{stream_id}/delete_topic',
  reportMessage: 'POST /messages/{message_id}/report',
  getStreamTopics: 'GET /users/me/{stream_id}/topics',
  addReaction: 'POST /messages/{message_id}/reactions',
  removeReaction: 'DELETE /messages/{message_id}/reactions',
  sendSubmessage: 'POST /submessage',
  updateDisplaySettings: 'PATCH /settings/display',
  updateNotificationSettings: 'PATCH /settings/notifications',
  getBotStorage: 'GET /bot_storage',
  updateBotStorage: 'PUT /bot_storage',
  removeBotStorage: 'DELETE /bot_storage',
  markOnboardingStepAsRead: 'POST /users/me/onboarding_steps',
  getScheduledMessages: 'GET /scheduled_messages',
  createScheduledMessage: 'POST /scheduled_messages',
  updateScheduledMessage: 'PATCH /scheduled_messages/{scheduled_message_id}',
  deleteScheduledMessage: 'DELETE /scheduled_messages/{scheduled_message_id}',
  getReminders: 'GET /reminders',
  createMessageReminder: 'POST /reminders',
  deleteReminder: 'DELETE /reminders/{reminder_id}',
  getDrafts: 'GET /drafts',
  createDrafts: 'POST /drafts',
  editDraft: 'PATCH /drafts/{draft_id}',
  deleteDraft: 'DELETE /drafts/{draft_id}',
  createChannel: 'POST /channels/create',
  getChannels: 'GET /streams',
  getChannel: 'GET /streams/{stream_id}',
  updateChannel: 'PATCH /streams/{stream_id}',
  archiveChannel: 'DELETE /streams/{stream_id}',
  getChannelId: 'GET /get_stream_id',
  getSubscribers: 'GET /streams/{stream_id}/members',
  getChannelEmail: 'GET /streams/{stream_id}/email_address',
  getSubscriptions: 'GET /users/me/subscriptions',
  subscribe: 'POST /users/me/subscriptions',
  updateSubscriptions: 'PATCH /users/me/subscriptions',
  unsubscribe: 'DELETE /users/me/subscriptions',
  updateSubscriptionSettings: 'POST /users/me/subscriptions/properties',
  updateSubscriptionProperty: 'PATCH /users/me/subscriptions/{stream_id}',
  getSubscriptionStatus: 'GET /users/{user_id}/subscriptions/{stream_id}',
  getUserChannels: 'GET /users/{user_id}/channels',
  addDefaultChannel: 'POST /default_streams',
  removeDefaultChannel: 'DELETE /default_streams',
  createChannelFolder: 'POST /channel_folders/create',
  getChannelFolders: 'GET /channel_folders',
  reorderChannelFolders: 'PATCH /channel_folders',
  updateChannelFolder: 'PATCH /channel_folders/{channel_folder_id}',
  updateUserTopic: 'POST /user_topics',
  muteTopic: 'PATCH /users/me/subscriptions/muted_topics',
  setTypingStatus: 'POST /typing',
  setTypingStatusForMessageEdit: 'POST /messages/{message_id}/typing',
  updatePresence: 'POST /users/me/presence',
  getRealmPresence: 'GET /realm/presence',
  getUserPresence: 'GET /users/{user_id}/presence',
  getUserPresenceByEmail: 'GET /users/{email}/presence',
  updateStatus: 'POST /users/me/status',
  getUserStatus: 'GET /users/{user_id}/status',
  updateStatusOfUser: 'POST /users/{user_id}/status',
  muteUser: 'POST /users/me/muted_users/{muted_user_id}',
  unmuteUser: 'DELETE /users/me/muted_users/{muted_user_id}',
  getAlertWords: 'GET /users/me/alert_words',
  addAlertWords: 'POST /users/me/alert_words',
  removeAlertWords: 'DELETE /users/me/alert_words',
  getLinkifiers: 'GET /realm/linkifiers',
  reorderLinkifiers: 'PATCH /realm/linkifiers',
  createLinkifier: 'POST /realm/filters',
  updateLinkifier: 'PATCH /realm/filters/{filter_id}',
  deleteLinkifier: 'DELETE /realm/filters/{filter_id}',
  getCustomEmoji: 'GET /realm/emoji',
  uploadCustomEmoji: 'POST /realm/emoji/{emoji_name}',
  deactivateCustomEmoji: 'DELETE /realm/emoji/{emoji_name}',
  createPlayground: 'POST /realm/playgrounds',
  deletePlayground: 'DELETE /realm/playgrounds/{playground_id}',
  getSavedSnippets: 'GET /saved_snippets',
  createSavedSnippet: 'POST /saved_snippets',
  editSavedSnippet: 'PATCH /saved_snippets/{saved_snippet_id}',
  deleteSavedSnippet: 'DELETE /saved_snippets/{saved_snippet_id}',
  getNavigationViews: 'GET /navigation_views',
  addNavigationView: 'POST /navigation_views',
  editNavigationView: 'PATCH /navigation_views/{fragment}',
  removeNavigationView: 'DELETE /navigation_views/{fragment}',
  uploadFile: 'POST /user_uploads',
  getFileTemporaryUrl: 'GET /user_uploads/{realm_id_str}/{filename}',
  getAttachments: 'GET /attachments',
  removeAttachment: 'DELETE /attachments/{attachment_id}',
  addApnsToken: 'POST /users/me/apns_device_token',
  removeApnsToken: 'DELETE /users/me/apns_device_token',
  addFcmToken: 'POST /users/me/android_gcm_reg_id',
  removeFcmToken: 'DELETE /users/me/android_gcm_reg_id',
  registerClientDevice: 'POST /register_client_device',
  removeClientDevice: 'POST /remove_client_device',
  registerPushDevice: 'POST /mobile_push/register',
  testPushDevices: 'POST /mobile_push/e2ee/test_notification',
  testPushTokens: 'POST /mobile_push/test_notification',
  getWebPushKey: 'GET /web_push/key',
  getBrowserSubscriptions: 'GET /users/me/web_push_subscriptions',
  subscribeBrowser: 'POST /users/me/web_push_subscriptions',
  unsubscribeBrowser: 'DELETE /users/me/web_push_subscriptions',
  testBrowser: 'POST /users/me/web_push_subscriptions/test',
  getRealmDomains: 'GET /realm/domains',
  addRealmDomain: 'POST /realm/domains',
  updateRealmDomain: 'PATCH /realm/domains/{domain}',
  removeRealmDomain: 'DELETE /realm/domains/{domain}',
  getInvites: 'GET /invites',
  sendInvites: 'POST /invites',
  createInviteLink: 'POST /invites/multiuse',
  revokeInvite: 'DELETE /invites/{invite_id}',
  revokeInviteLink: 'DELETE /invites/multiuse/{invite_id}',
  resendInvite: 'POST /invites/{invite_id}/resend',
  registerAccount: 'POST /register_account',
};

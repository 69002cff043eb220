// Generated from contracts/ by packages/sdk/generate. Do not edit; run: npm run gen
import type { Order, MyTrade, Balance, Deposit, Withdrawal } from '../trading/types.generated.ts';
export interface GetServerSettingsResult {
    readonly authentication_methods: {
        readonly [key: string]: boolean;
    };
    readonly external_authentication_methods: readonly {
        readonly name: string;
        readonly display_name: string;
        readonly display_icon: string | null;
        /** A path, without a query: clients add their own. */
        readonly login_url: string;
        readonly signup_url: string;
    }[];
    readonly zulip_version: string;
    readonly zulip_feature_level: number;
    readonly zulip_merge_base: string;
    readonly push_notifications_enabled: boolean;
    readonly is_incompatible: boolean;
    readonly email_auth_enabled: boolean;
    readonly require_email_format_usernames: boolean;
    readonly realm_url: string;
    /** Older name of realm_url. */
    readonly realm_uri: string;
    readonly realm_name: string;
    readonly realm_icon: string;
    /** HTML */
    readonly realm_description: string;
    readonly realm_web_public_access_enabled: boolean;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface FetchApiKeyParams {
    readonly username: string;
    readonly password: string;
}
export interface FetchApiKeyResult {
    readonly api_key: string;
    readonly email: string;
    readonly user_id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface RegenerateApiKeyResult {
    readonly api_key: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetOwnUserResult {
    readonly user_id: number;
    readonly email: string;
    readonly delivery_email: string | null;
    readonly full_name: string;
    /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest */
    readonly role: number;
    readonly is_owner: boolean;
    readonly is_admin: boolean;
    readonly is_guest: boolean;
    readonly is_bot: boolean;
    readonly bot_type: number | null;
    readonly bot_owner_id: number | null;
    /** Only when true. */
    readonly is_system_bot?: boolean;
    readonly is_active: boolean;
    readonly is_imported_stub: boolean;
    readonly timezone: string;
    /** ISO 8601, to the minute, UTC */
    readonly date_joined: string;
    readonly avatar_url: string | null;
    readonly avatar_version: number;
    readonly profile_data?: {
        readonly [key: string]: {
            readonly value: string;
            readonly rendered_value?: string;
        };
    };
    readonly max_message_id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetUsersParams {
    /** Accepted for older clients: every picture is served from here. */
    readonly client_gravatar?: boolean;
    readonly include_custom_profile_fields?: boolean;
    /** Only these; ids of nobody are left out. */
    readonly user_ids?: readonly number[];
}
export interface GetUsersResult {
    readonly members: readonly {
        readonly user_id: number;
        readonly email: string;
        readonly delivery_email: string | null;
        readonly full_name: string;
        /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest */
        readonly role: number;
        readonly is_owner: boolean;
        readonly is_admin: boolean;
        readonly is_guest: boolean;
        readonly is_bot: boolean;
        readonly bot_type: number | null;
        readonly bot_owner_id: number | null;
        /** Only when true. */
        readonly is_system_bot?: boolean;
        readonly is_active: boolean;
        readonly is_imported_stub: boolean;
        readonly timezone: string;
        /** ISO 8601, to the minute, UTC */
        readonly date_joined: string;
        readonly avatar_url: string | null;
        readonly avatar_version: number;
        readonly profile_data?: {
            readonly [key: string]: {
                readonly value: string;
                readonly rendered_value?: string;
            };
        };
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface CreateUserParams {
    readonly email: string;
    readonly password: string;
    readonly full_name: string;
}
export interface CreateUserResult {
    readonly user_id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetUserParams {
    readonly user_id: number;
    /** Accepted for older clients: every picture is served from here. */
    readonly client_gravatar?: boolean;
    readonly include_custom_profile_fields?: boolean;
}
export interface GetUserResult {
    readonly user: {
        readonly user_id: number;
        readonly email: string;
        readonly delivery_email: string | null;
        readonly full_name: string;
        /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest */
        readonly role: number;
        readonly is_owner: boolean;
        readonly is_admin: boolean;
        readonly is_guest: boolean;
        readonly is_bot: boolean;
        readonly bot_type: number | null;
        readonly bot_owner_id: number | null;
        /** Only when true. */
        readonly is_system_bot?: boolean;
        readonly is_active: boolean;
        readonly is_imported_stub: boolean;
        readonly timezone: string;
        /** ISO 8601, to the minute, UTC */
        readonly date_joined: string;
        readonly avatar_url: string | null;
        readonly avatar_version: number;
        readonly profile_data?: {
            readonly [key: string]: {
                readonly value: string;
                readonly rendered_value?: string;
            };
        };
    };
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateUserParams {
    readonly user_id: number;
    readonly full_name?: string;
    /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest */
    readonly role?: 100 | 200 | 300 | 400 | 600;
    /** Values of custom profile fields. */
    readonly profile_data?: readonly {
        readonly id: number;
        readonly value: string | readonly number[];
    }[];
    /** Another address. The new mailbox confirms it, and the old one may cancel for 72 hours; then it changes. For a bot, or where the server sends no emails, it changes at once. */
    readonly new_email?: string;
}
export interface DeactivateUserParams {
    readonly user_id: number;
    /** Given, the person gets an email, with these words if there are any. */
    readonly deactivation_notification_comment?: string;
    /** What of the person is deleted for good. */
    readonly actions?: {
        readonly delete_profile?: boolean;
        readonly delete_public_channel_messages?: boolean;
        readonly delete_private_channel_messages?: boolean;
        readonly delete_direct_messages?: boolean;
    };
}
export interface GetUserByEmailParams {
    readonly email: string;
    /** Accepted for older clients: every picture is served from here. */
    readonly client_gravatar?: boolean;
    readonly include_custom_profile_fields?: boolean;
}
export interface GetUserByEmailResult {
    readonly user: {
        readonly user_id: number;
        readonly email: string;
        readonly delivery_email: string | null;
        readonly full_name: string;
        /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest */
        readonly role: number;
        readonly is_owner: boolean;
        readonly is_admin: boolean;
        readonly is_guest: boolean;
        readonly is_bot: boolean;
        readonly bot_type: number | null;
        readonly bot_owner_id: number | null;
        /** Only when true. */
        readonly is_system_bot?: boolean;
        readonly is_active: boolean;
        readonly is_imported_stub: boolean;
        readonly timezone: string;
        /** ISO 8601, to the minute, UTC */
        readonly date_joined: string;
        readonly avatar_url: string | null;
        readonly avatar_version: number;
        readonly profile_data?: {
            readonly [key: string]: {
                readonly value: string;
                readonly rendered_value?: string;
            };
        };
    };
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateUserByEmailParams {
    readonly email: string;
    readonly full_name?: string;
    /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest */
    readonly role?: 100 | 200 | 300 | 400 | 600;
    /** Values of custom profile fields. */
    readonly profile_data?: readonly {
        readonly id: number;
        readonly value: string | readonly number[];
    }[];
    /** Another address. The new mailbox confirms it, and the old one may cancel for 72 hours; then it changes. For a bot, or where the server sends no emails, it changes at once. */
    readonly new_email?: string;
}
export interface ReactivateUserParams {
    readonly user_id: number;
}
export interface GetBotsResult {
    readonly bots: readonly {
        readonly user_id: number;
        /** The address of the bot. */
        readonly username: string;
        readonly full_name: string;
        readonly api_key: string;
        readonly avatar_url: string;
        readonly default_sending_stream: null;
        readonly default_events_register_stream: null;
        readonly default_all_public_streams: boolean;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface CreateBotParams {
    readonly full_name: string;
    readonly short_name: string;
    /** 1 generic, 2 incoming webhook, 3 outgoing webhook; 4 (embedded) is refused */
    readonly bot_type?: 1 | 2 | 3 | 4;
    /** Where an outgoing webhook is called; plain, or as JSON. */
    readonly payload_url?: string;
    /** 1 the form of this API, 2 that of Slack */
    readonly interface_type?: number;
}
export interface CreateBotResult {
    readonly user_id: number;
    readonly api_key: string;
    readonly avatar_url: string;
    readonly default_sending_stream: null;
    readonly default_events_register_stream: null;
    readonly default_all_public_streams: boolean;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateBotParams {
    readonly bot_id: number;
    readonly full_name?: string;
    /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest */
    readonly role?: 100 | 200 | 300 | 400 | 600;
    readonly bot_owner_id?: number;
    /** Where an outgoing webhook is called; plain, or as JSON. */
    readonly service_payload_url?: string;
    /** 1 the form of this API, 2 that of Slack */
    readonly service_interface?: number;
}
export interface UpdateBotResult {
    readonly full_name: string;
    readonly avatar_url: string;
    readonly bot_owner_id: number | null;
    readonly service_payload_url?: string;
    readonly service_interface?: number;
    readonly default_sending_stream: null;
    readonly default_events_register_stream: null;
    readonly default_all_public_streams: boolean;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface DeactivateBotParams {
    readonly bot_id: number;
}
export interface GetBotApiKeyParams {
    readonly bot_id: number;
}
export interface GetBotApiKeyResult {
    readonly api_key: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface RegenerateBotApiKeyParams {
    readonly bot_id: number;
}
export interface RegenerateBotApiKeyResult {
    readonly api_key: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetUserGroupsParams {
    readonly include_deactivated_groups?: boolean;
}
export interface GetUserGroupsResult {
    readonly user_groups: readonly {
        readonly id: number;
        readonly name: string;
        readonly description: string;
        /** UNIX seconds */
        readonly date_created: number | null;
        readonly creator_id: number | null;
        /** Active, ascending. */
        readonly members: readonly number[];
        readonly direct_subgroup_ids: readonly number[];
        readonly is_system_group: boolean;
        readonly deactivated: boolean;
        readonly can_add_members_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_join_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_leave_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_manage_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_mention_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_remove_members_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface CreateUserGroupParams {
    readonly name: string;
    readonly description: string;
    readonly members: readonly number[];
    readonly subgroups?: readonly number[];
    readonly can_add_members_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_join_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_leave_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_manage_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_mention_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_remove_members_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
}
export interface CreateUserGroupResult {
    readonly group_id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateUserGroupParams {
    readonly user_group_id: number;
    readonly name?: string;
    readonly description?: string;
    /** False puts it into use again. */
    readonly deactivated?: boolean;
    readonly can_add_members_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_join_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_leave_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_manage_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_mention_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_remove_members_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
}
export interface DeactivateUserGroupParams {
    readonly user_group_id: number;
}
export interface GetUserGroupMembersParams {
    readonly user_group_id: number;
    /** Without those who are in it through a subgroup. */
    readonly direct_member_only?: boolean;
}
export interface GetUserGroupMembersResult {
    readonly members: readonly number[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateUserGroupMembersParams {
    readonly user_group_id: number;
    readonly delete?: readonly number[];
    readonly add?: readonly number[];
    readonly delete_subgroups?: readonly number[];
    readonly add_subgroups?: readonly number[];
}
export interface GetIsUserGroupMemberParams {
    readonly user_group_id: number;
    readonly user_id: number;
    readonly direct_member_only?: boolean;
}
export interface GetIsUserGroupMemberResult {
    readonly is_user_group_member: boolean;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetUserGroupSubgroupsParams {
    readonly user_group_id: number;
    readonly direct_subgroup_only?: boolean;
}
export interface GetUserGroupSubgroupsResult {
    readonly subgroups: readonly number[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateUserGroupSubgroupsParams {
    readonly user_group_id: number;
    readonly delete?: readonly number[];
    readonly add?: readonly number[];
}
export interface SetAvatarResult {
    readonly avatar_url: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface RemoveAvatarResult {
    readonly avatar_url: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateSettingsParams {
    readonly full_name?: string;
    /** Another address for your account. It changes when both mailboxes have confirmed it, within 24 hours. */
    readonly email?: string;
    /** With new_password: the one you have. */
    readonly old_password?: string;
    readonly new_password?: string;
    /** With new_password: `chat` also ends your API key, so that whoever has it is signed out, and you get a new one; `all` deletes your trading keys too; `none` keeps all. In a browser `chat` is the default, with an API key `none`. */
    readonly revoke?: "none" | "chat" | "all";
    /** A name of the IANA time zone database. */
    readonly timezone?: string;
    readonly enter_sends?: boolean;
    readonly left_side_userlist?: boolean;
    readonly fluid_layout_width?: boolean;
    readonly high_contrast_mode?: boolean;
    readonly translate_emoticons?: boolean;
    readonly twenty_four_hour_time?: boolean;
    readonly enable_stream_desktop_notifications?: boolean;
    readonly enable_stream_email_notifications?: boolean;
    readonly enable_stream_push_notifications?: boolean;
    readonly enable_stream_audible_notifications?: boolean;
    readonly allow_private_data_export?: boolean;
    readonly hide_ai_features?: boolean;
    readonly web_escape_navigates_to_home_view?: boolean;
    readonly display_emoji_reaction_users?: boolean;
    readonly starred_message_counts?: boolean;
    readonly web_suggest_update_timezone?: boolean;
    readonly web_left_sidebar_show_channel_folders?: boolean;
    readonly web_left_sidebar_unreads_count_summary?: boolean;
    readonly web_inbox_show_channel_folders?: boolean;
    readonly web_navigate_to_sent_message?: boolean;
    readonly wildcard_mentions_notify?: boolean;
    readonly enable_followed_topic_desktop_notifications?: boolean;
    readonly enable_followed_topic_email_notifications?: boolean;
    readonly enable_followed_topic_push_notifications?: boolean;
    readonly enable_followed_topic_audible_notifications?: boolean;
    readonly enable_followed_topic_wildcard_mentions_notify?: boolean;
    readonly enable_desktop_notifications?: boolean;
    readonly pm_content_in_desktop_notifications?: boolean;
    readonly enable_sounds?: boolean;
    readonly enable_offline_email_notifications?: boolean;
    readonly message_content_in_email_notifications?: boolean;
    readonly enable_offline_push_notifications?: boolean;
    readonly enable_online_push_notifications?: boolean;
    readonly enable_digest_emails?: boolean;
    readonly enable_login_emails?: boolean;
    readonly enable_marketing_emails?: boolean;
    readonly presence_enabled?: boolean;
    readonly automatically_follow_topics_where_mentioned?: boolean;
    readonly enable_drafts_synchronization?: boolean;
    readonly send_stream_typing_notifications?: boolean;
    readonly send_private_typing_notifications?: boolean;
    readonly send_read_receipts?: boolean;
    readonly receives_typing_notifications?: boolean;
    readonly default_language?: "ar" | "bg" | "ca" | "cs" | "cy" | "da" | "de" | "el" | "en" | "en-gb" | "es" | "fa" | "fi" | "fr" | "gu" | "hi" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "mn" | "nl" | "nn" | "pl" | "pt" | "pt-br" | "ro" | "ru" | "sr" | "sv" | "ta" | "tr" | "uk" | "vi" | "zh-hans" | "zh-tw";
    readonly web_home_view?: "inbox" | "recent_topics" | "recent" | "all_messages";
    readonly color_scheme?: 1 | 2 | 3;
    readonly web_font_size_px?: number;
    readonly web_line_height_percent?: number;
    readonly web_animate_image_previews?: "always" | "on_hover" | "never";
    readonly demote_inactive_streams?: 1 | 2 | 3;
    readonly web_mark_read_on_scroll_policy?: 1 | 2 | 3;
    readonly web_channel_default_view?: 1 | 2 | 3 | 4;
    readonly emojiset?: "google" | "twitter" | "text";
    readonly user_list_style?: 1 | 2 | 3;
    readonly web_stream_unreads_count_display_policy?: 1 | 2 | 3;
    readonly notification_sound?: string;
    readonly email_notifications_batching_period_seconds?: number;
    readonly desktop_icon_count_display?: 1 | 2 | 3 | 4;
    readonly realm_name_in_email_notifications_policy?: 1 | 2 | 3;
    readonly automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
    readonly automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
    readonly resolved_topic_notice_auto_read_policy?: "always" | "except_followed" | "never";
    readonly email_address_visibility?: 1 | 2 | 3 | 4 | 5;
    /** For administrators: whose settings are changed instead of your own, if they did not choose themselves. */
    readonly target_users?: {
        readonly user_ids?: readonly number[];
        readonly group_ids?: readonly number[];
        readonly skip_if_already_edited?: boolean;
    };
}
export interface UpdateSettingsResult {
    /** Your new key, if you asked with the old one and revoked it. */
    readonly api_key?: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateRealmParams {
    readonly name?: string;
    readonly description?: string;
    readonly allow_message_editing?: boolean;
    /** Seconds, or the word unlimited. */
    readonly message_content_edit_limit_seconds?: number | "unlimited";
    /** Seconds, or the word unlimited. */
    readonly message_content_delete_limit_seconds?: number | "unlimited";
    /** Seconds, or the word unlimited. */
    readonly move_messages_within_stream_limit_seconds?: number | "unlimited";
    /** Seconds, or the word unlimited. */
    readonly move_messages_between_streams_limit_seconds?: number | "unlimited";
    readonly message_edit_history_visibility_policy?: "all" | "moves" | "none";
    readonly topics_policy?: "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
    readonly message_retention_days?: number | "unlimited";
    readonly invite_required?: boolean;
    readonly disallow_disposable_email_addresses?: boolean;
    readonly emails_restricted_to_domains?: boolean;
    readonly second_factor_required?: "none" | "owners" | "administrators" | "members" | "everyone";
    readonly default_language?: string;
    readonly default_code_block_language?: string;
    readonly enable_read_receipts?: boolean;
    readonly enable_guest_user_indicator?: boolean;
    readonly enable_guest_user_dm_warning?: boolean;
    readonly inline_image_preview?: boolean;
    readonly send_welcome_emails?: boolean;
    readonly message_content_allowed_in_email_notifications?: boolean;
    readonly enable_spectator_access?: boolean;
    readonly name_changes_disabled?: boolean;
    readonly email_changes_disabled?: boolean;
    readonly avatar_changes_disabled?: boolean;
    readonly require_unique_names?: boolean;
    readonly inline_url_embed_preview?: boolean;
    readonly digest_emails_enabled?: boolean;
    readonly send_channel_events_messages?: boolean;
    readonly presence_disabled?: boolean;
    readonly require_e2ee_push_notifications?: boolean;
    readonly want_advertise_in_communities_directory?: boolean;
    readonly media_preview_size?: 100 | 150 | 200;
    readonly digest_weekday?: 0 | 1 | 2 | 3 | 4 | 5 | 6;
    readonly welcome_message_custom_text?: string;
    readonly video_chat_provider?: number;
    /** The word default for the own one. */
    readonly jitsi_server_url?: string;
    readonly gif_rating_policy?: 0 | 1 | 2 | 3 | 4;
    readonly org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000;
    readonly moderation_request_channel_id?: number;
    readonly new_stream_announcements_stream_id?: number;
    readonly signup_announcements_stream_id?: number;
    readonly zulip_update_announcements_stream_id?: number;
    /** Days. */
    readonly waiting_period_threshold?: number;
    readonly authentication_methods?: {
        readonly [key: string]: boolean;
    };
    readonly create_multiuse_invite_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_access_all_users_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_add_subscribers_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_add_custom_emoji_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_create_bots_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_create_write_only_bots_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_create_groups?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_create_public_channel_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_create_private_channel_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_create_web_public_channel_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_delete_any_message_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_delete_own_message_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_invite_users_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_manage_all_groups?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_manage_billing_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_mention_many_users_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_move_messages_between_channels_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_move_messages_between_topics_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_resolve_topics_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_set_delete_message_policy_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_set_topics_policy_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_summarize_topics_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly direct_message_initiator_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly direct_message_permission_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly workplace_users_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
}
export interface UpdateRealmResult {
    /** The new value; of a text only that it is updated. */
    readonly name?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly description?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly allow_message_editing?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly message_content_edit_limit_seconds?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly message_content_delete_limit_seconds?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly move_messages_within_stream_limit_seconds?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly move_messages_between_streams_limit_seconds?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly message_edit_history_visibility_policy?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly topics_policy?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly message_retention_days?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly invite_required?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly disallow_disposable_email_addresses?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly emails_restricted_to_domains?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly second_factor_required?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly default_language?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly default_code_block_language?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly enable_read_receipts?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly enable_guest_user_indicator?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly enable_guest_user_dm_warning?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly inline_image_preview?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly send_welcome_emails?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly message_content_allowed_in_email_notifications?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly enable_spectator_access?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly name_changes_disabled?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly email_changes_disabled?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly avatar_changes_disabled?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly require_unique_names?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly inline_url_embed_preview?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly digest_emails_enabled?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly send_channel_events_messages?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly presence_disabled?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly require_e2ee_push_notifications?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly want_advertise_in_communities_directory?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly media_preview_size?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly digest_weekday?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly welcome_message_custom_text?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly video_chat_provider?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly jitsi_server_url?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly gif_rating_policy?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly org_type?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly moderation_request_channel_id?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly new_stream_announcements_stream_id?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly signup_announcements_stream_id?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly zulip_update_announcements_stream_id?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly waiting_period_threshold?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly create_multiuse_invite_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_access_all_users_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_add_subscribers_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_add_custom_emoji_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_create_bots_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_create_write_only_bots_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_create_groups?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_create_public_channel_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_create_private_channel_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_create_web_public_channel_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_delete_any_message_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_delete_own_message_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_invite_users_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_manage_all_groups?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_manage_billing_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_mention_many_users_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_move_messages_between_channels_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_move_messages_between_topics_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_resolve_topics_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_set_delete_message_policy_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_set_topics_policy_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly can_summarize_topics_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly direct_message_initiator_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly direct_message_permission_group?: unknown;
    /** The new value; of a text only that it is updated. */
    readonly workplace_users_group?: unknown;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateRealmUserSettingsDefaultsParams {
    readonly enter_sends?: boolean;
    readonly left_side_userlist?: boolean;
    readonly fluid_layout_width?: boolean;
    readonly high_contrast_mode?: boolean;
    readonly translate_emoticons?: boolean;
    readonly twenty_four_hour_time?: boolean;
    readonly enable_stream_desktop_notifications?: boolean;
    readonly enable_stream_email_notifications?: boolean;
    readonly enable_stream_push_notifications?: boolean;
    readonly enable_stream_audible_notifications?: boolean;
    readonly allow_private_data_export?: boolean;
    readonly hide_ai_features?: boolean;
    readonly web_escape_navigates_to_home_view?: boolean;
    readonly display_emoji_reaction_users?: boolean;
    readonly starred_message_counts?: boolean;
    readonly web_suggest_update_timezone?: boolean;
    readonly web_left_sidebar_show_channel_folders?: boolean;
    readonly web_left_sidebar_unreads_count_summary?: boolean;
    readonly web_inbox_show_channel_folders?: boolean;
    readonly web_navigate_to_sent_message?: boolean;
    readonly wildcard_mentions_notify?: boolean;
    readonly enable_followed_topic_desktop_notifications?: boolean;
    readonly enable_followed_topic_email_notifications?: boolean;
    readonly enable_followed_topic_push_notifications?: boolean;
    readonly enable_followed_topic_audible_notifications?: boolean;
    readonly enable_followed_topic_wildcard_mentions_notify?: boolean;
    readonly enable_desktop_notifications?: boolean;
    readonly pm_content_in_desktop_notifications?: boolean;
    readonly enable_sounds?: boolean;
    readonly enable_offline_email_notifications?: boolean;
    readonly message_content_in_email_notifications?: boolean;
    readonly enable_offline_push_notifications?: boolean;
    readonly enable_online_push_notifications?: boolean;
    readonly enable_digest_emails?: boolean;
    readonly enable_login_emails?: boolean;
    readonly enable_marketing_emails?: boolean;
    readonly presence_enabled?: boolean;
    readonly automatically_follow_topics_where_mentioned?: boolean;
    readonly enable_drafts_synchronization?: boolean;
    readonly send_stream_typing_notifications?: boolean;
    readonly send_private_typing_notifications?: boolean;
    readonly send_read_receipts?: boolean;
    readonly receives_typing_notifications?: boolean;
    readonly default_language?: "ar" | "bg" | "ca" | "cs" | "cy" | "da" | "de" | "el" | "en" | "en-gb" | "es" | "fa" | "fi" | "fr" | "gu" | "hi" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "mn" | "nl" | "nn" | "pl" | "pt" | "pt-br" | "ro" | "ru" | "sr" | "sv" | "ta" | "tr" | "uk" | "vi" | "zh-hans" | "zh-tw";
    readonly web_home_view?: "inbox" | "recent_topics" | "recent" | "all_messages";
    readonly color_scheme?: 1 | 2 | 3;
    readonly web_font_size_px?: number;
    readonly web_line_height_percent?: number;
    readonly web_animate_image_previews?: "always" | "on_hover" | "never";
    readonly demote_inactive_streams?: 1 | 2 | 3;
    readonly web_mark_read_on_scroll_policy?: 1 | 2 | 3;
    readonly web_channel_default_view?: 1 | 2 | 3 | 4;
    readonly emojiset?: "google" | "twitter" | "text";
    readonly user_list_style?: 1 | 2 | 3;
    readonly web_stream_unreads_count_display_policy?: 1 | 2 | 3;
    readonly notification_sound?: string;
    readonly email_notifications_batching_period_seconds?: number;
    readonly desktop_icon_count_display?: 1 | 2 | 3 | 4;
    readonly realm_name_in_email_notifications_policy?: 1 | 2 | 3;
    readonly automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
    readonly automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
    readonly resolved_topic_notice_auto_read_policy?: "always" | "except_followed" | "never";
    readonly email_address_visibility?: 1 | 2 | 3 | 4 | 5;
}
export interface GetAuditLogParams {
    /** The `next_before` of the page before: only older entries. */
    readonly before?: number;
    /** How many entries at most. */
    readonly limit?: number;
    /** Only what this person did. */
    readonly user_id?: number;
    /** Only this act. */
    readonly act?: "user create" | "user set_role" | "user rename" | "user set_email" | "user deactivate" | "user reactivate" | "user erase" | "user set_profile" | "user set_status" | "user settings" | "bot create" | "bot set_owner" | "bot set_service" | "invitation send" | "invitation resend" | "invitation revoke" | "invitation accept" | "invitation link create" | "invitation link revoke" | "group create" | "group change" | "group deactivate" | "group members" | "channel create" | "channel change" | "channel archive" | "subscription add" | "subscription remove" | "default_channel add" | "default_channel remove" | "folder create" | "folder change" | "folder order" | "org setting" | "org user_defaults" | "domain add" | "domain change" | "domain remove" | "emoji add" | "emoji remove" | "linkifier create" | "linkifier change" | "linkifier remove" | "linkifier order" | "playground create" | "playground remove" | "profile_field create" | "profile_field change" | "profile_field remove" | "profile_field order";
    /** Seconds: only what was done then or later. */
    readonly since?: number;
    /** Seconds: only what was done before. */
    readonly until?: number;
}
export interface GetAuditLogResult {
    readonly entries: readonly {
        /** Entries are numbered without gaps; you see some of them. */
        readonly id: number;
        /** Seconds. */
        readonly timestamp: number;
        readonly user_id: number | null;
        /** session, key, link, stranger, server or an operator’s way. */
        readonly via: string;
        readonly act: string;
        /** done; denied for what the person had no right to do. */
        readonly outcome: string;
        /** What it was done to. An address that you may not see is replaced by one that names the person. */
        readonly subject: string;
        readonly subject_user_id: number | null;
        readonly before: {
            readonly [key: string]: unknown;
        } | null;
        readonly after: {
            readonly [key: string]: unknown;
        } | null;
    }[];
    /** For the next page; null if this one is the last. */
    readonly next_before: number | null;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetProfileFieldsResult {
    readonly custom_fields: readonly {
        readonly id: number;
        readonly name: string;
        readonly type: number;
        readonly hint: string;
        /** JSON, or empty. */
        readonly field_data: string;
        readonly order: number;
        readonly required: boolean;
        readonly editable_by_user: boolean;
        readonly display_in_profile_summary?: true;
        readonly use_for_user_matching?: true;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface CreateProfileFieldParams {
    readonly field_type: number;
    readonly name?: string;
    readonly hint?: string;
    readonly field_data?: {
        readonly [key: string]: unknown;
    };
    readonly display_in_profile_summary?: boolean;
    readonly required?: boolean;
    readonly editable_by_user?: boolean;
    readonly use_for_user_matching?: boolean;
}
export interface CreateProfileFieldResult {
    readonly id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface ReorderProfileFieldsParams {
    readonly order: readonly number[];
}
export interface UpdateProfileFieldParams {
    readonly field_id: number;
    readonly name?: string;
    readonly hint?: string;
    readonly field_data?: {
        readonly [key: string]: unknown;
    };
    readonly display_in_profile_summary?: boolean;
    readonly required?: boolean;
    readonly editable_by_user?: boolean;
    readonly use_for_user_matching?: boolean;
}
export interface DeleteProfileFieldParams {
    readonly field_id: number;
}
export interface UpdateProfileDataParams {
    readonly data: readonly {
        readonly id: number;
        readonly value: string | readonly number[];
    }[];
}
export interface RemoveProfileDataParams {
    readonly data: readonly number[];
}
export interface RegisterQueueParams {
    readonly apply_markdown?: boolean;
    readonly client_gravatar?: boolean | null;
    readonly slim_presence?: boolean;
    readonly include_subscribers?: "true" | "false" | "partial";
    readonly all_public_streams?: boolean;
    readonly event_types?: readonly string[];
    readonly fetch_event_types?: readonly string[];
    readonly narrow?: readonly (readonly string[] | {
        readonly operator: string;
        readonly operand: string;
    })[];
    readonly client_capabilities?: {
        /** Null for the notification settings of a channel. */
        readonly notification_settings_null?: boolean;
        /** One event for several deleted messages. */
        readonly bulk_message_deletion?: boolean;
        /** Pictures of long-idle users may be left out. */
        readonly user_avatar_url_field_optional?: boolean;
        /** Typing events of channels. */
        readonly stream_typing_notifications?: boolean;
        /** Settings as one object; always so here. */
        readonly user_settings_object?: boolean;
        /** Linkifiers with URL templates. */
        readonly linkifier_url_template?: boolean;
        /** Users may be missing from the list. */
        readonly user_list_incomplete?: boolean;
        /** Deactivated groups too. */
        readonly include_deactivated_groups?: boolean;
        /** Archived channels too. */
        readonly archived_channels?: boolean;
        /** The empty topic as an empty string. */
        readonly empty_topic_name?: boolean;
        /** Presence events by user id. */
        readonly simplified_presence_events?: boolean;
        /** One event for each changed emoji. */
        readonly individual_emoji_changes?: boolean;
    };
    readonly presence_history_limit_days?: number;
    /** Seconds, or the word mobile. */
    readonly idle_queue_timeout?: number | "mobile";
}
export interface RegisterQueueResult {
    readonly queue_id: string;
    readonly last_event_id: number;
    readonly idle_queue_timeout_secs: number;
    readonly zulip_version: string;
    readonly zulip_feature_level: number;
    readonly zulip_merge_base: string;
    /** Only for a queue that names a type of the venue. */
    readonly trading?: {
        /** The last engine event before the queue. Events of the queue are above it. */
        readonly engineSeq: string;
        /** The open accounts of the caller; empty for somebody who has none. */
        readonly accounts: readonly {
            /** Account id. */
            readonly accountId: string;
            /** Label of a sub-account; empty for the main account. */
            readonly name: string;
            /** What the person may do with the account. An API key of the chat itself only shows: orders need a trading key or a session. */
            readonly rights: readonly ("view" | "trade")[];
        }[];
    };
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetEventsParams {
    readonly queue_id: string;
    readonly last_event_id: number;
    readonly dont_block?: boolean;
}
export interface GetEventsResult {
    readonly events: readonly {
        readonly id: number;
        readonly type: string;
    }[];
    readonly queue_id: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface DeleteQueueParams {
    readonly queue_id: string;
}
export interface GetMessagesParams {
    /** An id, newest, oldest, first_unread, or date. */
    readonly anchor?: string;
    /** ISO 8601 */
    readonly anchor_date?: string;
    readonly use_first_unread_anchor?: boolean;
    readonly num_before?: number;
    readonly num_after?: number;
    readonly include_anchor?: boolean;
    /** Terms {operator, operand, negated}, or pairs. At most 100, of which 3 may be a search, with 5 phrases in quotes in all; a search has at most 1000 characters. */
    readonly narrow?: readonly unknown[];
    /** Pictures are never at another service here. */
    readonly client_gravatar?: boolean;
    readonly apply_markdown?: boolean;
    readonly message_ids?: readonly number[];
    readonly allow_empty_topic_name?: boolean;
}
export interface GetMessagesResult {
    readonly messages: readonly {
        readonly id: number;
        readonly sender_id: number;
        readonly sender_email: string;
        readonly sender_full_name: string;
        readonly sender_realm_str: string;
        readonly avatar_url: string | null;
        readonly client: string;
        readonly type: "stream" | "private";
        readonly display_recipient: string | readonly {
            readonly id: number;
            readonly email: string;
            readonly full_name: string;
            readonly is_mirror_dummy: boolean;
        }[];
        readonly stream_id?: number;
        readonly recipient_id: number;
        /** The topic; empty in direct messages. */
        readonly subject: string;
        readonly topic_links: readonly {
            readonly text: string;
            readonly url: string;
        }[];
        readonly content: string;
        readonly content_type: "text/html" | "text/x-markdown";
        readonly timestamp: number;
        readonly is_me_message: boolean;
        readonly reactions: readonly {
            readonly emoji_name: string;
            readonly emoji_code: string;
            readonly reaction_type: string;
            readonly user_id: number;
            readonly user: {
                readonly id: number;
                readonly email: string;
                readonly full_name: string;
            };
        }[];
        readonly submessages: readonly {
            readonly id: number;
            readonly message_id: number;
            readonly sender_id: number;
            readonly msg_type: string;
            readonly content: string;
        }[];
        readonly last_edit_timestamp?: number;
        readonly last_moved_timestamp?: number;
        readonly edit_history?: readonly {
            readonly user_id: number;
            readonly timestamp: number;
            readonly prev_content?: string;
            readonly prev_topic?: string;
            readonly topic?: string;
            readonly prev_stream?: number;
            readonly stream?: number;
        }[];
        readonly flags?: readonly string[];
        readonly match_content?: string;
        readonly match_subject?: string;
    }[];
    readonly anchor?: number;
    readonly found_anchor: boolean;
    readonly found_oldest: boolean;
    readonly found_newest: boolean;
    readonly history_limited: boolean;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface SendMessageParams {
    readonly type: "direct" | "private" | "stream" | "channel";
    /** A channel by name or id, or people by ids or addresses. */
    readonly to?: string | number | readonly (string | number)[];
    readonly topic?: string;
    readonly content: string;
    /** The client's own id of the message. Under a UUID the message is sent once: the same request in the next 24 hours answers the first id. Any other text does that only together with the same queue_id. */
    readonly local_id?: string;
    /** The queue that gets local_message_id back. */
    readonly queue_id?: string;
    /** JSON of a form with choices, as bots send them: zform. */
    readonly widget_content?: string;
    /** By default true for programs in which people write. */
    readonly read_by_sender?: boolean;
}
export interface SendMessageResult {
    readonly id: number;
    readonly message_url: string;
    readonly message_link: string;
    /** 2 unmuted, 3 followed; only if sending changed it. */
    readonly automatic_new_visibility_policy?: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface RenderMessageParams {
    readonly content: string;
}
export interface RenderMessageResult {
    readonly rendered: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface CheckMessagesMatchNarrowParams {
    readonly msg_ids: readonly number[];
    /** Terms {operator, operand, negated}, or pairs. At most 100, of which 3 may be a search, with 5 phrases in quotes in all; a search has at most 1000 characters. */
    readonly narrow: readonly unknown[];
}
export interface CheckMessagesMatchNarrowResult {
    /** By message id; what is not in the narrow is not here. */
    readonly messages: {
        readonly [key: string]: {
            readonly match_content: string;
            readonly match_subject: string;
        };
    };
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateMessageFlagsParams {
    readonly messages: readonly number[];
    /** add or remove */
    readonly op: string;
    /** read, starred or collapsed */
    readonly flag: string;
}
export interface UpdateMessageFlagsResult {
    readonly messages: readonly number[];
    /** Channels in which nothing can be unread, as you are not subscribed. */
    readonly ignored_because_not_subscribed_channels: readonly number[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateMessageFlagsForNarrowParams {
    readonly anchor: string;
    readonly num_before: number;
    readonly num_after: number;
    readonly include_anchor?: boolean;
    readonly narrow: readonly unknown[] | null;
    /** add or remove */
    readonly op: string;
    /** read, starred or collapsed */
    readonly flag: string;
}
export interface UpdateMessageFlagsForNarrowResult {
    readonly processed_count: number;
    readonly updated_count: number;
    readonly first_processed_id: number | null;
    readonly last_processed_id: number | null;
    readonly found_oldest: boolean;
    readonly found_newest: boolean;
    /** Channels in which nothing can be unread, as you are not subscribed. */
    readonly ignored_because_not_subscribed_channels: readonly number[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface MarkAllAsReadResult {
    /** False when the time was up; ask again. */
    readonly complete: boolean;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface MarkStreamAsReadParams {
    readonly stream_id: number;
}
export interface MarkTopicAsReadParams {
    readonly stream_id: number;
    readonly topic_name: string;
}
export interface GetMessageParams {
    readonly message_id: number;
    readonly apply_markdown?: boolean;
    readonly allow_empty_topic_name?: boolean;
}
export interface GetMessageResult {
    readonly message: {
        readonly id: number;
        readonly sender_id: number;
        readonly sender_email: string;
        readonly sender_full_name: string;
        readonly sender_realm_str: string;
        readonly avatar_url: string | null;
        readonly client: string;
        readonly type: "stream" | "private";
        readonly display_recipient: string | readonly {
            readonly id: number;
            readonly email: string;
            readonly full_name: string;
            readonly is_mirror_dummy: boolean;
        }[];
        readonly stream_id?: number;
        readonly recipient_id: number;
        /** The topic; empty in direct messages. */
        readonly subject: string;
        readonly topic_links: readonly {
            readonly text: string;
            readonly url: string;
        }[];
        readonly content: string;
        readonly content_type: "text/html" | "text/x-markdown";
        readonly timestamp: number;
        readonly is_me_message: boolean;
        readonly reactions: readonly {
            readonly emoji_name: string;
            readonly emoji_code: string;
            readonly reaction_type: string;
            readonly user_id: number;
            readonly user: {
                readonly id: number;
                readonly email: string;
                readonly full_name: string;
            };
        }[];
        readonly submessages: readonly {
            readonly id: number;
            readonly message_id: number;
            readonly sender_id: number;
            readonly msg_type: string;
            readonly content: string;
        }[];
        readonly last_edit_timestamp?: number;
        readonly last_moved_timestamp?: number;
        readonly edit_history?: readonly {
            readonly user_id: number;
            readonly timestamp: number;
            readonly prev_content?: string;
            readonly prev_topic?: string;
            readonly topic?: string;
            readonly prev_stream?: number;
            readonly stream?: number;
        }[];
        readonly flags?: readonly string[];
        readonly match_content?: string;
        readonly match_subject?: string;
    };
    readonly raw_content: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateMessageParams {
    readonly message_id: number;
    readonly content?: string;
    readonly topic?: string;
    readonly stream_id?: number;
    readonly propagate_mode?: "change_one" | "change_later" | "change_all";
    /** Leaves word where the messages were. */
    readonly send_notification_to_old_thread?: boolean;
    /** Leaves word where the messages are then. */
    readonly send_notification_to_new_thread?: boolean;
    /** Refuses when the text is another by now. */
    readonly prev_content_sha256?: string;
}
export interface UpdateMessageResult {
    /** Your files that are in no message after this. */
    readonly detached_uploads: readonly {
        readonly id: number;
        readonly name: string;
        /** What follows /user_uploads/ in its address. */
        readonly path_id: string;
        /** Bytes. */
        readonly size: number;
        /** Milliseconds. */
        readonly create_time: number;
        readonly messages: readonly {
            readonly id: number;
            /** Milliseconds. */
            readonly date_sent: number;
        }[];
        readonly message_ids: readonly number[];
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface DeleteMessageParams {
    readonly message_id: number;
}
export interface GetMessageHistoryParams {
    readonly message_id: number;
    readonly allow_empty_topic_name?: boolean;
}
export interface GetMessageHistoryResult {
    readonly message_history: readonly {
        readonly topic: string;
        /** Markdown */
        readonly content: string;
        /** HTML */
        readonly rendered_content: string;
        readonly timestamp: number;
        readonly user_id: number | null;
        readonly prev_topic?: string;
        readonly prev_stream?: number;
        readonly stream?: number;
        readonly prev_content?: string;
        readonly prev_rendered_content?: string;
        readonly content_html_diff?: string;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetReadReceiptsParams {
    readonly message_id: number;
}
export interface GetReadReceiptsResult {
    readonly user_ids: readonly number[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface DeleteTopicParams {
    readonly stream_id: number;
    readonly topic_name: string;
}
export interface DeleteTopicResult {
    /** False when the time was up; ask again. */
    readonly complete: boolean;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface ReportMessageParams {
    readonly message_id: number;
    readonly report_type: "spam" | "harassment" | "inappropriate" | "norms" | "other";
    readonly description?: string;
}
export interface GetStreamTopicsParams {
    readonly stream_id: number;
    readonly allow_empty_topic_name?: boolean;
}
export interface GetStreamTopicsResult {
    readonly topics: readonly {
        readonly name: string;
        readonly max_id: number;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface AddReactionParams {
    readonly message_id: number;
    readonly emoji_name: string;
    /** Within the namespace of reaction_type. */
    readonly emoji_code?: string;
    /** unicode_emoji, realm_emoji or zulip_extra_emoji; otherwise found by the name. */
    readonly reaction_type?: string;
}
export interface RemoveReactionParams {
    readonly message_id: number;
    readonly emoji_name?: string;
    /** Within the namespace of reaction_type. */
    readonly emoji_code?: string;
    /** unicode_emoji, realm_emoji or zulip_extra_emoji; otherwise found by the name. */
    readonly reaction_type?: string;
}
export interface SendSubmessageParams {
    readonly message_id: number;
    readonly msg_type: string;
    /** JSON */
    readonly content: string;
}
export interface UpdateDisplaySettingsParams {
    readonly full_name?: string;
    /** Another address for your account. It changes when both mailboxes have confirmed it, within 24 hours. */
    readonly email?: string;
    /** With new_password: the one you have. */
    readonly old_password?: string;
    readonly new_password?: string;
    /** With new_password: `chat` also ends your API key, so that whoever has it is signed out, and you get a new one; `all` deletes your trading keys too; `none` keeps all. In a browser `chat` is the default, with an API key `none`. */
    readonly revoke?: "none" | "chat" | "all";
    /** A name of the IANA time zone database. */
    readonly timezone?: string;
    readonly enter_sends?: boolean;
    readonly left_side_userlist?: boolean;
    readonly fluid_layout_width?: boolean;
    readonly high_contrast_mode?: boolean;
    readonly translate_emoticons?: boolean;
    readonly twenty_four_hour_time?: boolean;
    readonly enable_stream_desktop_notifications?: boolean;
    readonly enable_stream_email_notifications?: boolean;
    readonly enable_stream_push_notifications?: boolean;
    readonly enable_stream_audible_notifications?: boolean;
    readonly allow_private_data_export?: boolean;
    readonly hide_ai_features?: boolean;
    readonly web_escape_navigates_to_home_view?: boolean;
    readonly display_emoji_reaction_users?: boolean;
    readonly starred_message_counts?: boolean;
    readonly web_suggest_update_timezone?: boolean;
    readonly web_left_sidebar_show_channel_folders?: boolean;
    readonly web_left_sidebar_unreads_count_summary?: boolean;
    readonly web_inbox_show_channel_folders?: boolean;
    readonly web_navigate_to_sent_message?: boolean;
    readonly wildcard_mentions_notify?: boolean;
    readonly enable_followed_topic_desktop_notifications?: boolean;
    readonly enable_followed_topic_email_notifications?: boolean;
    readonly enable_followed_topic_push_notifications?: boolean;
    readonly enable_followed_topic_audible_notifications?: boolean;
    readonly enable_followed_topic_wildcard_mentions_notify?: boolean;
    readonly enable_desktop_notifications?: boolean;
    readonly pm_content_in_desktop_notifications?: boolean;
    readonly enable_sounds?: boolean;
    readonly enable_offline_email_notifications?: boolean;
    readonly message_content_in_email_notifications?: boolean;
    readonly enable_offline_push_notifications?: boolean;
    readonly enable_online_push_notifications?: boolean;
    readonly enable_digest_emails?: boolean;
    readonly enable_login_emails?: boolean;
    readonly enable_marketing_emails?: boolean;
    readonly presence_enabled?: boolean;
    readonly automatically_follow_topics_where_mentioned?: boolean;
    readonly enable_drafts_synchronization?: boolean;
    readonly send_stream_typing_notifications?: boolean;
    readonly send_private_typing_notifications?: boolean;
    readonly send_read_receipts?: boolean;
    readonly receives_typing_notifications?: boolean;
    readonly default_language?: "ar" | "bg" | "ca" | "cs" | "cy" | "da" | "de" | "el" | "en" | "en-gb" | "es" | "fa" | "fi" | "fr" | "gu" | "hi" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "mn" | "nl" | "nn" | "pl" | "pt" | "pt-br" | "ro" | "ru" | "sr" | "sv" | "ta" | "tr" | "uk" | "vi" | "zh-hans" | "zh-tw";
    readonly web_home_view?: "inbox" | "recent_topics" | "recent" | "all_messages";
    readonly color_scheme?: 1 | 2 | 3;
    readonly web_font_size_px?: number;
    readonly web_line_height_percent?: number;
    readonly web_animate_image_previews?: "always" | "on_hover" | "never";
    readonly demote_inactive_streams?: 1 | 2 | 3;
    readonly web_mark_read_on_scroll_policy?: 1 | 2 | 3;
    readonly web_channel_default_view?: 1 | 2 | 3 | 4;
    readonly emojiset?: "google" | "twitter" | "text";
    readonly user_list_style?: 1 | 2 | 3;
    readonly web_stream_unreads_count_display_policy?: 1 | 2 | 3;
    readonly notification_sound?: string;
    readonly email_notifications_batching_period_seconds?: number;
    readonly desktop_icon_count_display?: 1 | 2 | 3 | 4;
    readonly realm_name_in_email_notifications_policy?: 1 | 2 | 3;
    readonly automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
    readonly automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
    readonly resolved_topic_notice_auto_read_policy?: "always" | "except_followed" | "never";
    readonly email_address_visibility?: 1 | 2 | 3 | 4 | 5;
    /** For administrators: whose settings are changed instead of your own, if they did not choose themselves. */
    readonly target_users?: {
        readonly user_ids?: readonly number[];
        readonly group_ids?: readonly number[];
        readonly skip_if_already_edited?: boolean;
    };
}
export interface UpdateDisplaySettingsResult {
    /** Your new key, if you asked with the old one and revoked it. */
    readonly api_key?: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateNotificationSettingsParams {
    readonly full_name?: string;
    /** Another address for your account. It changes when both mailboxes have confirmed it, within 24 hours. */
    readonly email?: string;
    /** With new_password: the one you have. */
    readonly old_password?: string;
    readonly new_password?: string;
    /** With new_password: `chat` also ends your API key, so that whoever has it is signed out, and you get a new one; `all` deletes your trading keys too; `none` keeps all. In a browser `chat` is the default, with an API key `none`. */
    readonly revoke?: "none" | "chat" | "all";
    /** A name of the IANA time zone database. */
    readonly timezone?: string;
    readonly enter_sends?: boolean;
    readonly left_side_userlist?: boolean;
    readonly fluid_layout_width?: boolean;
    readonly high_contrast_mode?: boolean;
    readonly translate_emoticons?: boolean;
    readonly twenty_four_hour_time?: boolean;
    readonly enable_stream_desktop_notifications?: boolean;
    readonly enable_stream_email_notifications?: boolean;
    readonly enable_stream_push_notifications?: boolean;
    readonly enable_stream_audible_notifications?: boolean;
    readonly allow_private_data_export?: boolean;
    readonly hide_ai_features?: boolean;
    readonly web_escape_navigates_to_home_view?: boolean;
    readonly display_emoji_reaction_users?: boolean;
    readonly starred_message_counts?: boolean;
    readonly web_suggest_update_timezone?: boolean;
    readonly web_left_sidebar_show_channel_folders?: boolean;
    readonly web_left_sidebar_unreads_count_summary?: boolean;
    readonly web_inbox_show_channel_folders?: boolean;
    readonly web_navigate_to_sent_message?: boolean;
    readonly wildcard_mentions_notify?: boolean;
    readonly enable_followed_topic_desktop_notifications?: boolean;
    readonly enable_followed_topic_email_notifications?: boolean;
    readonly enable_followed_topic_push_notifications?: boolean;
    readonly enable_followed_topic_audible_notifications?: boolean;
    readonly enable_followed_topic_wildcard_mentions_notify?: boolean;
    readonly enable_desktop_notifications?: boolean;
    readonly pm_content_in_desktop_notifications?: boolean;
    readonly enable_sounds?: boolean;
    readonly enable_offline_email_notifications?: boolean;
    readonly message_content_in_email_notifications?: boolean;
    readonly enable_offline_push_notifications?: boolean;
    readonly enable_online_push_notifications?: boolean;
    readonly enable_digest_emails?: boolean;
    readonly enable_login_emails?: boolean;
    readonly enable_marketing_emails?: boolean;
    readonly presence_enabled?: boolean;
    readonly automatically_follow_topics_where_mentioned?: boolean;
    readonly enable_drafts_synchronization?: boolean;
    readonly send_stream_typing_notifications?: boolean;
    readonly send_private_typing_notifications?: boolean;
    readonly send_read_receipts?: boolean;
    readonly receives_typing_notifications?: boolean;
    readonly default_language?: "ar" | "bg" | "ca" | "cs" | "cy" | "da" | "de" | "el" | "en" | "en-gb" | "es" | "fa" | "fi" | "fr" | "gu" | "hi" | "hu" | "id" | "it" | "ja" | "ko" | "lt" | "mn" | "nl" | "nn" | "pl" | "pt" | "pt-br" | "ro" | "ru" | "sr" | "sv" | "ta" | "tr" | "uk" | "vi" | "zh-hans" | "zh-tw";
    readonly web_home_view?: "inbox" | "recent_topics" | "recent" | "all_messages";
    readonly color_scheme?: 1 | 2 | 3;
    readonly web_font_size_px?: number;
    readonly web_line_height_percent?: number;
    readonly web_animate_image_previews?: "always" | "on_hover" | "never";
    readonly demote_inactive_streams?: 1 | 2 | 3;
    readonly web_mark_read_on_scroll_policy?: 1 | 2 | 3;
    readonly web_channel_default_view?: 1 | 2 | 3 | 4;
    readonly emojiset?: "google" | "twitter" | "text";
    readonly user_list_style?: 1 | 2 | 3;
    readonly web_stream_unreads_count_display_policy?: 1 | 2 | 3;
    readonly notification_sound?: string;
    readonly email_notifications_batching_period_seconds?: number;
    readonly desktop_icon_count_display?: 1 | 2 | 3 | 4;
    readonly realm_name_in_email_notifications_policy?: 1 | 2 | 3;
    readonly automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
    readonly automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
    readonly resolved_topic_notice_auto_read_policy?: "always" | "except_followed" | "never";
    readonly email_address_visibility?: 1 | 2 | 3 | 4 | 5;
    /** For administrators: whose settings are changed instead of your own, if they did not choose themselves. */
    readonly target_users?: {
        readonly user_ids?: readonly number[];
        readonly group_ids?: readonly number[];
        readonly skip_if_already_edited?: boolean;
    };
}
export interface UpdateNotificationSettingsResult {
    /** Your new key, if you asked with the old one and revoked it. */
    readonly api_key?: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetBotStorageParams {
    /** Without it: all of them. */
    readonly keys?: readonly string[];
}
export interface GetBotStorageResult {
    readonly storage: {
        readonly [key: string]: string;
    };
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateBotStorageParams {
    /** Texts by their names. */
    readonly storage: {
        readonly [key: string]: string;
    };
}
export interface RemoveBotStorageParams {
    /** Without it: all of them. */
    readonly keys?: readonly string[];
}
export interface MarkOnboardingStepAsReadParams {
    readonly onboarding_step: string;
}
export interface GetScheduledMessagesResult {
    readonly scheduled_messages: readonly {
        readonly scheduled_message_id: number;
        readonly type: "stream" | "private";
        /** The id of the channel, or the ids of the people: without the sender, unless it is a note to self. */
        readonly to: number | readonly number[];
        /** Only of messages to channels. */
        readonly topic?: string;
        readonly content: string;
        readonly rendered_content: string;
        /** Unix seconds */
        readonly scheduled_delivery_timestamp: number;
        /** It could not be sent at its time, and waits for its owner. */
        readonly failed: boolean;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface CreateScheduledMessageParams {
    readonly type: "direct" | "channel" | "stream" | "private";
    /** The id of a channel, or a list of ids of people. */
    readonly to: number | readonly number[];
    readonly content: string;
    /** Ignored for direct messages. */
    readonly topic?: string;
    /** Unix seconds, to come. */
    readonly scheduled_delivery_timestamp: number;
    /** By default true for programs in which people write. */
    readonly read_by_sender?: boolean;
}
export interface CreateScheduledMessageResult {
    readonly scheduled_message_id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateScheduledMessageParams {
    readonly scheduled_message_id: number;
    readonly type?: "direct" | "channel" | "stream" | "private";
    /** The id of a channel, or a list of ids of people. */
    readonly to?: number | readonly number[];
    readonly content?: string;
    /** Ignored for direct messages. */
    readonly topic?: string;
    /** Unix seconds, to come. */
    readonly scheduled_delivery_timestamp?: number;
}
export interface DeleteScheduledMessageParams {
    readonly scheduled_message_id: number;
}
export interface GetRemindersResult {
    readonly reminders: readonly {
        readonly reminder_id: number;
        readonly type: "private";
        /** Whoever is reminded. */
        readonly to: readonly number[];
        readonly content: string;
        readonly rendered_content: string;
        /** Unix seconds */
        readonly scheduled_delivery_timestamp: number;
        readonly failed: boolean;
        readonly reminder_target_message_id: number;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface CreateMessageReminderParams {
    readonly message_id: number;
    /** Unix seconds, to come. */
    readonly scheduled_delivery_timestamp: number;
    readonly note?: string;
}
export interface CreateMessageReminderResult {
    readonly reminder_id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface DeleteReminderParams {
    readonly reminder_id: number;
}
export interface GetDraftsResult {
    readonly count: number;
    readonly drafts: readonly {
        readonly id: number;
        /** '' is a draft that is addressed to nobody yet. */
        readonly type: "" | "stream" | "private";
        readonly to: readonly number[];
        readonly topic: string;
        readonly content: string;
        readonly timestamp: number;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface CreateDraftsParams {
    readonly drafts?: readonly {
        /** '' is a draft that is addressed to nobody yet. */
        readonly type: "" | "stream" | "private";
        /** One channel id, or the ids of people; ignored when the type is empty. */
        readonly to: readonly number[];
        /** Ignored unless the type is stream. */
        readonly topic: string;
        readonly content: string;
        /** Unix seconds of the last edit; now, when absent. */
        readonly timestamp?: number;
    }[];
}
export interface CreateDraftsResult {
    /** In request order. */
    readonly ids: readonly number[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface EditDraftParams {
    readonly draft_id: number;
    readonly draft: {
        /** '' is a draft that is addressed to nobody yet. */
        readonly type: "" | "stream" | "private";
        /** One channel id, or the ids of people; ignored when the type is empty. */
        readonly to: readonly number[];
        /** Ignored unless the type is stream. */
        readonly topic: string;
        readonly content: string;
        /** Unix seconds of the last edit; now, when absent. */
        readonly timestamp?: number;
    };
}
export interface DeleteDraftParams {
    readonly draft_id: number;
}
export interface CreateChannelParams {
    readonly name: string;
    readonly subscribers: readonly number[];
    readonly description?: string;
    readonly announce?: boolean;
    readonly invite_only?: boolean;
    readonly is_web_public?: boolean;
    readonly is_default_stream?: boolean;
    readonly folder_id?: number;
    readonly topics_policy?: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
    /** False is for private channels; of a public one it is reported as unsupported. */
    readonly history_public_to_subscribers?: boolean;
    readonly default_push_notifications?: boolean;
    /** Days, or one of the words unlimited and realm_default. */
    readonly message_retention_days?: number | string;
    readonly can_add_subscribers_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_administer_channel_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_create_topic_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_delete_any_message_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_delete_own_message_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_move_messages_out_of_channel_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_move_messages_within_channel_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_remove_subscribers_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_send_message_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_subscribe_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_resolve_topics_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly send_new_subscription_messages?: boolean;
}
export interface CreateChannelResult {
    /** The id of the new channel. */
    readonly id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetChannelsParams {
    readonly include_public?: boolean;
    readonly include_web_public?: boolean;
    readonly include_subscribed?: boolean;
    readonly exclude_archived?: boolean;
    /** Everything that you may know of. */
    readonly include_all?: boolean;
    /** Older name of include_all. */
    readonly include_all_active?: boolean;
    /** Says of each whether new members are subscribed to it. */
    readonly include_default?: boolean;
    /** For bots: what the owner is subscribed to. */
    readonly include_owner_subscribed?: boolean;
    /** Everything that you may read. */
    readonly include_can_access_content?: boolean;
}
export interface GetChannelsResult {
    readonly streams: readonly {
        readonly stream_id: number;
        readonly name: string;
        readonly description: string;
        /** HTML */
        readonly rendered_description: string;
        /** Unix seconds */
        readonly date_created: number;
        readonly creator_id: number | null;
        readonly invite_only: boolean;
        readonly is_web_public: boolean;
        readonly history_public_to_subscribers: boolean;
        readonly first_message_id: number | null;
        /** Null: as the organization has it; -1: messages are kept for ever. */
        readonly message_retention_days: number | null;
        readonly is_archived: boolean;
        readonly is_recently_active: boolean;
        readonly folder_id: number | null;
        readonly topics_policy: string;
        readonly default_push_notifications: boolean;
        readonly subscriber_count: number;
        /** Messages a week; null while the channel is new. */
        readonly stream_weekly_traffic: number | null;
        /** Older form of can_send_message_group. */
        readonly stream_post_policy: number;
        /** Older form of can_send_message_group. */
        readonly is_announcement_only: boolean;
        readonly can_add_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_administer_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_create_topic_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_any_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_own_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_out_of_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_within_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_remove_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_send_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_subscribe_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_resolve_topics_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly is_default?: boolean;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetChannelParams {
    readonly stream_id: number;
}
export interface GetChannelResult {
    readonly stream: {
        readonly stream_id: number;
        readonly name: string;
        readonly description: string;
        /** HTML */
        readonly rendered_description: string;
        /** Unix seconds */
        readonly date_created: number;
        readonly creator_id: number | null;
        readonly invite_only: boolean;
        readonly is_web_public: boolean;
        readonly history_public_to_subscribers: boolean;
        readonly first_message_id: number | null;
        /** Null: as the organization has it; -1: messages are kept for ever. */
        readonly message_retention_days: number | null;
        readonly is_archived: boolean;
        readonly is_recently_active: boolean;
        readonly folder_id: number | null;
        readonly topics_policy: string;
        readonly default_push_notifications: boolean;
        readonly subscriber_count: number;
        /** Messages a week; null while the channel is new. */
        readonly stream_weekly_traffic: number | null;
        /** Older form of can_send_message_group. */
        readonly stream_post_policy: number;
        /** Older form of can_send_message_group. */
        readonly is_announcement_only: boolean;
        readonly can_add_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_administer_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_create_topic_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_any_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_own_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_out_of_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_within_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_remove_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_send_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_subscribe_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_resolve_topics_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateChannelParams {
    readonly stream_id: number;
    readonly description?: string;
    readonly new_name?: string;
    readonly is_private?: boolean;
    readonly is_web_public?: boolean;
    readonly history_public_to_subscribers?: boolean;
    readonly is_default_stream?: boolean;
    /** Only false: ends the archiving. */
    readonly is_archived?: boolean;
    /** Days, or one of the words unlimited and realm_default. */
    readonly message_retention_days?: number | string;
    readonly folder_id?: number | null;
    readonly topics_policy?: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
    readonly default_push_notifications?: boolean;
    readonly can_add_subscribers_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_administer_channel_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_create_topic_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_delete_any_message_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_delete_own_message_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_move_messages_out_of_channel_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_move_messages_within_channel_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_remove_subscribers_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_send_message_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_subscribe_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
    readonly can_resolve_topics_group?: {
        readonly new: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly old?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
}
export interface ArchiveChannelParams {
    readonly stream_id: number;
}
export interface GetChannelIdParams {
    readonly stream: string;
}
export interface GetChannelIdResult {
    readonly stream_id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetSubscribersParams {
    readonly stream_id: number;
}
export interface GetSubscribersResult {
    readonly subscribers: readonly number[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetChannelEmailParams {
    readonly stream_id: number;
}
export interface GetChannelEmailResult {
    readonly email: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetSubscriptionsParams {
    readonly include_subscribers?: "true" | "false" | "partial";
}
export interface GetSubscriptionsResult {
    readonly subscriptions: readonly {
        readonly stream_id: number;
        readonly name: string;
        readonly description: string;
        /** HTML */
        readonly rendered_description: string;
        /** Unix seconds */
        readonly date_created: number;
        readonly creator_id: number | null;
        readonly invite_only: boolean;
        readonly is_web_public: boolean;
        readonly history_public_to_subscribers: boolean;
        readonly first_message_id: number | null;
        /** Null: as the organization has it; -1: messages are kept for ever. */
        readonly message_retention_days: number | null;
        readonly is_archived: boolean;
        readonly is_recently_active: boolean;
        readonly folder_id: number | null;
        readonly topics_policy: string;
        readonly default_push_notifications: boolean;
        readonly subscriber_count: number;
        /** Messages a week; null while the channel is new. */
        readonly stream_weekly_traffic: number | null;
        /** Older form of can_send_message_group. */
        readonly stream_post_policy: number;
        /** Older form of can_send_message_group. */
        readonly is_announcement_only: boolean;
        readonly can_add_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_administer_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_create_topic_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_any_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_own_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_out_of_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_within_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_remove_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_send_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_subscribe_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_resolve_topics_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly color: string;
        readonly is_muted: boolean;
        /** Older form of is_muted, the other way round. */
        readonly in_home_view: boolean;
        readonly pin_to_top: boolean;
        readonly desktop_notifications: boolean | null;
        readonly audible_notifications: boolean | null;
        readonly push_notifications: boolean | null;
        readonly email_notifications: boolean | null;
        readonly wildcard_mentions_notify: boolean | null;
        readonly subscribers?: readonly number[];
        readonly partial_subscribers?: readonly number[];
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface SubscribeParams {
    readonly subscriptions: readonly {
        readonly name: string;
        readonly color?: string;
        readonly description?: string;
    }[];
    readonly principals?: readonly number[] | readonly string[];
    readonly authorization_errors_fatal?: boolean;
    readonly announce?: boolean;
    readonly send_new_subscription_messages?: boolean;
    readonly invite_only?: boolean;
    readonly is_web_public?: boolean;
    readonly is_default_stream?: boolean;
    readonly folder_id?: number;
    readonly topics_policy?: "inherit" | "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";
    /** False is for private channels; of a public one it is reported as unsupported. */
    readonly history_public_to_subscribers?: boolean;
    readonly default_push_notifications?: boolean;
    /** Days, or one of the words unlimited and realm_default. */
    readonly message_retention_days?: number | string;
    readonly can_add_subscribers_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_administer_channel_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_create_topic_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_delete_any_message_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_delete_own_message_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_move_messages_out_of_channel_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_move_messages_within_channel_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_remove_subscribers_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_send_message_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_subscribe_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
    readonly can_resolve_topics_group?: number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    };
}
export interface SubscribeResult {
    readonly subscribed: {
        readonly [key: string]: readonly string[];
    };
    readonly already_subscribed: {
        readonly [key: string]: readonly string[];
    };
    readonly unauthorized?: readonly string[];
    readonly new_subscription_messages_sent?: boolean;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateSubscriptionsParams {
    readonly delete?: readonly string[];
    readonly add?: readonly {
        readonly name: string;
        readonly color?: string;
        readonly description?: string;
    }[];
}
export interface UpdateSubscriptionsResult {
    readonly subscribed: {
        readonly [key: string]: readonly string[];
    };
    readonly already_subscribed: {
        readonly [key: string]: readonly string[];
    };
    readonly removed: readonly string[];
    readonly not_removed: readonly string[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UnsubscribeParams {
    readonly subscriptions: readonly string[];
    readonly principals?: readonly number[] | readonly string[];
}
export interface UnsubscribeResult {
    readonly removed: readonly string[];
    readonly not_removed: readonly string[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateSubscriptionSettingsParams {
    readonly subscription_data: readonly {
        readonly stream_id: number;
        readonly property: string;
        readonly value: boolean | string;
    }[];
}
export interface UpdateSubscriptionPropertyParams {
    readonly stream_id: number;
    readonly property: string;
    readonly value: boolean | string;
}
export interface GetSubscriptionStatusParams {
    readonly user_id: number;
    readonly stream_id: number;
}
export interface GetSubscriptionStatusResult {
    readonly is_subscribed: boolean;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetUserChannelsParams {
    readonly user_id: number;
}
export interface GetUserChannelsResult {
    readonly subscribed_channel_ids: readonly number[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface AddDefaultChannelParams {
    readonly stream_id: number;
}
export interface RemoveDefaultChannelParams {
    readonly stream_id: number;
}
export interface CreateChannelFolderParams {
    readonly description: string;
    readonly name: string;
}
export interface CreateChannelFolderResult {
    readonly channel_folder_id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetChannelFoldersParams {
    readonly include_archived?: boolean;
}
export interface GetChannelFoldersResult {
    readonly channel_folders: readonly {
        readonly id: number;
        readonly name: string;
        readonly description: string;
        /** HTML */
        readonly rendered_description: string;
        readonly order: number;
        readonly creator_id: number | null;
        /** Unix seconds */
        readonly date_created: number;
        readonly is_archived: boolean;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface ReorderChannelFoldersParams {
    /** The ids of all folders, archived ones too. */
    readonly order: readonly number[];
}
export interface UpdateChannelFolderParams {
    readonly channel_folder_id: number;
    readonly name?: string;
    readonly description?: string;
    readonly is_archived?: boolean;
}
export interface UpdateUserTopicParams {
    readonly stream_id: number;
    readonly topic: string;
    /** 0 as the channel is, 1 muted, 2 unmuted, 3 followed */
    readonly visibility_policy: 0 | 1 | 2 | 3;
}
export interface MuteTopicParams {
    readonly stream_id?: number;
    readonly stream?: string;
    readonly topic: string;
    readonly op: "add" | "remove";
}
export interface SetTypingStatusParams {
    readonly op: "start" | "stop";
    readonly type?: "direct" | "stream" | "channel";
    /** Of a direct message: the ids of the recipients; otherwise ignored. */
    readonly to?: readonly number[] | null;
    /** Of a channel message; otherwise ignored. */
    readonly stream_id?: number | null;
    /** Of a channel message; otherwise ignored. */
    readonly topic?: string;
}
export interface SetTypingStatusForMessageEditParams {
    readonly message_id: number;
    readonly op: "start" | "stop";
}
export interface UpdatePresenceParams {
    /** active or idle */
    readonly status: string;
    readonly ping_only?: boolean;
    readonly new_user_input?: boolean;
    readonly slim_presence?: boolean;
    /** Only changes after this; -1 the first time. Implies slim. */
    readonly last_update_id?: number;
    readonly history_limit_days?: number;
}
export interface UpdatePresenceResult {
    /** By address; by user id with slim_presence. */
    readonly presences?: {
        readonly [key: string]: {
            readonly aggregated: {
                readonly client: "website";
                readonly status: "active" | "idle";
                /** Unix seconds */
                readonly timestamp: number;
            };
            readonly website: {
                readonly client: "website";
                readonly status: "active" | "idle";
                /** Unix seconds */
                readonly timestamp: number;
                readonly pushable: false;
            };
        } | {
            /** Unix seconds */
            readonly active_timestamp: number;
            /** Unix seconds */
            readonly idle_timestamp: number;
        };
    };
    readonly presence_last_update_id?: number;
    /** Unix seconds, with a fraction */
    readonly server_timestamp?: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetRealmPresenceResult {
    /** By address; by user id with slim_presence. */
    readonly presences: {
        readonly [key: string]: {
            readonly aggregated: {
                readonly client: "website";
                readonly status: "active" | "idle";
                /** Unix seconds */
                readonly timestamp: number;
            };
            readonly website: {
                readonly client: "website";
                readonly status: "active" | "idle";
                /** Unix seconds */
                readonly timestamp: number;
                readonly pushable: false;
            };
        } | {
            /** Unix seconds */
            readonly active_timestamp: number;
            /** Unix seconds */
            readonly idle_timestamp: number;
        };
    };
    /** Unix seconds, with a fraction */
    readonly server_timestamp: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetUserPresenceParams {
    readonly user_id: number;
}
export interface GetUserPresenceResult {
    readonly presence: {
        /** Unix seconds */
        readonly active_timestamp: number;
        /** Unix seconds */
        readonly idle_timestamp: number;
        readonly website: {
            readonly status: "active" | "idle";
            /** Unix seconds */
            readonly timestamp: number;
        };
        readonly aggregated: {
            readonly status: "active" | "idle" | "offline";
            readonly timestamp: number;
        };
    };
    /** Unix seconds, with a fraction */
    readonly server_timestamp: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetUserPresenceByEmailParams {
    readonly email: string;
}
export interface GetUserPresenceByEmailResult {
    readonly presence: {
        /** Unix seconds */
        readonly active_timestamp: number;
        /** Unix seconds */
        readonly idle_timestamp: number;
        readonly website: {
            readonly status: "active" | "idle";
            /** Unix seconds */
            readonly timestamp: number;
        };
        readonly aggregated: {
            readonly status: "active" | "idle" | "offline";
            readonly timestamp: number;
        };
    };
    /** Unix seconds, with a fraction */
    readonly server_timestamp: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateStatusParams {
    /** Empty: takes the text away. */
    readonly status_text?: string;
    /** An older name of hiding your presence. */
    readonly away?: boolean;
    /** Empty: takes the emoji away. */
    readonly emoji_name?: string;
    readonly emoji_code?: string;
    /** unicode_emoji, realm_emoji or zulip_extra_emoji */
    readonly reaction_type?: string;
}
export interface GetUserStatusParams {
    readonly user_id: number;
}
export interface GetUserStatusResult {
    readonly status: {
        readonly status_text?: string;
        readonly emoji_name?: string;
        readonly emoji_code?: string;
        readonly reaction_type?: string;
        /** Whether the person hides their presence. */
        readonly away?: boolean;
    };
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateStatusOfUserParams {
    readonly user_id: number;
    /** Empty: takes the text away. */
    readonly status_text?: string;
    /** Empty: takes the emoji away. */
    readonly emoji_name?: string;
    readonly emoji_code?: string;
    /** unicode_emoji, realm_emoji or zulip_extra_emoji */
    readonly reaction_type?: string;
}
export interface MuteUserParams {
    readonly muted_user_id: number;
}
export interface UnmuteUserParams {
    readonly muted_user_id: number;
}
export interface GetAlertWordsResult {
    readonly alert_words: readonly string[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface AddAlertWordsParams {
    readonly alert_words: readonly string[];
}
export interface AddAlertWordsResult {
    readonly alert_words: readonly string[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface RemoveAlertWordsParams {
    readonly alert_words: readonly string[];
}
export interface RemoveAlertWordsResult {
    readonly alert_words: readonly string[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetLinkifiersResult {
    readonly linkifiers: readonly {
        readonly id: number;
        /** A regular expression, as RE2 understands it */
        readonly pattern: string;
        /** A URL template after RFC 6570; its variables are the named groups of the pattern */
        readonly url_template: string;
        readonly example_input: string | null;
        readonly reverse_template: string | null;
        readonly alternative_url_templates: readonly string[];
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface ReorderLinkifiersParams {
    readonly ordered_linkifier_ids: readonly number[];
}
export interface CreateLinkifierParams {
    /** A regular expression, as RE2 understands it. */
    readonly pattern: string;
    /** A URL template after RFC 6570; its variables are the named groups. */
    readonly url_template: string;
    /** A text that the pattern matches; empty: none. */
    readonly example_input?: string;
    /** How an address becomes a text again; empty: none. */
    readonly reverse_template?: string;
    readonly alternative_url_templates?: readonly string[];
}
export interface CreateLinkifierResult {
    readonly id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UpdateLinkifierParams {
    readonly filter_id: number;
    /** A regular expression, as RE2 understands it. */
    readonly pattern: string;
    /** A URL template after RFC 6570; its variables are the named groups. */
    readonly url_template: string;
    /** A text that the pattern matches; empty: none. */
    readonly example_input?: string;
    /** How an address becomes a text again; empty: none. */
    readonly reverse_template?: string;
    readonly alternative_url_templates?: readonly string[];
}
export interface DeleteLinkifierParams {
    readonly filter_id: number;
}
export interface GetCustomEmojiResult {
    readonly emoji: {
        readonly [key: string]: {
            readonly id: string;
            readonly name: string;
            readonly source_url: string;
            /** A still of a moving picture; there are none yet. */
            readonly still_url: string | null;
            readonly deactivated: boolean;
            readonly author_id: number | null;
        };
    };
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface UploadCustomEmojiParams {
    readonly emoji_name: string;
}
export interface DeactivateCustomEmojiParams {
    readonly emoji_name: string;
}
export interface CreatePlaygroundParams {
    readonly name: string;
    readonly pygments_language: string;
    /** A URL template after RFC 6570 with the one variable code. */
    readonly url_template: string;
}
export interface CreatePlaygroundResult {
    readonly id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface DeletePlaygroundParams {
    readonly playground_id: number;
}
export interface GetSavedSnippetsResult {
    readonly saved_snippets: readonly {
        readonly id: number;
        readonly title: string;
        readonly content: string;
        /** Unix seconds */
        readonly date_created: number;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface CreateSavedSnippetParams {
    readonly title: string;
    readonly content: string;
}
export interface CreateSavedSnippetResult {
    readonly saved_snippet_id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface EditSavedSnippetParams {
    readonly saved_snippet_id: number;
    readonly title?: string;
    readonly content?: string;
}
export interface DeleteSavedSnippetParams {
    readonly saved_snippet_id: number;
}
export interface GetNavigationViewsResult {
    readonly navigation_views: readonly {
        /** What stands behind the # in the address of the view */
        readonly fragment: string;
        readonly is_pinned: boolean;
        readonly name: string | null;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface AddNavigationViewParams {
    readonly fragment: string;
    /** Shown in the sidebar; otherwise under a menu. */
    readonly is_pinned: boolean;
    /** Of a view of your own; null, or the text null: none. */
    readonly name?: string | null;
}
export interface EditNavigationViewParams {
    readonly fragment: string;
    readonly is_pinned?: boolean;
    /** Of a view of your own; null, or the text null: none. */
    readonly name?: string | null;
}
export interface RemoveNavigationViewParams {
    readonly fragment: string;
}
export interface UploadFileResult {
    /** Relative to the origin. */
    readonly url: string;
    /** The same, by its older name. */
    readonly uri: string;
    readonly filename: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetFileTemporaryUrlParams {
    readonly realm_id_str: number;
    readonly filename: string;
}
export interface GetFileTemporaryUrlResult {
    /** Relative to the origin. */
    readonly url: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetAttachmentsResult {
    readonly attachments: readonly {
        readonly id: number;
        readonly name: string;
        /** What follows /user_uploads/ in its address. */
        readonly path_id: string;
        /** Bytes. */
        readonly size: number;
        /** Milliseconds. */
        readonly create_time: number;
        readonly messages: readonly {
            readonly id: number;
            /** Milliseconds. */
            readonly date_sent: number;
        }[];
        readonly message_ids: readonly number[];
    }[];
    /** Bytes of all files of the organization. */
    readonly upload_space_used: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface RemoveAttachmentParams {
    readonly attachment_id: number;
}
export interface AddApnsTokenParams {
    /** As the phone got it from its maker. */
    readonly token: string;
    readonly appid: string;
}
export interface RemoveApnsTokenParams {
    /** As the phone got it from its maker. */
    readonly token: string;
}
export interface AddFcmTokenParams {
    /** As the phone got it from its maker. */
    readonly token: string;
}
export interface RemoveFcmTokenParams {
    /** As the phone got it from its maker. */
    readonly token: string;
}
export interface RegisterClientDeviceResult {
    readonly device_id: number;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface RemoveClientDeviceParams {
    readonly device_id: number;
}
export interface RegisterPushDeviceParams {
    /** Of register_client_device. */
    readonly device_id?: number;
    /** Instead of device_id, in apps that do not know that: their own number. */
    readonly push_account_id?: number;
    readonly token_kind?: "apns" | "fcm";
    /** Base64 of 0x31 and a secret of 32 bytes. */
    readonly push_key?: string;
    /** Instead of push_key, in older apps: base64 of a public key. */
    readonly push_public_key?: string;
    readonly push_key_id?: number;
    /** The key of the relay that the registration is sealed with. */
    readonly bouncer_public_key?: string;
    /** For the relay; we cannot read it. */
    readonly encrypted_push_registration?: string;
    /** Base64; what the app calls its token. */
    readonly token_id?: string;
}
export interface TestPushDevicesParams {
    readonly push_account_id?: number;
    readonly device_id?: number;
}
export interface TestPushTokensParams {
    /** As the phone got it from its maker. */
    readonly token?: string;
}
export interface GetWebPushKeyResult {
    /** Base64url. */
    readonly public_key: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface GetBrowserSubscriptionsResult {
    readonly subscriptions: readonly {
        /** By which a browser recognises itself. */
        readonly endpoint: string;
        /** Such as `Firefox on Linux`; empty if unknown. */
        readonly device: string;
        /** Unix seconds. */
        readonly created_at: number;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface SubscribeBrowserParams {
    /** As the browser gives it. */
    readonly endpoint: string;
    readonly p256dh: string;
    readonly auth: string;
}
export interface UnsubscribeBrowserParams {
    /** As the browser gives it. */
    readonly endpoint: string;
}
export interface TestBrowserParams {
    /** As the browser gives it. */
    readonly endpoint: string;
}
export interface GetRealmDomainsResult {
    readonly domains: readonly {
        readonly domain: string;
        readonly allow_subdomains: boolean;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface AddRealmDomainParams {
    readonly domain: string;
    /** Whether addresses of its subdomains count. */
    readonly allow_subdomains: boolean;
}
export interface UpdateRealmDomainParams {
    readonly domain: string;
    /** Whether addresses of its subdomains count. */
    readonly allow_subdomains: boolean;
}
export interface RemoveRealmDomainParams {
    readonly domain: string;
}
export interface GetInvitesResult {
    readonly invites: readonly {
        /** Letters and links are numbered apart. */
        readonly id: number;
        readonly invited_by_user_id: number;
        /** Unix seconds */
        readonly invited: number;
        readonly expiry_date: number | null;
        readonly invited_as: number;
        readonly is_multiuse: boolean;
        /** Of an invitation by email. */
        readonly email?: string;
        readonly notify_referrer_on_join?: boolean;
        /** Of a reusable link; empty for somebody who may not become what it makes people. */
        readonly link_url?: string;
    }[];
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface SendInvitesParams {
    /** Addresses, between commas or newlines. */
    readonly invitee_emails: string;
    /** Null: it never expires. Without it: as long as the server says. */
    readonly invite_expires_in_minutes?: number | null;
    /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest */
    readonly invite_as?: 100 | 200 | 300 | 400 | 600;
    /** Channels that the new person is subscribed to. */
    readonly stream_ids: readonly number[];
    /** Groups that the new person is in. */
    readonly group_ids?: readonly number[];
    /** The organization's default channels as well. */
    readonly include_realm_default_subscriptions?: boolean;
    /** Tells you when they have joined. */
    readonly notify_referrer_on_join?: boolean;
    /** Markdown, from administrators only. Null: the organization's own text. Empty: none. */
    readonly welcome_message_custom_text?: string | null;
}
export interface CreateInviteLinkParams {
    /** Null: it never expires. Without it: as long as the server says. */
    readonly invite_expires_in_minutes?: number | null;
    /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest */
    readonly invite_as?: 100 | 200 | 300 | 400 | 600;
    /** Groups that the new person is in. */
    readonly group_ids?: readonly number[];
    /** The organization's default channels as well. */
    readonly include_realm_default_subscriptions?: boolean;
    /** Markdown, from administrators only. Null: the organization's own text. Empty: none. */
    readonly welcome_message_custom_text?: string | null;
    /** Channels that the new person is subscribed to. */
    readonly stream_ids?: readonly number[];
}
export interface CreateInviteLinkResult {
    readonly invite_link: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface RevokeInviteParams {
    readonly invite_id: number;
}
export interface RevokeInviteLinkParams {
    readonly invite_id: number;
}
export interface ResendInviteParams {
    readonly invite_id: number;
}
export interface RegisterAccountParams {
    /** The last part of the address of the link. */
    readonly key: string;
    /** Needed with the key of a reusable link; otherwise it must be the invited one. */
    readonly email?: string;
    /** Needed with the key of an email. */
    readonly full_name?: string;
    /** Needed with the key of an email. */
    readonly password?: string;
    /** That you agree to the terms, where there are some. */
    readonly terms?: boolean;
}
export interface RegisterAccountResult {
    readonly status: "created" | "confirmation_sent";
    readonly user_id?: number;
    readonly email?: string;
    readonly api_key?: string;
    readonly ignored_parameters_unsupported?: readonly string[];
}
export interface DraftsAddEvent {
    readonly id: number;
    readonly type: "drafts";
    readonly op: "add";
    readonly drafts: readonly {
        readonly id: number;
        /** '' is a draft that is addressed to nobody yet. */
        readonly type: "" | "stream" | "private";
        readonly to: readonly number[];
        readonly topic: string;
        readonly content: string;
        readonly timestamp: number;
    }[];
}
export interface DraftsUpdateEvent {
    readonly id: number;
    readonly type: "drafts";
    readonly op: "update";
    readonly draft: {
        readonly id: number;
        /** '' is a draft that is addressed to nobody yet. */
        readonly type: "" | "stream" | "private";
        readonly to: readonly number[];
        readonly topic: string;
        readonly content: string;
        readonly timestamp: number;
    };
}
export interface DraftsRemoveEvent {
    readonly id: number;
    readonly type: "drafts";
    readonly op: "remove";
    readonly draft_id: number;
}
export interface RealmUserAddEvent {
    readonly id: number;
    readonly type: "realm_user";
    readonly op: "add";
    readonly person: {
        readonly user_id: number;
        readonly email: string;
        readonly delivery_email: string | null;
        readonly full_name: string;
        /** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest */
        readonly role: number;
        readonly is_owner: boolean;
        readonly is_admin: boolean;
        readonly is_guest: boolean;
        readonly is_bot: boolean;
        readonly bot_type: number | null;
        readonly bot_owner_id: number | null;
        /** Only when true. */
        readonly is_system_bot?: boolean;
        readonly is_active: boolean;
        readonly is_imported_stub: boolean;
        readonly timezone: string;
        /** ISO 8601, to the minute, UTC */
        readonly date_joined: string;
        readonly avatar_url: string | null;
        readonly avatar_version: number;
        readonly profile_data?: {
            readonly [key: string]: {
                readonly value: string;
                readonly rendered_value?: string;
            };
        };
    };
}
export interface RealmUserUpdateEvent {
    readonly id: number;
    readonly type: "realm_user";
    readonly op: "update";
    readonly person: {
        readonly user_id: number;
        readonly role: number;
    } | {
        readonly user_id: number;
        readonly full_name: string;
    } | {
        readonly user_id: number;
        readonly is_active: boolean;
    } | {
        readonly user_id: number;
        readonly email: string;
        readonly timezone: string;
    } | {
        readonly user_id: number;
        readonly bot_owner_id: number;
    } | {
        readonly user_id: number;
        readonly delivery_email: string | null;
    } | {
        readonly user_id: number;
        readonly new_email: string;
    } | {
        readonly user_id: number;
        /** J drawn, U uploaded */
        readonly avatar_source: string;
        readonly avatar_url: string;
        readonly avatar_url_medium: string;
        readonly avatar_version: number;
    } | {
        readonly user_id: number;
        readonly custom_profile_field: {
            readonly id: number;
            readonly value: string | null;
            readonly rendered_value?: string;
        };
    };
}
export interface RealmUserRemoveEvent {
    readonly id: number;
    readonly type: "realm_user";
    readonly op: "remove";
    readonly person: {
        readonly user_id: number;
        readonly full_name: string;
    };
}
export interface UserGroupAddEvent {
    readonly id: number;
    readonly type: "user_group";
    readonly op: "add";
    readonly group: {
        readonly id: number;
        readonly name: string;
        readonly description: string;
        /** UNIX seconds */
        readonly date_created: number | null;
        readonly creator_id: number | null;
        /** Active, ascending. */
        readonly members: readonly number[];
        readonly direct_subgroup_ids: readonly number[];
        readonly is_system_group: boolean;
        readonly deactivated: boolean;
        readonly can_add_members_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_join_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_leave_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_manage_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_mention_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_remove_members_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
}
export interface UserGroupUpdateEvent {
    readonly id: number;
    readonly type: "user_group";
    readonly op: "update";
    readonly group_id: number;
    readonly data: {
        readonly name?: string;
        readonly description?: string;
        readonly deactivated?: boolean;
        readonly can_add_members_group?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_join_group?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_leave_group?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_manage_group?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_mention_group?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_remove_members_group?: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    };
}
export interface UserGroupRemoveEvent {
    readonly id: number;
    readonly type: "user_group";
    readonly op: "remove";
    readonly group_id: number;
}
export interface UserGroupAddMembersEvent {
    readonly id: number;
    readonly type: "user_group";
    readonly op: "add_members";
    readonly group_id: number;
    readonly user_ids: readonly number[];
}
export interface UserGroupRemoveMembersEvent {
    readonly id: number;
    readonly type: "user_group";
    readonly op: "remove_members";
    readonly group_id: number;
    readonly user_ids: readonly number[];
}
export interface UserGroupAddSubgroupsEvent {
    readonly id: number;
    readonly type: "user_group";
    readonly op: "add_subgroups";
    readonly group_id: number;
    readonly direct_subgroup_ids: readonly number[];
}
export interface UserGroupRemoveSubgroupsEvent {
    readonly id: number;
    readonly type: "user_group";
    readonly op: "remove_subgroups";
    readonly group_id: number;
    readonly direct_subgroup_ids: readonly number[];
}
export interface RealmBotAddEvent {
    readonly id: number;
    readonly type: "realm_bot";
    readonly op: "add";
    readonly bot: {
        readonly user_id: number;
        readonly default_sending_stream: null;
        readonly default_events_register_stream: null;
        readonly default_all_public_streams: boolean;
        readonly services: readonly {
            readonly base_url: string;
            readonly interface: number;
            readonly token: string;
        }[];
    };
}
export interface RealmBotUpdateEvent {
    readonly id: number;
    readonly type: "realm_bot";
    readonly op: "update";
    readonly bot: {
        readonly user_id: number;
        readonly services: readonly {
            readonly base_url: string;
            readonly interface: number;
            readonly token: string;
        }[];
    };
}
export interface RealmBotDeleteEvent {
    readonly id: number;
    readonly type: "realm_bot";
    readonly op: "delete";
    readonly bot: {
        readonly user_id: number;
    };
}
export interface RealmUpdateEvent {
    readonly id: number;
    readonly type: "realm";
    readonly op: "update";
    readonly property: string;
    readonly value: boolean | number | string | null;
}
export interface RealmUpdateDictEvent {
    readonly id: number;
    readonly type: "realm";
    readonly op: "update_dict";
    readonly property: "default";
    readonly data: {
        readonly [key: string]: boolean | number | string | null | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        } | {
            readonly [key: string]: {
                readonly enabled: boolean;
                readonly available: boolean;
            };
        };
    };
}
export interface RealmUserSettingsDefaultsUpdateEvent {
    readonly id: number;
    readonly type: "realm_user_settings_defaults";
    readonly op: "update";
    readonly property: string;
    readonly value: boolean | number | string;
}
export interface CustomProfileFieldsEvent {
    readonly id: number;
    readonly type: "custom_profile_fields";
    readonly fields: readonly {
        readonly id: number;
        readonly name: string;
        readonly type: number;
        readonly hint: string;
        /** JSON, or empty. */
        readonly field_data: string;
        readonly order: number;
        readonly required: boolean;
        readonly editable_by_user: boolean;
        readonly display_in_profile_summary?: true;
        readonly use_for_user_matching?: true;
    }[];
}
export interface UserSettingsUpdateEvent {
    readonly id: number;
    readonly type: "user_settings";
    readonly op: "update";
    readonly property: string;
    readonly value: boolean | number | string;
    /** With default_language. */
    readonly language_name?: string;
}
export interface StreamCreateEvent {
    readonly id: number;
    readonly type: "stream";
    readonly op: "create";
    readonly streams: readonly {
        readonly stream_id: number;
        readonly name: string;
        readonly description: string;
        /** HTML */
        readonly rendered_description: string;
        /** Unix seconds */
        readonly date_created: number;
        readonly creator_id: number | null;
        readonly invite_only: boolean;
        readonly is_web_public: boolean;
        readonly history_public_to_subscribers: boolean;
        readonly first_message_id: number | null;
        /** Null: as the organization has it; -1: messages are kept for ever. */
        readonly message_retention_days: number | null;
        readonly is_archived: boolean;
        readonly is_recently_active: boolean;
        readonly folder_id: number | null;
        readonly topics_policy: string;
        readonly default_push_notifications: boolean;
        readonly subscriber_count: number;
        /** Messages a week; null while the channel is new. */
        readonly stream_weekly_traffic: number | null;
        /** Older form of can_send_message_group. */
        readonly stream_post_policy: number;
        /** Older form of can_send_message_group. */
        readonly is_announcement_only: boolean;
        readonly can_add_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_administer_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_create_topic_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_any_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_own_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_out_of_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_within_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_remove_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_send_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_subscribe_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_resolve_topics_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
    }[];
}
export interface StreamUpdateEvent {
    readonly id: number;
    readonly type: "stream";
    readonly op: "update";
    readonly stream_id: number;
    /** As it was before the change. */
    readonly name: string;
    readonly property: string;
    readonly value: (number | {
        readonly direct_members: readonly number[];
        readonly direct_subgroups: readonly number[];
    }) | string | boolean | number | null;
    readonly rendered_description?: string;
    readonly history_public_to_subscribers?: boolean;
    readonly is_web_public?: boolean;
}
export interface StreamDeleteEvent {
    readonly id: number;
    readonly type: "stream";
    readonly op: "delete";
    readonly stream_ids: readonly number[];
    readonly streams: readonly {
        readonly stream_id: number;
    }[];
}
export interface SubscriptionAddEvent {
    readonly id: number;
    readonly type: "subscription";
    readonly op: "add";
    readonly subscriptions: readonly {
        readonly stream_id: number;
        readonly name: string;
        readonly description: string;
        /** HTML */
        readonly rendered_description: string;
        /** Unix seconds */
        readonly date_created: number;
        readonly creator_id: number | null;
        readonly invite_only: boolean;
        readonly is_web_public: boolean;
        readonly history_public_to_subscribers: boolean;
        readonly first_message_id: number | null;
        /** Null: as the organization has it; -1: messages are kept for ever. */
        readonly message_retention_days: number | null;
        readonly is_archived: boolean;
        readonly is_recently_active: boolean;
        readonly folder_id: number | null;
        readonly topics_policy: string;
        readonly default_push_notifications: boolean;
        readonly subscriber_count: number;
        /** Messages a week; null while the channel is new. */
        readonly stream_weekly_traffic: number | null;
        /** Older form of can_send_message_group. */
        readonly stream_post_policy: number;
        /** Older form of can_send_message_group. */
        readonly is_announcement_only: boolean;
        readonly can_add_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_administer_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_create_topic_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_any_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_own_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_out_of_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_within_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_remove_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_send_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_subscribe_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_resolve_topics_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly color: string;
        readonly is_muted: boolean;
        /** Older form of is_muted, the other way round. */
        readonly in_home_view: boolean;
        readonly pin_to_top: boolean;
        readonly desktop_notifications: boolean | null;
        readonly audible_notifications: boolean | null;
        readonly push_notifications: boolean | null;
        readonly email_notifications: boolean | null;
        readonly wildcard_mentions_notify: boolean | null;
        readonly subscribers?: readonly number[];
        readonly partial_subscribers?: readonly number[];
    }[];
}
export interface SubscriptionRemoveEvent {
    readonly id: number;
    readonly type: "subscription";
    readonly op: "remove";
    readonly subscriptions: readonly {
        readonly name: string;
        readonly stream_id: number;
    }[];
}
export interface SubscriptionUpdateEvent {
    readonly id: number;
    readonly type: "subscription";
    readonly op: "update";
    readonly stream_id: number;
    readonly property: string;
    readonly value: boolean | string;
}
export interface SubscriptionPeerAddEvent {
    readonly id: number;
    readonly type: "subscription";
    readonly op: "peer_add";
    readonly stream_ids: readonly number[];
    readonly user_ids: readonly number[];
}
export interface SubscriptionPeerRemoveEvent {
    readonly id: number;
    readonly type: "subscription";
    readonly op: "peer_remove";
    readonly stream_ids: readonly number[];
    readonly user_ids: readonly number[];
}
export interface ChannelFolderAddEvent {
    readonly id: number;
    readonly type: "channel_folder";
    readonly op: "add";
    readonly channel_folder: {
        readonly id: number;
        readonly name: string;
        readonly description: string;
        /** HTML */
        readonly rendered_description: string;
        readonly order: number;
        readonly creator_id: number | null;
        /** Unix seconds */
        readonly date_created: number;
        readonly is_archived: boolean;
    };
}
export interface ChannelFolderUpdateEvent {
    readonly id: number;
    readonly type: "channel_folder";
    readonly op: "update";
    readonly channel_folder_id: number;
    readonly data: {
        readonly name?: string;
        readonly description?: string;
        readonly rendered_description?: string;
        readonly is_archived?: boolean;
    };
}
export interface ChannelFolderReorderEvent {
    readonly id: number;
    readonly type: "channel_folder";
    readonly op: "reorder";
    readonly order: readonly number[];
}
export interface DefaultStreamsEvent {
    readonly id: number;
    readonly type: "default_streams";
    /** All of them, by id. */
    readonly default_streams: readonly number[];
}
export interface UserTopicEvent {
    readonly id: number;
    readonly type: "user_topic";
    readonly stream_id: number;
    readonly topic_name: string;
    /** Unix seconds */
    readonly last_updated: number;
    /** 0 as the channel is, 1 muted, 2 unmuted, 3 followed */
    readonly visibility_policy: number;
}
export interface MutedTopicsEvent {
    readonly id: number;
    readonly type: "muted_topics";
    readonly muted_topics: readonly (readonly [
        string,
        string,
        number
    ])[];
}
export interface MessageEvent {
    readonly id: number;
    readonly type: "message";
    readonly message: {
        readonly id: number;
        readonly sender_id: number;
        readonly sender_email: string;
        readonly sender_full_name: string;
        readonly sender_realm_str: string;
        readonly avatar_url: string | null;
        readonly client: string;
        readonly type: "stream" | "private";
        readonly display_recipient: string | readonly {
            readonly id: number;
            readonly email: string;
            readonly full_name: string;
            readonly is_mirror_dummy: boolean;
        }[];
        readonly stream_id?: number;
        readonly recipient_id: number;
        /** The topic; empty in direct messages. */
        readonly subject: string;
        readonly topic_links: readonly {
            readonly text: string;
            readonly url: string;
        }[];
        readonly content: string;
        readonly content_type: "text/html" | "text/x-markdown";
        readonly timestamp: number;
        readonly is_me_message: boolean;
        readonly reactions: readonly {
            readonly emoji_name: string;
            readonly emoji_code: string;
            readonly reaction_type: string;
            readonly user_id: number;
            readonly user: {
                readonly id: number;
                readonly email: string;
                readonly full_name: string;
            };
        }[];
        readonly submessages: readonly {
            readonly id: number;
            readonly message_id: number;
            readonly sender_id: number;
            readonly msg_type: string;
            readonly content: string;
        }[];
        readonly last_edit_timestamp?: number;
        readonly last_moved_timestamp?: number;
        readonly edit_history?: readonly {
            readonly user_id: number;
            readonly timestamp: number;
            readonly prev_content?: string;
            readonly prev_topic?: string;
            readonly topic?: string;
            readonly prev_stream?: number;
            readonly stream?: number;
        }[];
        readonly flags?: readonly string[];
        readonly match_content?: string;
        readonly match_subject?: string;
    };
    readonly flags: readonly string[];
    /** Only to the sending queue. */
    readonly local_message_id?: string;
}
export interface UpdateMessageEvent {
    readonly id: number;
    readonly type: "update_message";
    readonly user_id: number | null;
    readonly edit_timestamp: number;
    readonly message_id: number;
    readonly message_ids: readonly number[];
    readonly flags: readonly string[];
    readonly rendering_only: boolean;
    readonly orig_content?: string;
    readonly orig_rendered_content?: string;
    readonly content?: string;
    readonly rendered_content?: string;
    readonly is_me_message?: boolean;
    readonly stream_id?: number;
    readonly stream_name?: string;
    readonly orig_subject?: string;
    readonly subject?: string;
    readonly topic_links?: readonly {
        readonly text: string;
        readonly url: string;
    }[];
    readonly propagate_mode?: string;
    readonly new_stream_id?: number;
}
export interface DeleteMessageEvent {
    readonly id: number;
    readonly type: "delete_message";
    readonly message_type: "stream" | "private";
    readonly message_ids?: readonly number[];
    /** To clients without bulk deletion. */
    readonly message_id?: number;
    readonly stream_id?: number;
    readonly topic?: string;
}
export interface UpdateMessageFlagsAddEvent {
    readonly id: number;
    readonly type: "update_message_flags";
    readonly op: "add";
    readonly operation: "add";
    readonly flag: string;
    readonly messages: readonly number[];
    /** Everything was marked, whatever `messages` says. */
    readonly all: boolean;
}
export interface UpdateMessageFlagsRemoveEvent {
    readonly id: number;
    readonly type: "update_message_flags";
    readonly op: "remove";
    readonly operation: "remove";
    readonly flag: string;
    readonly messages: readonly number[];
    readonly all: boolean;
    /** By message id, for what is unread again. */
    readonly message_details?: {
        readonly [key: string]: {
            readonly type: "stream" | "private";
            readonly mentioned?: boolean;
            /** Everybody else. */
            readonly user_ids?: readonly number[];
            readonly stream_id?: number;
            readonly topic?: string;
            readonly unmuted_stream_msg?: boolean;
        };
    };
}
export interface ReactionAddEvent {
    readonly id: number;
    readonly type: "reaction";
    readonly op: "add";
    readonly message_id: number;
    readonly emoji_name: string;
    readonly emoji_code: string;
    readonly reaction_type: string;
    readonly user_id: number;
    readonly user: {
        readonly user_id: number;
        readonly email: string;
        readonly full_name: string;
    };
}
export interface ReactionRemoveEvent {
    readonly id: number;
    readonly type: "reaction";
    readonly op: "remove";
    readonly message_id: number;
    readonly emoji_name: string;
    readonly emoji_code: string;
    readonly reaction_type: string;
    readonly user_id: number;
    readonly user: {
        readonly user_id: number;
        readonly email: string;
        readonly full_name: string;
    };
}
export interface SubmessageEvent {
    readonly id: number;
    readonly type: "submessage";
    readonly message_id: number;
    readonly submessage_id: number;
    readonly sender_id: number;
    readonly msg_type: string;
    /** JSON */
    readonly content: string;
}
export interface TypingStartEvent {
    readonly id: number;
    readonly type: "typing";
    readonly op: "start";
    readonly message_type: "direct" | "stream";
    readonly sender: {
        readonly user_id: number;
        readonly email: string;
    };
    /** Of a direct message: everybody, the sender included. */
    readonly recipients?: readonly {
        readonly user_id: number;
        readonly email: string;
    }[];
    /** Of a channel message. */
    readonly stream_id?: number;
    /** Of a channel message. */
    readonly topic?: string;
}
export interface TypingStopEvent {
    readonly id: number;
    readonly type: "typing";
    readonly op: "stop";
    readonly message_type: "direct" | "stream";
    readonly sender: {
        readonly user_id: number;
        readonly email: string;
    };
    /** Of a direct message: everybody, the sender included. */
    readonly recipients?: readonly {
        readonly user_id: number;
        readonly email: string;
    }[];
    /** Of a channel message. */
    readonly stream_id?: number;
    /** Of a channel message. */
    readonly topic?: string;
}
export interface TypingEditMessageStartEvent {
    readonly id: number;
    readonly type: "typing_edit_message";
    readonly op: "start";
    readonly sender_id: number;
    readonly message_id: number;
    readonly recipient: {
        readonly type: "channel";
        readonly channel_id: number;
        readonly topic: string;
    } | {
        readonly type: "direct";
        readonly user_ids: readonly number[];
    };
}
export interface TypingEditMessageStopEvent {
    readonly id: number;
    readonly type: "typing_edit_message";
    readonly op: "stop";
    readonly sender_id: number;
    readonly message_id: number;
    readonly recipient: {
        readonly type: "channel";
        readonly channel_id: number;
        readonly topic: string;
    } | {
        readonly type: "direct";
        readonly user_ids: readonly number[];
    };
}
export interface PresenceEvent {
    readonly id: number;
    readonly type: "presence";
    readonly user_id?: number;
    /** Not with slim_presence. */
    readonly email?: string;
    /** Unix seconds */
    readonly server_timestamp?: number;
    readonly presence?: {
        readonly website: {
            readonly client: "website";
            readonly status: "active" | "idle";
            /** Unix seconds */
            readonly timestamp: number;
            readonly pushable: false;
        };
    };
    /** In place of all else, by user id, with simplified_presence_events. */
    readonly presences?: {
        readonly [key: string]: {
            /** Unix seconds */
            readonly active_timestamp: number;
            /** Unix seconds */
            readonly idle_timestamp: number;
        };
    };
}
export interface UserStatusEvent {
    readonly id: number;
    readonly type: "user_status";
    readonly user_id: number;
    readonly status_text?: string;
    readonly emoji_name?: string;
    readonly emoji_code?: string;
    readonly reaction_type?: string;
    /** Whether the person hides their presence. */
    readonly away?: boolean;
}
export interface MutedUsersEvent {
    readonly id: number;
    readonly type: "muted_users";
    readonly muted_users: readonly {
        readonly id: number;
        /** Unix seconds of the muting */
        readonly timestamp: number;
    }[];
}
export interface AlertWordsEvent {
    readonly id: number;
    readonly type: "alert_words";
    readonly alert_words: readonly string[];
}
export interface RealmLinkifiersEvent {
    readonly id: number;
    readonly type: "realm_linkifiers";
    readonly realm_linkifiers: readonly {
        readonly id: number;
        /** A regular expression, as RE2 understands it */
        readonly pattern: string;
        /** A URL template after RFC 6570; its variables are the named groups of the pattern */
        readonly url_template: string;
        readonly example_input: string | null;
        readonly reverse_template: string | null;
        readonly alternative_url_templates: readonly string[];
    }[];
}
export interface RealmEmojiUpdateEvent {
    readonly id: number;
    readonly type: "realm_emoji";
    readonly op: "update";
    readonly realm_emoji: {
        readonly [key: string]: {
            readonly id: string;
            readonly name: string;
            readonly source_url: string;
            /** A still of a moving picture; there are none yet. */
            readonly still_url: string | null;
            readonly deactivated: boolean;
            readonly author_id: number | null;
        };
    };
}
export interface RealmEmojiAddEvent {
    readonly id: number;
    readonly type: "realm_emoji";
    readonly op: "add";
    readonly emoji: {
        readonly id: string;
        readonly name: string;
        readonly source_url: string;
        /** A still of a moving picture; there are none yet. */
        readonly still_url: string | null;
        readonly deactivated: boolean;
        readonly author_id: number | null;
    };
}
export interface RealmEmojiUpdateOneEvent {
    readonly id: number;
    readonly type: "realm_emoji";
    readonly op: "update_one";
    readonly emoji_id: string;
    readonly data: {
        readonly deactivated: boolean;
    };
}
export interface RealmPlaygroundsEvent {
    readonly id: number;
    readonly type: "realm_playgrounds";
    readonly realm_playgrounds: readonly {
        readonly id: number;
        readonly name: string;
        readonly pygments_language: string;
        readonly url_template: string;
    }[];
}
export interface SavedSnippetsAddEvent {
    readonly id: number;
    readonly type: "saved_snippets";
    readonly op: "add";
    readonly saved_snippet: {
        readonly id: number;
        readonly title: string;
        readonly content: string;
        /** Unix seconds */
        readonly date_created: number;
    };
}
export interface SavedSnippetsUpdateEvent {
    readonly id: number;
    readonly type: "saved_snippets";
    readonly op: "update";
    readonly saved_snippet: {
        readonly id: number;
        readonly title: string;
        readonly content: string;
        /** Unix seconds */
        readonly date_created: number;
    };
}
export interface SavedSnippetsRemoveEvent {
    readonly id: number;
    readonly type: "saved_snippets";
    readonly op: "remove";
    readonly saved_snippet_id: number;
}
export interface NavigationViewAddEvent {
    readonly id: number;
    readonly type: "navigation_view";
    readonly op: "add";
    readonly navigation_view: {
        /** What stands behind the # in the address of the view */
        readonly fragment: string;
        readonly is_pinned: boolean;
        readonly name: string | null;
    };
}
export interface NavigationViewUpdateEvent {
    readonly id: number;
    readonly type: "navigation_view";
    readonly op: "update";
    readonly fragment: string;
    readonly data: {
        readonly is_pinned?: boolean;
        readonly name?: string | null;
    };
}
export interface NavigationViewRemoveEvent {
    readonly id: number;
    readonly type: "navigation_view";
    readonly op: "remove";
    readonly fragment: string;
}
export interface AttachmentAddEvent {
    readonly id: number;
    readonly type: "attachment";
    readonly op: "add";
    readonly attachment: {
        readonly id: number;
        readonly name: string;
        /** What follows /user_uploads/ in its address. */
        readonly path_id: string;
        /** Bytes. */
        readonly size: number;
        /** Milliseconds. */
        readonly create_time: number;
        readonly messages: readonly {
            readonly id: number;
            /** Milliseconds. */
            readonly date_sent: number;
        }[];
        readonly message_ids: readonly number[];
    };
    /** Bytes of all files of the organization. */
    readonly upload_space_used: number;
}
export interface AttachmentUpdateEvent {
    readonly id: number;
    readonly type: "attachment";
    readonly op: "update";
    readonly attachment: {
        readonly id: number;
        readonly name: string;
        /** What follows /user_uploads/ in its address. */
        readonly path_id: string;
        /** Bytes. */
        readonly size: number;
        /** Milliseconds. */
        readonly create_time: number;
        readonly messages: readonly {
            readonly id: number;
            /** Milliseconds. */
            readonly date_sent: number;
        }[];
        readonly message_ids: readonly number[];
    };
    /** Bytes of all files of the organization. */
    readonly upload_space_used: number;
}
export interface AttachmentRemoveEvent {
    readonly id: number;
    readonly type: "attachment";
    readonly op: "remove";
    readonly attachment: {
        readonly id: number;
    };
    /** Bytes of all files of the organization. */
    readonly upload_space_used: number;
}
export interface PushDeviceEvent {
    readonly id: number;
    readonly type: "push_device";
    /** A number, as text. */
    readonly push_account_id: string;
    readonly status: "active" | "pending" | "failed";
    /** Only of a registration that failed. */
    readonly error_code?: string;
}
export interface DeviceAddEvent {
    readonly id: number;
    readonly type: "device";
    readonly op: "add";
    readonly device_id: number;
}
export interface DeviceRemoveEvent {
    readonly id: number;
    readonly type: "device";
    readonly op: "remove";
    readonly device_id: number;
}
export interface DeviceUpdateEvent {
    readonly id: number;
    readonly type: "device";
    readonly op: "update";
    readonly device_id: number;
    readonly push_key_id: number | null;
    readonly push_token_id: string | null;
    readonly pending_push_token_id: string | null;
    readonly push_token_last_updated_timestamp: number | null;
    readonly push_registration_error_code: string | null;
}
export interface InvitesChangedEvent {
    readonly id: number;
    readonly type: "invites_changed";
}
export interface RealmDomainsAddEvent {
    readonly id: number;
    readonly type: "realm_domains";
    readonly op: "add";
    readonly realm_domain: {
        readonly domain: string;
        readonly allow_subdomains: boolean;
    };
}
export interface RealmDomainsChangeEvent {
    readonly id: number;
    readonly type: "realm_domains";
    readonly op: "change";
    readonly realm_domain: {
        readonly domain: string;
        readonly allow_subdomains: boolean;
    };
}
export interface RealmDomainsRemoveEvent {
    readonly id: number;
    readonly type: "realm_domains";
    readonly op: "remove";
    readonly domain: string;
}
export interface ScheduledMessagesAddEvent {
    readonly id: number;
    readonly type: "scheduled_messages";
    readonly op: "add";
    readonly scheduled_messages: readonly {
        readonly scheduled_message_id: number;
        readonly type: "stream" | "private";
        /** The id of the channel, or the ids of the people: without the sender, unless it is a note to self. */
        readonly to: number | readonly number[];
        /** Only of messages to channels. */
        readonly topic?: string;
        readonly content: string;
        readonly rendered_content: string;
        /** Unix seconds */
        readonly scheduled_delivery_timestamp: number;
        /** It could not be sent at its time, and waits for its owner. */
        readonly failed: boolean;
    }[];
}
export interface ScheduledMessagesUpdateEvent {
    readonly id: number;
    readonly type: "scheduled_messages";
    readonly op: "update";
    readonly scheduled_message: {
        readonly scheduled_message_id: number;
        readonly type: "stream" | "private";
        /** The id of the channel, or the ids of the people: without the sender, unless it is a note to self. */
        readonly to: number | readonly number[];
        /** Only of messages to channels. */
        readonly topic?: string;
        readonly content: string;
        readonly rendered_content: string;
        /** Unix seconds */
        readonly scheduled_delivery_timestamp: number;
        /** It could not be sent at its time, and waits for its owner. */
        readonly failed: boolean;
    };
}
export interface ScheduledMessagesRemoveEvent {
    readonly id: number;
    readonly type: "scheduled_messages";
    readonly op: "remove";
    readonly scheduled_message_id: number;
}
export interface OnboardingStepsEvent {
    readonly id: number;
    readonly type: "onboarding_steps";
    readonly onboarding_steps: readonly {
        readonly type: "one_time_notice";
        readonly name: string;
    }[];
}
export interface RemindersAddEvent {
    readonly id: number;
    readonly type: "reminders";
    readonly op: "add";
    readonly reminders: readonly {
        readonly reminder_id: number;
        readonly type: "private";
        /** Whoever is reminded. */
        readonly to: readonly number[];
        readonly content: string;
        readonly rendered_content: string;
        /** Unix seconds */
        readonly scheduled_delivery_timestamp: number;
        readonly failed: boolean;
        readonly reminder_target_message_id: number;
    }[];
}
export interface RemindersRemoveEvent {
    readonly id: number;
    readonly type: "reminders";
    readonly op: "remove";
    readonly reminder_id: number;
}
export interface SubscriptionAddManyEvent {
    readonly id: number;
    readonly type: "subscription";
    readonly op: "add_many";
    readonly channel: {
        readonly stream_id: number;
        readonly name: string;
        readonly description: string;
        /** HTML */
        readonly rendered_description: string;
        /** Unix seconds */
        readonly date_created: number;
        readonly creator_id: number | null;
        readonly invite_only: boolean;
        readonly is_web_public: boolean;
        readonly history_public_to_subscribers: boolean;
        readonly first_message_id: number | null;
        /** Null: as the organization has it; -1: messages are kept for ever. */
        readonly message_retention_days: number | null;
        readonly is_archived: boolean;
        readonly is_recently_active: boolean;
        readonly folder_id: number | null;
        readonly topics_policy: string;
        readonly default_push_notifications: boolean;
        readonly subscriber_count: number;
        /** Messages a week; null while the channel is new. */
        readonly stream_weekly_traffic: number | null;
        /** Older form of can_send_message_group. */
        readonly stream_post_policy: number;
        /** Older form of can_send_message_group. */
        readonly is_announcement_only: boolean;
        readonly can_add_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_administer_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_create_topic_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_any_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_delete_own_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_out_of_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_move_messages_within_channel_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_remove_subscribers_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_send_message_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_subscribe_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly can_resolve_topics_group: number | {
            readonly direct_members: readonly number[];
            readonly direct_subgroups: readonly number[];
        };
        readonly subscribers?: readonly number[];
        readonly partial_subscribers?: readonly number[];
    };
    readonly own: {
        readonly [key: string]: {
            readonly color: string;
            readonly is_muted: boolean;
            /** Older form of is_muted, the other way round. */
            readonly in_home_view: boolean;
            readonly pin_to_top: boolean;
            readonly desktop_notifications: boolean | null;
            readonly audible_notifications: boolean | null;
            readonly push_notifications: boolean | null;
            readonly email_notifications: boolean | null;
            readonly wildcard_mentions_notify: boolean | null;
        };
    };
}
/** Orders of an account changed. */
export interface OrderUpdateEvent {
    readonly id: number;
    readonly type: "order";
    readonly op: "update";
    /** The account: one of those that register named. */
    readonly accountId: string;
    /** The engine event up to which the state that the event belongs to is known. A client drops the event unless this is above what its last answer included. */
    readonly engineSeq: string;
    /** In engine order; an order that changed several times is in it as often. */
    readonly orders: readonly Order[];
}
/** Orders of an account traded. */
export interface TradeAddEvent {
    readonly id: number;
    readonly type: "trade";
    readonly op: "add";
    /** The account: one of those that register named. */
    readonly accountId: string;
    /** The engine event up to which the state that the event belongs to is known. A client drops the event unless this is above what its last answer included. */
    readonly engineSeq: string;
    /** In engine order. */
    readonly trades: readonly MyTrade[];
}
/** Balances of an account changed. */
export interface BalanceUpdateEvent {
    readonly id: number;
    readonly type: "balance";
    readonly op: "update";
    /** The account: one of those that register named. */
    readonly accountId: string;
    /** The engine event up to which the state that the event belongs to is known. A client drops the event unless this is above what its last answer included. */
    readonly engineSeq: string;
    /** Each coin that was touched, as it stands afterwards. */
    readonly balances: readonly Balance[];
}
/** A market changed its phase. */
export interface MarketPhaseEvent {
    readonly id: number;
    readonly type: "market";
    readonly op: "phase";
    /** Market symbol. */
    readonly symbol: string;
    /**
     * The phase that began.
     */
    readonly phase: "pre_open" | "auction" | "post_only" | "continuous" | "cancel_only" | "halted" | "delisted";
    /** When it ends by itself; empty if it does not. */
    readonly until: string;
    /** The engine event up to which the state that the event belongs to is known. A client drops the event unless this is above what its last answer included. */
    readonly engineSeq: string;
}
/** A deposit came, or something of it changed but the count of its confirmations: it is told once for each change of its status, its reason or its block. */
export interface DepositUpdateEvent {
    readonly id: number;
    readonly type: "deposit";
    readonly op: "update";
    /** The account: one of those that register named. */
    readonly accountId: string;
    readonly deposit: Deposit;
}
/** A withdrawal was asked for, or its status, its reason or its transaction changed. */
export interface WithdrawalUpdateEvent {
    readonly id: number;
    readonly type: "withdrawal";
    readonly op: "update";
    /** The account: one of those that register named. */
    readonly accountId: string;
    readonly withdrawal: Withdrawal;
}

/** Every event that a queue can deliver. */
export type QueueEvent =
  | DraftsAddEvent
  | DraftsUpdateEvent
  | DraftsRemoveEvent
  | RealmUserAddEvent
  | RealmUserUpdateEvent
  | RealmUserRemoveEvent
  | UserGroupAddEvent
  | UserGroupUpdateEvent
  | UserGroupRemoveEvent
  | UserGroupAddMembersEvent
  | UserGroupRemoveMembersEvent
  | UserGroupAddSubgroupsEvent
  | UserGroupRemoveSubgroupsEvent
  | RealmBotAddEvent
  | RealmBotUpdateEvent
  | RealmBotDeleteEvent
  | RealmUpdateEvent
  | RealmUpdateDictEvent
  | RealmUserSettingsDefaultsUpdateEvent
  | CustomProfileFieldsEvent
  | UserSettingsUpdateEvent
  | StreamCreateEvent
  | StreamUpdateEvent
  | StreamDeleteEvent
  | SubscriptionAddEvent
  | SubscriptionRemoveEvent
  | SubscriptionUpdateEvent
  | SubscriptionPeerAddEvent
  | SubscriptionPeerRemoveEvent
  | ChannelFolderAddEvent
  | ChannelFolderUpdateEvent
  | ChannelFolderReorderEvent
  | DefaultStreamsEvent
  | UserTopicEvent
  | MutedTopicsEvent
  | MessageEvent
  | UpdateMessageEvent
  | DeleteMessageEvent
  | UpdateMessageFlagsAddEvent
  | UpdateMessageFlagsRemoveEvent
  | ReactionAddEvent
  | ReactionRemoveEvent
  | SubmessageEvent
  | TypingStartEvent
  | TypingStopEvent
  | TypingEditMessageStartEvent
  | TypingEditMessageStopEvent
  | PresenceEvent
  | UserStatusEvent
  | MutedUsersEvent
  | AlertWordsEvent
  | RealmLinkifiersEvent
  | RealmEmojiUpdateEvent
  | RealmEmojiAddEvent
  | RealmEmojiUpdateOneEvent
  | RealmPlaygroundsEvent
  | SavedSnippetsAddEvent
  | SavedSnippetsUpdateEvent
  | SavedSnippetsRemoveEvent
  | NavigationViewAddEvent
  | NavigationViewUpdateEvent
  | NavigationViewRemoveEvent
  | AttachmentAddEvent
  | AttachmentUpdateEvent
  | AttachmentRemoveEvent
  | PushDeviceEvent
  | DeviceAddEvent
  | DeviceRemoveEvent
  | DeviceUpdateEvent
  | InvitesChangedEvent
  | RealmDomainsAddEvent
  | RealmDomainsChangeEvent
  | RealmDomainsRemoveEvent
  | ScheduledMessagesAddEvent
  | ScheduledMessagesUpdateEvent
  | ScheduledMessagesRemoveEvent
  | OnboardingStepsEvent
  | RemindersAddEvent
  | RemindersRemoveEvent
  | SubscriptionAddManyEvent
  | OrderUpdateEvent
  | TradeAddEvent
  | BalanceUpdateEvent
  | MarketPhaseEvent
  | DepositUpdateEvent
  | WithdrawalUpdateEvent;

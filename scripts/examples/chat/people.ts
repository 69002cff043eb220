// Calls about keys, people, bots, groups, settings and status.
import type { WorldUsers } from '../../demo/world.ts';
import type { Director } from '../director.ts';
import { picture } from '../picture.ts';

export async function playPeople({ call }: Director, users: WorldUsers): Promise<void> {
  const { owner, member, guest, moderator } = users;
  await call('get-server-settings', 'nobody');
  await call('fetch-api-key', 'nobody', { username: member.email, password: member.password });
  await call('get-own-user', 'member');
  await call('get-users', 'owner', { user_ids: [owner.user_id, member.user_id] });
  await call('get-user', 'owner', { user_id: member.user_id });
  await call('get-user-by-email', 'owner', { email: member.email });
  await call('update-user', 'owner', { user_id: guest.user_id, full_name: 'Tomás da Silva' });
  await call('update-user-by-email', 'owner', { email: guest.email, full_name: 'Tomás Silva' });
  const made = await call('create-user', 'owner', {
    email: 'lena@rialto.example',
    password: 'four horses eat plums',
    full_name: 'Lena Fischer',
  });
  await call('deactivate-user', 'owner', { user_id: made.number('user_id') });
  await call('reactivate-user', 'owner', { user_id: made.number('user_id') });
  await call('set-avatar', 'member', {}, picture('face.png'));
  await call('remove-avatar', 'member');

  const bot = await call('create-bot', 'member', { full_name: 'Price Bot', short_name: 'price' });
  const botId = bot.number('user_id');
  await call('get-bots', 'member');
  await call('update-bot', 'member', { bot_id: botId, full_name: 'Spread Bot' });
  await call('get-bot-api-key', 'member', { bot_id: botId });
  await call('regenerate-bot-api-key', 'member', { bot_id: botId });
  await call('deactivate-bot', 'member', { bot_id: botId });
  await call('update-bot-storage', 'bot', { storage: { last_seen: 'btcusdt' } });
  await call('get-bot-storage', 'bot', { keys: ['last_seen'] });
  await call('remove-bot-storage', 'bot', { keys: ['last_seen'] });

  const group = await call('create-user-group', 'owner', {
    name: 'night desk',
    description: 'Watches the markets after midnight.',
    members: [member.user_id],
  });
  const groupId = group.number('group_id');
  await call('get-user-groups', 'owner');
  await call('update-user-group', 'owner', {
    user_group_id: groupId,
    description: 'Watches the markets at night.',
  });
  await call('update-user-group-members', 'owner', {
    user_group_id: groupId,
    add: [moderator.user_id],
  });
  await call('get-user-group-members', 'owner', { user_group_id: groupId });
  await call('get-is-user-group-member', 'owner', {
    user_group_id: groupId,
    user_id: member.user_id,
  });
  const inner = await call('create-user-group', 'owner', {
    name: 'interns',
    description: 'Learn.',
    members: [],
  });
  await call('update-user-group-subgroups', 'owner', {
    user_group_id: groupId,
    add: [inner.number('group_id')],
  });
  await call('get-user-group-subgroups', 'owner', { user_group_id: groupId });
  await call('deactivate-user-group', 'owner', { user_group_id: groupId });
}

export async function playStatus({ call }: Director, users: WorldUsers): Promise<void> {
  const { member, moderator } = users;
  await call('update-settings', 'member', { twenty_four_hour_time: true });
  await call('update-display-settings', 'member', { color_scheme: 2 });
  await call('update-notification-settings', 'member', { enable_sounds: false });
  await call('mark-onboarding-step-as-read', 'member', { onboarding_step: 'intro_resolve_topic' });
  await call('get-browser-subscriptions', 'member');
  await call('update-presence', 'member', { status: 'active', slim_presence: true });
  await call('get-user-presence', 'owner', { user_id: member.user_id });
  await call('get-user-presence-by-email', 'owner', { email: member.email });
  await call('get-realm-presence', 'owner');
  await call('update-status', 'member', { status_text: 'at the desk', emoji_name: 'coffee' });
  await call('get-user-status', 'owner', { user_id: member.user_id });
  await call('update-status-of-user', 'owner', {
    user_id: member.user_id,
    status_text: 'on a train',
  });
  await call('mute-user', 'member', { muted_user_id: moderator.user_id });
  await call('unmute-user', 'member', { muted_user_id: moderator.user_id });
  await call('add-alert-words', 'member', { alert_words: ['btcusdt', 'halt'] });
  await call('get-alert-words', 'member');
  await call('remove-alert-words', 'member', { alert_words: ['halt'] });
  await call('add-navigation-view', 'member', {
    fragment: 'narrow/is/starred',
    is_pinned: true,
    name: null,
  });
  await call('get-navigation-views', 'member');
  await call('edit-navigation-view', 'member', {
    fragment: 'narrow/is/starred',
    is_pinned: false,
  });
  await call('remove-navigation-view', 'member', { fragment: 'narrow/is/starred' });
}

/** These take something away from their callers, so they come last. */
export async function playFarewell({ call }: Director): Promise<void> {
  await call('regenerate-api-key', 'moderator');
  await call('deactivate-own-user', 'guest');
}

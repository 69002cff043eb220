// Calls about channels, subscriptions, folders and topics.
import type { WorldUsers } from '../../demo/world.ts';
import type { Director } from '../director.ts';

export async function playChannels({ call }: Director, users: WorldUsers): Promise<void> {
  const { owner, member, moderator } = users;
  const made = await call('create-channel', 'owner', {
    name: 'listings',
    description: 'Coins that come.',
    subscribers: [owner.user_id, member.user_id],
  });
  const id = made.number('id');
  await call('get-channels', 'owner', { include_subscribed: true });
  await call('get-channel', 'owner', { stream_id: id });
  await call('get-channel-id', 'owner', { stream: 'listings' });
  await call('get-subscribers', 'owner', { stream_id: id });
  await call('get-channel-email', 'owner', { stream_id: id });
  await call('update-channel', 'owner', { stream_id: id, description: 'Coins that come and go.' });
  await call('get-subscriptions', 'member');
  await call('subscribe', 'owner', {
    subscriptions: [{ name: 'listings' }],
    principals: [moderator.user_id],
  });
  await call('get-subscription-status', 'owner', { user_id: moderator.user_id, stream_id: id });
  await call('get-user-channels', 'owner', { user_id: moderator.user_id });
  await call('unsubscribe', 'owner', {
    subscriptions: ['listings'],
    principals: [moderator.user_id],
  });
  await call('update-subscriptions', 'member', { add: [{ name: 'market-news' }] });
  await call('update-subscription-settings', 'member', {
    subscription_data: [{ stream_id: id, property: 'pin_to_top', value: true }],
  });
  await call('update-subscription-property', 'member', {
    stream_id: id,
    property: 'is_muted',
    value: false,
  });
  await call('add-default-channel', 'owner', { stream_id: id });
  await call('remove-default-channel', 'owner', { stream_id: id });
  const folder = await call('create-channel-folder', 'owner', {
    name: 'Projects',
    description: 'What we build.',
  });
  const folders = await call('get-channel-folders', 'owner');
  const order = (folders.at('channel_folders') as { id: number }[]).map((one) => one.id);
  await call('reorder-channel-folders', 'owner', { order: order.toReversed() });
  await call('update-channel-folder', 'owner', {
    channel_folder_id: folder.number('channel_folder_id'),
    description: 'What we build together.',
  });
  await call('send-message', 'member', {
    type: 'channel',
    to: 'listings',
    topic: 'ltcusdt',
    content: 'Litecoin opens on Monday.',
  });
  await call('get-stream-topics', 'member', { stream_id: id });
  await call('update-user-topic', 'member', {
    stream_id: id,
    topic: 'ltcusdt',
    visibility_policy: 3,
  });
  await call('mute-topic', 'member', { stream_id: id, topic: 'gossip', op: 'add' });
  await call('mark-topic-as-read', 'member', { stream_id: id, topic_name: 'ltcusdt' });
  await call('mark-stream-as-read', 'member', { stream_id: id });
  await call('delete-topic', 'owner', { stream_id: id, topic_name: 'ltcusdt' });
  await call('archive-channel', 'owner', { stream_id: id });
}

// Calls about the organization: settings, profile fields, linkifiers, emoji, domains, invitations and devices.
import type { Director } from '../director.ts';
import { picture } from '../picture.ts';

export async function playOrganization({ call }: Director): Promise<void> {
  await call('update-realm', 'owner', { description: 'Where we trade and talk.' });
  await call('update-realm-user-settings-defaults', 'owner', { twenty_four_hour_time: true });

  const field = await call('create-profile-field', 'owner', {
    field_type: 1,
    name: 'Desk',
    hint: 'Where you sit.',
  });
  const fieldId = field.number('id');
  const fields = await call('get-profile-fields', 'owner');
  const order = (fields.at('custom_fields') as { id: number }[]).map(({ id }) => id);
  await call('reorder-profile-fields', 'owner', { order });
  await call('update-profile-field', 'owner', { field_id: fieldId, hint: 'Floor and window.' });
  await call('update-profile-data', 'member', { data: [{ id: fieldId, value: '4, north' }] });
  await call('remove-profile-data', 'member', { data: [fieldId] });
  await call('delete-profile-field', 'owner', { field_id: fieldId });

  const linkifier = await call('create-linkifier', 'owner', {
    pattern: 'ORD-(?P<id>[0-9]+)',
    url_template: 'https://orders.example/{id}',
  });
  const linkifierId = linkifier.number('id');
  const all = await call('get-linkifiers', 'owner');
  await call('reorder-linkifiers', 'owner', {
    ordered_linkifier_ids: (all.at('linkifiers') as { id: number }[]).map(({ id }) => id),
  });
  await call('update-linkifier', 'owner', {
    filter_id: linkifierId,
    pattern: 'ORD-(?P<id>[0-9]+)',
    url_template: 'https://orders.example/order/{id}',
  });
  await call('delete-linkifier', 'owner', { filter_id: linkifierId });
  const playground = await call('create-playground', 'owner', {
    name: 'Python',
    pygments_language: 'Python',
    url_template: 'https://play.example/?code={code}',
  });
  await call('delete-playground', 'owner', { playground_id: playground.number('id') });
  await call('upload-custom-emoji', 'owner', { emoji_name: 'bridge' }, picture('bridge.png'));
  await call('get-custom-emoji', 'member');
  await call('deactivate-custom-emoji', 'owner', { emoji_name: 'bridge' });
  await call('add-realm-domain', 'owner', { domain: 'partner.example', allow_subdomains: false });
  await call('get-realm-domains', 'owner');
  await call('update-realm-domain', 'owner', { domain: 'partner.example', allow_subdomains: true });
  await call('remove-realm-domain', 'owner', { domain: 'partner.example' });

  await call('get-audit-log', 'owner', { act: 'domain remove', limit: 2 });

  await call('create-invite-link', 'owner', { invite_as: 400 });
  const invites = await call('get-invites', 'owner');
  await call('revoke-invite-link', 'owner', { invite_id: invites.number('invites.0.id') });

  const device = await call('register-client-device', 'member');
  await call('remove-client-device', 'member', { device_id: device.number('device_id') });
  await call('add-fcm-token', 'member', { token: 'fcm-token-of-a-phone' });
  await call('remove-fcm-token', 'member', { token: 'fcm-token-of-a-phone' });
  await call('add-apns-token', 'member', { token: 'c0ffee', appid: 'org.example.app' });
  await call('remove-apns-token', 'member', { token: 'c0ffee' });
}

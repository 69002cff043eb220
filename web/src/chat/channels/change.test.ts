import { expect, it } from 'vitest';
import { channel } from '../testing/state.ts';
import { changeOf, formOf } from './change.ts';

const CHANNEL = channel(3, 'general', { description: 'All.' });
const FORM = formOf(CHANNEL);

it('asks for nothing when nothing was changed', () => {
  expect(changeOf(CHANNEL, FORM)).toBeUndefined();
  expect(changeOf(CHANNEL, { ...FORM, name: ' general ' })).toBeUndefined();
});

it('asks only for what differs', () => {
  expect(changeOf(CHANNEL, { ...FORM, name: 'talk', retention: -1, folderId: 7 })).toEqual({
    stream_id: 3,
    new_name: 'talk',
    folder_id: 7,
    message_retention_days: 'unlimited',
  });
});

it('says everything that a privacy means', () => {
  expect(changeOf(CHANNEL, { ...FORM, privacy: 'hidden' })).toEqual({
    stream_id: 3,
    is_private: true,
    is_web_public: false,
    history_public_to_subscribers: false,
  });
});

it('names the value before of a permission', () => {
  const permissions = { ...FORM.permissions, can_send_message_group: 12 };
  expect(changeOf(CHANNEL, { ...FORM, permissions })).toEqual({
    stream_id: 3,
    can_send_message_group: { new: 12, old: 1 },
  });
});

import { ChatError } from '@rialto/sdk';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { deleteTopic, moveMessages } from './acts.ts';
import { checkMove } from './check-move.ts';
import { isResolved, markResolved, plainTopic } from './resolved.ts';

describe('a resolved topic', () => {
  it('has a mark in front, once', () => {
    expect(markResolved('rfq', true, 60)).toBe('✔ rfq');
    expect(markResolved('✔ rfq', true, 60)).toBe('✔ rfq');
    expect(markResolved('✔ ✔ rfq', false, 60)).toBe('rfq');
    expect(isResolved('✔rfq')).toBe(false);
  });

  it('is the same as before after resolving and opening it again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (topic) => {
        const plain = plainTopic(topic);
        fc.pre(plain !== '');
        const marked = markResolved(plain, true, 100) ?? '';
        expect(isResolved(marked)).toBe(true);
        expect(markResolved(marked, false, 100)).toBe(plain);
      }),
    );
  });

  it('needs a name, and room for the mark', () => {
    expect(markResolved('', true, 60)).toBeUndefined();
    expect(markResolved('a'.repeat(58), true, 60)).toHaveLength(60);
    expect(markResolved('a'.repeat(59), true, 60)).toBeUndefined();
  });
});

describe('moving', () => {
  const move = {
    messageId: 7,
    reach: 'whole' as const,
    to: { topic: 'b' },
    tellOld: false,
    tellNew: true,
  };
  const refusal = (code: string, details: Record<string, unknown>) =>
    new ChatError({
      name: code,
      code,
      message: 'no',
      details,
      isRetryable: false,
      outcome: 'none',
    });

  it('names what goes and who is told', async () => {
    const updateMessage = vi.fn(() => Promise.resolve({ detached_uploads: [] }));
    await moveMessages({ updateMessage }, { ...move, reach: 'from-here', to: { channelId: 3 } });
    expect(updateMessage).toHaveBeenCalledWith({
      message_id: 7,
      propagate_mode: 'change_later',
      stream_id: 3,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: true,
    });
  });

  it('says how much is possible when the limit of time forbids the rest', async () => {
    const error = refusal('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', {
      first_message_id_allowed_to_move: 40,
      total_messages_in_topic: 12,
      total_messages_allowed_to_move: 5,
    });
    const updateMessage = vi.fn(() => Promise.reject(error));
    expect(await moveMessages({ updateMessage }, move)).toEqual({
      firstId: 40,
      allowed: 5,
      total: 12,
    });
  });

  it('throws any other refusal', async () => {
    const error = refusal('BAD_REQUEST', {});
    const updateMessage = vi.fn(() => Promise.reject(error));
    await expect(moveMessages({ updateMessage }, move)).rejects.toBe(error);
  });
});

describe('a destination', () => {
  const from = { channelId: 1, topic: 'rfq' };
  const rules = { max: 5, policy: 'inherit' };

  it('is another place, short enough, and named where names are needed', () => {
    expect(checkMove(from, { channelId: 1, topic: ' rfq ' }, rules)).toBe('same');
    expect(checkMove(from, { channelId: 2, topic: 'rfq' }, rules)).toBeUndefined();
    expect(checkMove(from, { channelId: 1, topic: 'Rfq' }, rules)).toBeUndefined();
    expect(checkMove(from, { channelId: 1, topic: 'مظنه‌ها' }, rules)).toBe('tooLong');
    expect(checkMove(from, { channelId: 1, topic: '' }, rules)).toBeUndefined();
    const named = { max: 5, policy: 'disable_empty_topic' };
    expect(checkMove(from, { channelId: 1, topic: '' }, named)).toBe('needsName');
  });
});

describe('acts in parts', () => {
  it('go on until the server is done', async () => {
    let left = 3;
    const call = vi.fn(() => Promise.resolve({ complete: --left === 0 }));
    expect(await deleteTopic({ deleteTopic: call }, { channelId: 1, topic: 't' })).toBe('done');
    expect(call).toHaveBeenCalledTimes(3);
  });

  it('end even if the server never is', async () => {
    const call = vi.fn(() => Promise.resolve({ complete: false }));
    expect(await deleteTopic({ deleteTopic: call }, { channelId: 1, topic: 't' })).toBe(
      'unfinished',
    );
    expect(call).toHaveBeenCalledTimes(200);
  });

  it('can be stopped', async () => {
    const stop = new AbortController();
    const call = vi.fn(() => {
      stop.abort();
      return Promise.resolve({ complete: false });
    });
    const topic = { channelId: 1, topic: 't' };
    expect(await deleteTopic({ deleteTopic: call }, topic, stop.signal)).toBe('stopped');
    expect(call).toHaveBeenCalledOnce();
  });
});

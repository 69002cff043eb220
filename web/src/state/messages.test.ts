// Which of two versions of a message counts, and how many are kept.
import { describe, expect, it } from 'vitest';
import { channelFrom, subscriptionFrom } from './convert.ts';
import { createCore } from './core.ts';
import { exampleChannel, exampleMessage, OWN_ID } from './example.ts';
import { addMessages, MESSAGES_MAX, putMessage } from './messages.ts';
import { messageFrom } from './convert-message.ts';
import { emptyState, type State } from './state.ts';

function stateWith(isSubscribed: boolean): State {
  const state = emptyState(OWN_ID);
  const row = exampleChannel(1);
  state.channels.set(1, channelFrom(row, subscriptionFrom(row, isSubscribed)));
  return state;
}

const live = exampleMessage({ id: 5, content: '<p>edited</p>' });
const fetched = exampleMessage({ id: 5, content: '<p>as it was asked for</p>' });

describe('a fetched message', () => {
  it('gives way to one that events keep up to date', () => {
    const state = stateWith(true);
    putMessage(state, messageFrom(live, OWN_ID));
    addMessages(state, [fetched]);
    expect(state.messages.get(5)?.content).toBe('<p>edited</p>');
  });

  it('counts in a channel without a subscription, where nobody tells of changes', () => {
    const state = stateWith(false);
    putMessage(state, messageFrom(live, OWN_ID));
    addMessages(state, [fetched]);
    expect(state.messages.get(5)?.content).toBe('<p>as it was asked for</p>');
  });

  it('counts after a new register, once', () => {
    const core = createCore(OWN_ID);
    core.replace(stateWith(true));
    core.addMessages([fetched]);
    core.replace(stateWith(true));
    expect(core.state.unverified.has(5)).toBe(true);
    core.addMessages([live]);
    expect(core.state.messages.get(5)?.content).toBe('<p>edited</p>');
    expect(core.state.unverified.has(5)).toBe(false);
    core.addMessages([fetched]);
    expect(core.state.messages.get(5)?.content).toBe('<p>edited</p>');
  });
});

describe('messages at hand', () => {
  it('are bounded: those taken in first give way, and what is asked for again stays', () => {
    const state = stateWith(true);
    for (let id = 1; id <= MESSAGES_MAX; id += 1) {
      putMessage(state, messageFrom(exampleMessage({ id }), OWN_ID));
    }
    addMessages(state, [exampleMessage({ id: 1 })]);
    putMessage(state, messageFrom(exampleMessage({ id: MESSAGES_MAX + 1 }), OWN_ID));
    expect(state.messages.size).toBe(MESSAGES_MAX);
    expect(state.messages.has(1)).toBe(true);
    expect(state.messages.has(2)).toBe(false);
  });
});

describe('the core', () => {
  it('tells its watchers once for the events of one poll, after those who follow events', () => {
    const core = createCore(OWN_ID);
    core.replace(stateWith(true));
    const told: string[] = [];
    core.subscribe(() => told.push('watcher'));
    core.onBatch(() => told.push('follower'));
    const event = (id: number) => ({
      id,
      type: 'message' as const,
      message: exampleMessage({ id }),
      flags: [],
    });
    core.applyEvents([event(1), event(2), event(3)]);
    expect(told).toEqual(['follower', 'watcher']);
    expect(core.state.unreadIndex.size).toBe(3);
  });
});

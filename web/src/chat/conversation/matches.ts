// Whether a message is in a narrow, as far as the client can tell.
import { isTopicMuted, isUserMuted } from '../../state/select.ts';
import type { Message } from '../../state/entities.ts';
import { othersOf } from '../../state/keys.ts';
import type { State } from '../../state/state.ts';
import type { Narrow, Term } from '../narrow/terms.ts';

/** Undefined: only the server can tell, as for a search. */
export function matches(narrow: Narrow, message: Message, state: State): boolean | undefined {
  let answer: boolean | undefined = true;
  for (const term of narrow.terms) {
    const met = meets(term, message, state);
    if (met === undefined) answer = undefined;
    else if (met === term.negated) return false;
  }
  return answer;
}

function meets(term: Term, message: Message, state: State): boolean | undefined {
  const { conversation } = message;
  const ownId = state.own.userId;
  switch (term.operator) {
    case 'channel':
      if (conversation.kind !== 'topic') return false;
      return typeof term.operand === 'number'
        ? conversation.channelId === term.operand
        : state.channels.get(conversation.channelId)?.name === term.operand;
    case 'topic':
      return (
        conversation.kind === 'topic' &&
        conversation.topic.toLowerCase() === term.operand.toLowerCase()
      );
    case 'dm':
      if (conversation.kind !== 'direct') return false;
      if (typeof term.operand === 'string') return undefined;
      return (
        String(othersOf(ownId, term.operand)) === String(othersOf(ownId, conversation.userIds))
      );
    case 'sender':
      return typeof term.operand === 'number' ? message.senderId === term.operand : undefined;
    case 'is':
      return meetsIs(term.operand, message, state);
    case 'in':
      return term.operand === 'all' || isAtHome(message, state);
    case 'id':
      return message.id === term.operand;
    // It only helps the server to find a topic that was moved.
    case 'with':
      return true;
    default:
      return undefined;
  }
}

function meetsIs(
  operand: Extract<Term, { operator: 'is' }>['operand'],
  message: Message,
  state: State,
): boolean | undefined {
  switch (operand) {
    case 'dm':
      return message.conversation.kind === 'direct';
    case 'starred':
      return state.starred.has(message.id);
    case 'unread':
      return state.unreadIndex.has(message.id);
    case 'mentioned':
      return MENTIONS.some((flag) => message.flags.has(flag));
    case 'alerted':
      return message.flags.has('has_alert_word');
    default:
      return undefined;
  }
}

const MENTIONS = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

function isAtHome({ conversation, senderId }: Message, state: State): boolean {
  if (isUserMuted(state, senderId)) return false;
  return (
    conversation.kind === 'direct' ||
    !isTopicMuted(state, conversation.channelId, conversation.topic)
  );
}

// Who is subscribed to a channel, for every feature that asks. Subscribing itself is in channels/subscriptions.
export {
  countSubscribersByChannel,
  countSubscribersUpTo,
  hasMoreSubscribers,
  isSubscribed,
  listMemberships,
  listSubscribedAmong,
  listSubscriberIds,
} from './store.ts';

// Everything that the package offers.
export { type Level } from './book/levels.ts';
export { LiveBook, type LiveBookOptions } from './book/live-book.ts';
export { LocalBook, type BookFault, type DepthData, type Walk } from './book/local-book.ts';
export { Chat, type ChatOptions } from './chat/client.ts';
export type { Listening } from './chat/events/listen.ts';
export type {
  AnyEvent,
  EventsOptions,
  EventType,
  QueuePosition,
  QueueState,
  RestartedEvent,
  StartedEvent,
} from './chat/events/shapes.ts';
export type { ChatMethods } from './chat/methods.generated.ts';
export type {
  Channel,
  ChatUser,
  Message,
  Reaction,
  Subscription,
  UserGroup,
} from './chat/names.ts';
export type * from './chat/types.generated.ts';
export { parseZuliprc, type Zuliprc } from './chat/zuliprc.ts';
export * as decimal from './decimal/decimal.ts';
export { ChatError, NetworkError, RialtoError, TradingError, type Outcome } from './errors.ts';
export type {
  Attempt,
  CallOptions,
  ClientOptions,
  NoParams,
  NoResult,
  RetryOptions,
  SessionOptions,
  Upload,
} from './options.ts';
export type { Channel as StreamChannel, ChannelData, PrivateChannel } from './streams/channels.ts';
export type { CancelOnDisconnect, ConnectionEvent, StreamsOptions } from './streams/options.ts';
export type { StreamOrders } from './streams/orders.ts';
export { Streams } from './streams/streams.ts';
export type {
  StreamEvent,
  StreamGap,
  StreamHandler,
  StreamReset,
  Subscription as StreamSubscription,
} from './streams/subscription.ts';
export type * from './streams/types.generated.ts';
export {
  Trading,
  type Explained,
  type OperationName,
  type OperationParams,
  type OperationResult,
  type PagedName,
  type TradingOptions,
} from './trading/client.ts';
export { ServerClock } from './trading/clock.ts';
export type { TradingMethods } from './trading/methods.generated.ts';
export { ed25519Signer, hmacSigner, type PrivateKey, type Signer } from './trading/sign.ts';
export type * from './trading/types.generated.ts';
export type { Placed, StatementIn } from './trading/variants.ts';

// What an edit changes, after its parameters were compared with the message.
import type { ChannelForReader } from '../message/channels-for-reader.ts';
import type { PropagateMode } from '../message/move-store.ts';

/** What really changes: values that stay the same are left out. */
export interface MessageChange {
  readonly content: string | undefined;
  readonly topic: string | undefined;
  readonly target: ChannelForReader | undefined;
  readonly propagateMode: PropagateMode;
  readonly isResolveToggle: boolean;
  readonly tellsOldThread: boolean;
  readonly tellsNewThread: boolean;
}

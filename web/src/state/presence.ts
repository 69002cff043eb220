// Tells the server that somebody is here, and hears from it who else is.
import type { Chat } from '@rialto/sdk';
import type { Core } from './core.ts';
import type { WirePresence } from './wire.ts';

const PING_SECONDS = 60;

/** Each tab that is looked at says "active"; the leading one speaks for the hidden ones. Gives a function that ends it. */
export function startPresence(
  chat: Pick<Chat, 'updatePresence'>,
  core: Core,
  isLeader: () => boolean,
): () => void {
  let lastUpdateId = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ping = async (): Promise<void> => {
    const isSeen = !document.hidden && document.hasFocus();
    if (core.isReady && (isSeen || isLeader())) {
      try {
        const answer = await chat.updatePresence(
          {
            status: isSeen ? 'active' : 'idle',
            new_user_input: isSeen,
            ping_only: false,
            last_update_id: lastUpdateId,
          },
          { retry: false },
        );
        lastUpdateId = answer.presence_last_update_id ?? lastUpdateId;
        take((answer.presences ?? {}) as unknown as Readonly<Record<string, WirePresence>>);
      } catch {
        // The next one tells it.
      }
    }
    const seconds = core.state.organization.limits['presencePingSeconds'] ?? PING_SECONDS;
    timer = setTimeout(() => void ping(), Math.max(1, seconds) * 1000);
  };

  const take = (presences: Readonly<Record<string, WirePresence>>): void => {
    const entries = Object.entries(presences);
    if (entries.length === 0) return;
    core.change(['presences'], (state) => {
      for (const [id, { active_timestamp: activeAt, idle_timestamp: idleAt }] of entries) {
        state.presences.set(Number(id), { activeAt, idleAt });
      }
    });
  };

  timer = setTimeout(() => void ping(), 1000);
  return () => clearTimeout(timer);
}

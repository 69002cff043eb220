// Marking conversations as read, with its progress, its end and the way back.
import { useCallback, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { ConversationKey } from '../../state/entities.ts';
import { useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { markMessages } from './read.ts';
import { texts } from './texts.ts';

type Stage =
  | { readonly kind: 'idle' }
  | { readonly kind: 'marking'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly ids: readonly number[] }
  | { readonly kind: 'failed'; readonly why: string };

export interface Marking {
  readonly stage: Stage;
  readonly mark: (keys: readonly ConversationKey[]) => Promise<void>;
  readonly undo: () => Promise<void>;
  readonly stop: () => void;
  readonly close: () => void;
}

const IDLE: Stage = { kind: 'idle' };

/** Marks what is unread now. What arrives after the click stays unread: nobody has seen it. */
export function useMarking(): Marking {
  const store = useStore();
  const [stage, setStage] = useState<Stage>(IDLE);
  const running = useRef<AbortController>(undefined);

  const run = useCallback(
    async (ids: readonly number[], isRead: boolean) => {
      running.current?.abort();
      const { signal } = (running.current = new AbortController());
      setStage({ kind: 'marking', done: 0, total: ids.length });
      try {
        const marked = await markMessages(store.client.chat, ids, isRead, {
          signal,
          onProgress: (done) => setStage({ kind: 'marking', done, total: ids.length }),
        });
        setStage(isRead ? { kind: 'done', ids: marked } : IDLE);
      } catch (error) {
        setStage({ kind: 'failed', why: error instanceof Error ? error.message : String(error) });
      }
    },
    [store],
  );
  const mark = useCallback(
    (keys: readonly ConversationKey[]) =>
      run(
        keys.flatMap((key) => store.state.unreads.get(key)?.ids ?? []),
        true,
      ),
    [run, store],
  );
  return {
    stage,
    mark,
    undo: () => (stage.kind === 'done' ? run(stage.ids, false) : Promise.resolve()),
    stop: () => running.current?.abort(),
    close: () => setStage(IDLE),
  };
}

/** Floats over the end of a list, so that no row moves when it comes and goes. */
export function MarkNotice({ marking }: { marking: Marking }) {
  const t = useTexts(texts);
  const { stage } = marking;
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-20 z-30 flex justify-center px-4 tablet:bottom-6"
    >
      {stage.kind !== 'idle' && (
        <div className="appear pointer-events-auto flex min-h-control items-center gap-3 rounded-panel bg-raised py-1 ps-4 pe-1.5 shadow-overlay">
          {stage.kind === 'marking' && (
            <>
              <span className="figures">{t.marking({ done: stage.done, total: stage.total })}</span>
              <Button size="small" onPress={marking.stop}>
                {t.stopMarking}
              </Button>
            </>
          )}
          {stage.kind === 'done' && (
            <>
              <span>{t.marked({ count: stage.ids.length })}</span>
              <Button size="small" onPress={() => void marking.undo()}>
                {t.undo}
              </Button>
            </>
          )}
          {stage.kind === 'failed' && (
            <span>
              {t.notMarked} {stage.why}
            </span>
          )}
          {stage.kind !== 'marking' && (
            <IconButton size="small" icon="close" label={t.closeNotice} onPress={marking.close} />
          )}
        </div>
      )}
    </div>
  );
}

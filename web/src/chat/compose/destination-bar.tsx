// To whom the text goes: always visible, changed by the person alone.
import { lazy, Suspense } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Conversation } from '../../state/entities.ts';
import { keyOf } from '../../state/keys.ts';
import { useStore } from '../../state/react.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { PlaceName } from '../conversation/place-bar.tsx';
import type { BoxView, ComposeBox } from './box.ts';
import { texts } from './texts.ts';

const ChooseDialog = lazy(() =>
  import('./choose-dialog.tsx').then((file) => ({ default: file.ChooseDialog })),
);

export function DestinationBar({
  box,
  view,
  viewed,
}: {
  readonly box: ComposeBox;
  readonly view: BoxView;
  readonly viewed: Conversation | undefined;
}) {
  const t = useTexts(texts);
  const store = useStore();
  const ownId = store.state.own.userId;
  const { destination } = view;
  const isElsewhere =
    viewed !== undefined &&
    destination !== undefined &&
    keyOf(viewed, ownId) !== keyOf(destination, ownId);
  return (
    <>
      {view.movedFrom !== undefined && (
        <Banner
          tone="warning"
          action={
            <Button size="small" onPress={() => box.dismissMove()}>
              {t.dismiss}
            </Button>
          }
        >
          {t.moved({ topic: view.movedFrom })}
        </Banner>
      )}
      <div
        data-destination=""
        className={`flex min-h-8 min-w-0 items-center gap-1.5 text-base ${isElsewhere ? 'rounded-control bg-warning-tint px-2' : ''}`}
      >
        <span className="shrink-0 text-muted">{t.to}</span>
        <span className="min-w-0 font-medium">
          {destination === undefined ? (
            <span className="text-muted">{t.toNobody}</span>
          ) : (
            <PlaceName conversation={destination} isLink={false} />
          )}
        </span>
        <Button
          size="small"
          variant="quiet"
          className="shrink-0 text-accent"
          onPress={() => box.choose(true)}
        >
          {t.change}
        </Button>
        {isElsewhere && (
          <Button
            size="small"
            variant="quiet"
            className="ms-auto"
            onPress={() => box.switchTo(viewed)}
          >
            {t.writeHere}
          </Button>
        )}
        {!isElsewhere && view.savedAtMs !== undefined && view.content !== '' && (
          <span className="ms-auto shrink-0 text-tiny text-muted max-tablet:hidden" role="status">
            {t.draftSaved}
          </span>
        )}
      </div>
      {view.isChoosing && (
        <Suspense>
          <ChooseDialog box={box} destination={destination} />
        </Suspense>
      )}
    </>
  );
}

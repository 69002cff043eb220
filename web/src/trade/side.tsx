// The column at the side, as high as the window: the form, or the chat of the market; both where the screen is wide.
import { useEffect, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { RadioGroup } from '../ui/radio-group.tsx';
import { ChatSlot, FormSlot, type FormSlotProps } from './slots.tsx';
import { texts } from './texts.ts';
import { useVenue } from './venue/react.ts';

type Part = 'order' | 'chat';

export function Side({
  pick,
  isDouble,
}: {
  readonly pick: FormSlotProps['pick'];
  readonly isDouble: boolean;
}) {
  const t = useTexts(texts);
  const { isSignedIn } = useVenue();
  const [part, setPart] = useState<Part>('order');
  // A price that somebody took is for the form.
  useEffect(() => {
    if (pick !== undefined) setPart('order');
  }, [pick]);
  if (!isSignedIn) return <FormSlot pick={pick} />;
  const chat = (
    <section aria-label={t.chat} className="flex min-h-0 w-96 flex-1 flex-col bg-panel">
      <ChatSlot />
    </section>
  );
  if (isDouble) {
    return (
      <>
        <FormSlot pick={pick} />
        <div className="flex min-h-0 flex-col">{chat}</div>
      </>
    );
  }
  return (
    <div className="flex min-h-0 flex-col bg-panel">
      <div className="border-b border-line p-2">
        <RadioGroup
          label={t.side}
          isLabelHidden
          look="segments"
          isWide
          choices={[
            { value: 'order', label: t.order },
            { value: 'chat', label: t.chat },
          ]}
          value={part}
          onChange={(chosen) => setPart(chosen === 'chat' ? 'chat' : 'order')}
        />
      </div>
      {/* What is half written in the form stays while somebody looks at the chat. */}
      <div hidden={part !== 'order'} className="flex min-h-0 flex-1 flex-col">
        <FormSlot pick={pick} />
      </div>
      {part === 'chat' && chat}
    </div>
  );
}

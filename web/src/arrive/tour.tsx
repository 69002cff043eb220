// A tour in five steps, for people who are here for the first time. It can be left at any step.
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { LanguageChoice, ThemeChoice } from '../settings/choices.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icon-paths.ts';
import { useTourSeen } from './seen.ts';
import { texts } from './texts.ts';

const STEPS: readonly {
  readonly name: 'topics' | 'inbox' | 'jump' | 'keys' | 'looks';
  readonly icon: IconName;
}[] = [
  { name: 'topics', icon: 'topic' },
  { name: 'inbox', icon: 'inbox' },
  { name: 'jump', icon: 'search' },
  { name: 'keys', icon: 'list' },
  { name: 'looks', icon: 'sun' },
];

export default function Tour({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const [at, setAt] = useState(0);
  const { markSeen } = useTourSeen();
  const close = () => {
    markSeen();
    onClose();
  };
  const step = STEPS[at] ?? { name: 'looks', icon: 'sun' };
  const isLast = at === STEPS.length - 1;
  return (
    <Dialog
      title={t.title}
      size="small"
      isOpen
      onOpenChange={close}
      actions={
        <>
          {!isLast && (
            <Button variant="quiet" onPress={close} className="me-auto">
              {t.skip}
            </Button>
          )}
          {at > 0 && <Button onPress={() => setAt(at - 1)}>{t.back}</Button>}
          <Button variant="primary" autoFocus onPress={isLast ? close : () => setAt(at + 1)}>
            {isLast ? t.done : t.next}
          </Button>
        </>
      }
    >
      <div className="flex min-h-56 flex-col items-center gap-3 pt-2 text-center">
        <span className="flex size-14 items-center justify-center rounded-full bg-accent-tint text-accent">
          <Icon name={step.icon} className="size-7" />
        </span>
        <div aria-live="polite" className="flex flex-col gap-2">
          <h3 className="text-title font-semibold">{t[`${step.name}Title`]}</h3>
          <p className="text-pretty text-muted">{t[step.name]}</p>
        </div>
        {step.name === 'looks' && (
          <div className="flex flex-col items-center gap-3">
            <ThemeChoice />
            <LanguageChoice />
            <p className="text-small text-muted">{t.moreLooks}</p>
          </div>
        )}
        <p className="mt-auto text-small text-muted">
          {t.step({ step: at + 1, count: STEPS.length })}
        </p>
      </div>
    </Dialog>
  );
}

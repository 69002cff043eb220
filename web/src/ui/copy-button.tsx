import { useEffect, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { IconButton } from './icon-button.tsx';
import { texts } from './texts.ts';

const SHOWN_MS = 2000;

/** Copies a text and says so on itself: its icon and its name change for two seconds. */
export function CopyButton({ text, label }: { text: string; label?: string | undefined }) {
  const t = useTexts(texts);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      label={isCopied ? t.copied : (label ?? t.copy)}
      size="small"
      onPress={() => {
        // Refused where the page is not secure or has no focus: then the button simply does not change.
        void navigator.clipboard?.writeText(text).then(
          () => setCopied(true),
          () => undefined,
        );
      }}
    />
  );
}

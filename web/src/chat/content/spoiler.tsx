import { useId, useState, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { contentTexts } from './texts.ts';

/** Hides its content until the reader asks for it. The button stands beside the heading, which may have links. */
export function Spoiler({ header, children }: { header: ReactNode; children: ReactNode }) {
  const t = useTexts(contentTexts);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="my-1 rounded-control border border-line bg-background">
      <div className="flex items-start gap-2 ps-3 pe-1.5 py-1">
        <div className="content-blocks min-w-0 flex-1 py-0.5 font-medium">
          {header ?? t.spoiler}
        </div>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          className="inline-flex h-control-small shrink-0 cursor-pointer items-center gap-1 rounded-control px-2 text-small text-accent hover:bg-hover"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t.hideSpoiler : t.showSpoiler}
          <Icon name={isOpen ? 'chevronUp' : 'chevronDown'} className="size-4" />
        </button>
      </div>
      <div id={id} hidden={!isOpen} className="content-blocks border-t border-line px-3 py-2">
        {/* Not drawn before: pictures in it are not loaded either. */}
        {isOpen && children}
      </div>
    </div>
  );
}

// The frame of every list view: a heading that stays, acts beside it, and the list.
import type { KeyboardEvent, ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';

export interface ListPageProps {
  readonly title: string;
  /** Below the heading: chips, a search box. */
  readonly tools?: ReactNode;
  /** At the end of the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function ListPage({ title, tools, actions, children }: ListPageProps) {
  return (
    <section aria-label={title} className="mx-auto flex w-full max-w-4xl flex-col px-4 pb-12">
      <header className="sticky top-0 z-20 flex flex-col gap-2 bg-background py-3">
        <div className="flex min-h-control flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="text-heading font-semibold">{title}</h1>
          {actions !== undefined && <div className="ms-auto flex gap-2">{actions}</div>}
        </div>
        {tools}
      </header>
      {children}
    </section>
  );
}

/** A chip that is pressed or not. Its tick says so without colour. */
export function FilterChip({
  isOn,
  onChange,
  children,
}: {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border border-control px-3 text-small text-muted hover:bg-hover aria-pressed:border-accent aria-pressed:bg-selected aria-pressed:font-medium aria-pressed:text-accent max-tablet:h-11 max-tablet:px-4"
    >
      {isOn && <Icon name="check" className="size-4" />}
      {children}
    </button>
  );
}

/** Arrow keys, j and k move between the elements of a list that have `data-row`. */
export function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { target, currentTarget } = event;
  const here = target instanceof HTMLElement ? target.closest('[data-row]') : null;
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const index = rows.findIndex((row) => row === here);
  const next = {
    ArrowDown: rows[index + 1],
    j: rows[index + 1],
    ArrowUp: rows[Math.max(0, index - 1)],
    k: rows[Math.max(0, index - 1)],
    Home: rows[0],
    End: rows.at(-1),
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

// The parts of a settings page.
import type { ReactNode } from 'react';

/** A group of settings with its heading and one line on what it is for. */
export function Section({
  title,
  note,
  actions,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  /** At the end of the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="flex flex-col gap-4 rounded-panel border border-line bg-panel p-5 max-tablet:p-4">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="flex min-w-[min(16rem,100%)] flex-1 flex-col gap-0.5">
          <h2 className="text-title font-semibold">{title}</h2>
          {note !== undefined && <p className="text-pretty text-small text-muted">{note}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}

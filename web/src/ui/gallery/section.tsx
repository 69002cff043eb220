import type { ReactNode } from 'react';

/** A part of the gallery. `name` is how tests find it. */
export function Section({
  name,
  title,
  children,
}: {
  name: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <section
      data-section={name}
      aria-label={title}
      className="flex flex-col gap-5 rounded-panel border border-line bg-panel p-5 max-tablet:p-4"
    >
      <h2 className="text-title font-semibold">{title}</h2>
      {children}
    </section>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}

export function Columns({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-5 tablet:grid-cols-2 desktop:grid-cols-3">{children}</div>
  );
}

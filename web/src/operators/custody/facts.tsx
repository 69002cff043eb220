import { Fragment, type ReactNode } from 'react';

/** Names and values of one thing, below each other; on a phone the value stands below its name. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5 max-tablet:grid-cols-1 max-tablet:gap-y-0.5">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="text-muted max-tablet:mt-1.5">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

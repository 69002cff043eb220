import { Keys } from '../keys.tsx';
import type { Binding } from './matcher.ts';

/** Commands that belong together, with their names in the reader's language. */
export interface ShortcutGroup {
  readonly title: string;
  readonly commands: readonly { readonly command: string; readonly name: string }[];
}

/** All shortcuts, for the dialog behind "?". */
export function ShortcutList({
  groups,
  bindings,
}: {
  groups: readonly ShortcutGroup[];
  bindings: readonly Binding[];
}) {
  return (
    <div className="gap-8 tablet:columns-2">
      {groups.map((group) => (
        <section key={group.title} className="mb-5 flex break-inside-avoid flex-col gap-1">
          <h3 className="text-small font-semibold text-muted">{group.title}</h3>
          <dl>
            {group.commands.map(({ command, name }) => (
              <div key={command} className="flex min-h-8 items-center justify-between gap-4">
                <dt>{name}</dt>
                <dd className="flex gap-2">
                  {bindings
                    .filter((binding) => binding.command === command)
                    .map((binding) => (
                      <Keys key={binding.keys} keys={binding.keys} />
                    ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

import { classes } from './classes.ts';

/** Keys to press, as "g t" or "Ctrl+K": one cap for each. */
export function Keys({
  keys,
  isInverse = false,
}: {
  keys: string;
  isInverse?: boolean | undefined;
}) {
  return (
    <kbd dir="ltr" className="inline-flex items-center gap-1 font-sans">
      {keys.split(' ').map((key, index) => (
        <kbd
          // Two equal keys in a row, as "g g", differ by their place alone.
          key={`${key} ${index}`}
          className={classes(
            'inline-flex h-5 min-w-5 items-center justify-center rounded-small border px-1 font-sans text-tiny font-medium',
            isInverse ? 'border-current' : 'border-line bg-hover text-muted',
          )}
        >
          {key}
        </kbd>
      ))}
    </kbd>
  );
}

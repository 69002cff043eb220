// Keys and combinations as text: "k", "Shift+I", "Ctrl+K", "?", "g t" (one after the other).

/** What of a keyboard event matters. */
export interface KeyPress {
  readonly key: string;
  readonly code?: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** The name of one press. Ctrl and Cmd are one: whoever sits at a Mac presses the other. Letters are named by their
 *  place on the keyboard if the layout gives no Latin one, so that shortcuts work while a Persian keyboard is on. */
export function nameOf(press: KeyPress): string | undefined {
  if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Process'].includes(press.key))
    return undefined;
  const isLatin = /^[\u0020-\u007e]$/u.test(press.key);
  const placed = /^Key([A-Z])$/u.exec(press.code ?? '')?.[1];
  const isNamed = press.key.length > 1;
  const base = isNamed || isLatin || placed === undefined ? press.key : placed.toLowerCase();
  const letter = /^[a-z]$/iu.test(base);
  const marks = [
    press.ctrlKey || press.metaKey ? 'Ctrl' : '',
    press.altKey ? 'Alt' : '',
    // A sign such as "?" already holds its Shift; a letter or a named key does not.
    press.shiftKey && (letter || isNamed) ? 'Shift' : '',
  ].filter((mark) => mark !== '');
  const shown = letter ? (marks.length > 0 ? base.toUpperCase() : base.toLowerCase()) : base;
  return [...marks, shown === ' ' ? 'Space' : shown].join('+');
}

/** The presses of a combination, each as `nameOf` names it. */
export function pressesOf(keys: string): readonly string[] {
  return keys.split(' ').filter((press) => press !== '');
}

/** Whether the press works while a field has the focus: only with Ctrl, or to leave the field. */
export function worksInFields(press: string): boolean {
  return press.startsWith('Ctrl+') || press === 'Escape';
}

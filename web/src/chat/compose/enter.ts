// When Enter means to send. Input methods use it to take a word, and some browsers tell of it only afterwards.

const AFTER_COMPOSITION_MS = 30;

export interface EnterPress {
  readonly isComposing: boolean;
  readonly keyCode: number;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  /** Milliseconds since the last composition ended; Infinity if there was none. */
  readonly sinceCompositionMs: number;
}

/** What Enter does: sends, begins a line, or belongs to the input method. */
export function meaningOfEnter(
  press: EnterPress,
  enterSends: boolean,
): 'send' | 'line' | 'compose' {
  if (press.isComposing || press.keyCode === 229) return 'compose';
  if (press.sinceCompositionMs < AFTER_COMPOSITION_MS) return 'compose';
  if (press.ctrlKey || press.metaKey) return 'send';
  return enterSends && !press.shiftKey ? 'send' : 'line';
}

// Every limit of rendering. They count work rather than time, so that a text always gives the same HTML; the deadline
// is for cases that they did not foresee.

/** UTF-16 units. A message has at most 10,000 characters, some of which need two. */
export const MAX_UNITS = 20_000;
/** Characters of HTML. A larger message is shown as plain text. */
export const MAX_HTML = 500_000;
/** The maximum nesting of quotes, lists and spoilers; anything deeper is a paragraph. */
export const MAX_NESTING = 20;
/** Formulas of one message, and characters in all of them. Further formulas are shown as TeX. */
export const MAX_FORMULAS = 100;
export const MAX_FORMULA_CHARACTERS = 3_000;
/** Nested elements in a formula: a browser takes minutes to show hundreds of nested fractions. */
export const MAX_FORMULA_DEPTH = 150;
/** Nested colours in code. */
export const MAX_CODE_DEPTH = 20;
/** Nested elements in a whole message; browsers stop nesting at 512. */
export const MAX_DEPTH = 300;
/** Macro expansions in one formula. */
export const MAX_EXPANSIONS = 100;
/** Characters of code that are coloured in one message. Further code is shown without colours. */
export const MAX_HIGHLIGHTED = 5_000;
/** Cells of one message's tables. A table that would have more is a paragraph. */
export const MAX_TABLE_CELLS = 2_000;
/** A longer URL is plain text. */
export const MAX_URL = 2_048;
/** Links that the organization's linkifiers may make in one message. */
export const MAX_LINKIFIED = 500;
/** Linkifiers times characters: the work that linkifiers may do for one message. */
export const MAX_PATTERN_WORK = 400_000;
/** With more previewable URLs than this, a message has no previews at all. */
export const MAX_PREVIEWS = 24;
/** How long a thread may take before it is stopped, and how much text is rendered without a thread. */
export const RENDER_DEADLINE_MS = 1_000;
export const IN_PROCESS_UNITS = 1_000;
/** How long a thread may take to load before it is stopped, and its message is shown as plain text. */
export const THREAD_START_MS = 20_000;

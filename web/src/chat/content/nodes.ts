// What the content of a message is made of. Whatever is not listed here cannot be shown.

/** `auto`: the browser looks for the first letter. Undefined: there is none, so the page's direction holds. */
export type Direction = 'auto' | 'rtl' | undefined;

/** The side where several blocks begin. Not `auto`: the browser would skip blocks that have a direction themselves. */
export type Side = 'ltr' | 'rtl' | undefined;

export type Mark = 'found' | 'inserted' | 'deleted';

export type Mentioned =
  | { readonly what: 'person' | 'group'; readonly id: number }
  | { readonly what: 'everybody' | 'topic' };

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'emphasis' | 'strong' | 'strike'; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly children: readonly Inline[] }
  | { readonly kind: 'mark'; readonly mark: Mark; readonly children: readonly Inline[] }
  | Link
  | {
      readonly kind: 'mention';
      readonly of: Mentioned;
      readonly isSilent: boolean;
      /** As the server wrote it, with its @. */
      readonly text: string;
    }
  | { readonly kind: 'emoji'; readonly name: string; readonly text: string }
  | { readonly kind: 'picture-emoji'; readonly name: string; readonly src: string }
  | { readonly kind: 'time'; readonly at: number; readonly text: string }
  | { readonly kind: 'formula'; readonly formula: Formula }
  | { readonly kind: 'invalid'; readonly what: 'time' | 'formula'; readonly text: string }
  | { readonly kind: 'picture'; readonly src: string; readonly href: string; readonly alt: string }
  | { readonly kind: 'audio'; readonly src: string; readonly href: string; readonly title: string }
  | Unknown;

export interface Link {
  readonly kind: 'link';
  readonly href: string;
  readonly title: string | undefined;
  /** A link that the server made of a name: to a channel, a topic or a message. */
  readonly isReference: boolean;
  readonly children: readonly Inline[];
}

/** What we do not know is shown as its text, with a notice. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly text: string;
}

export interface Formula {
  readonly tex: string;
  readonly isDisplayed: boolean;
  readonly root: FormulaElement;
}

export interface FormulaElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (FormulaElement | string)[];
}

export interface CodeToken {
  readonly token: string | undefined;
  readonly mark: Mark | undefined;
  readonly children: readonly CodePart[];
}
export type CodePart = string | CodeToken;

export interface Cell {
  readonly align: 'start' | 'center' | 'end' | undefined;
  readonly direction: Direction;
  readonly children: readonly Inline[];
}

export type Block =
  | {
      readonly kind: 'paragraph';
      /** Inside a list item, without space around it. */
      readonly isTight: boolean;
      readonly direction: Direction;
      readonly children: readonly Inline[];
    }
  | {
      readonly kind: 'heading';
      readonly level: number;
      readonly direction: Direction;
      readonly children: readonly Inline[];
    }
  | {
      readonly kind: 'list';
      readonly isOrdered: boolean;
      readonly start: number;
      readonly side: Side;
      readonly items: readonly (readonly Block[])[];
    }
  | { readonly kind: 'quote'; readonly side: Side; readonly children: readonly Block[] }
  | {
      readonly kind: 'code-block';
      readonly language: string | undefined;
      readonly code: string;
      readonly parts: readonly CodePart[];
    }
  | { readonly kind: 'formula-block'; readonly formula: Formula }
  | {
      readonly kind: 'table';
      readonly side: Side;
      readonly head: readonly (readonly Cell[])[];
      readonly body: readonly (readonly Cell[])[];
    }
  | { readonly kind: 'rule' }
  | {
      readonly kind: 'spoiler';
      readonly header: readonly Block[];
      readonly children: readonly Block[];
    }
  | Preview
  | {
      readonly kind: 'page';
      readonly href: string;
      readonly title: string;
      readonly description: string;
      readonly src: string | undefined;
    }
  | Unknown;

/** A picture or a film below the link to it. */
export interface Preview {
  readonly kind: 'preview';
  readonly what: 'image' | 'video' | 'youtube';
  readonly href: string;
  readonly title: string | undefined;
  /** Undefined: it is not on our server, so it is not loaded. */
  readonly src: string | undefined;
  readonly size: Size | undefined;
  /** The server is still making the thumbnail. */
  readonly isWaiting: boolean;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export type ContentNode = Block | Inline;

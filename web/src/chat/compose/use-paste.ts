// Pasting: formatted text becomes Markdown, files are attached, and a very long text is offered as a file.
import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import type { ComposeBox } from './box.ts';
import { isInCode } from './markdown.ts';

const LONG_PASTE = 5_000;

export interface Pasting {
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
  /** Notices the keys that mean "as plain text". */
  readonly noteKey: (event: KeyboardEvent) => void;
  /** A text that may be better off as a file. */
  readonly long: string | undefined;
  readonly keepLong: () => void;
  readonly attachLong: () => void;
}

export function usePaste(box: ComposeBox): Pasting {
  const [long, setLong] = useState<string>();
  const isPlain = useRef(false);

  const insert = (element: HTMLTextAreaElement, text: string) => {
    const clean = text.replaceAll('\r\n', '\n');
    insertText(element, clean);
    setLong(clean.length > LONG_PASTE ? clean : undefined);
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { clipboardData: data, currentTarget: element } = event;
    const files = [...data.files];
    const text = data.getData('text/plain');
    const html = data.getData('text/html');
    if (files.length > 0 && text === '') {
      event.preventDefault();
      box.uploads.add(files);
      return;
    }
    if (text === '' && html === '') return;
    event.preventDefault();
    const isCode =
      // What it formats is the colours of its code.
      data.types.includes('vscode-editor-data') || isInCode(element.value, element.selectionStart);
    if (html === '' || isPlain.current || isCode) {
      insert(element, text);
      return;
    }
    void import('./paste/paste.ts')
      .then(({ pastedText }) => pastedText(html, text))
      .catch(() => text)
      .then((made) => insert(element, made));
  };
  return {
    onPaste,
    noteKey(event) {
      isPlain.current = event.shiftKey && (event.ctrlKey || event.metaKey);
    },
    long,
    keepLong: () => setLong(undefined),
    attachLong() {
      if (long === undefined) return;
      box.replace(long, '');
      box.uploads.add([new File([long], 'pasted.txt', { type: 'text/plain' })]);
      setLong(undefined);
    },
  };
}

/** By the browser's own insertion, so that undo works. */
export function insertText(element: HTMLTextAreaElement, text: string): void {
  element.focus();
  document.execCommand('insertText', false, text);
}

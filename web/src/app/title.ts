// The title of the window and its icon: where one is, and how much is unread.
import { useEffect } from 'react';
import unreadIcon from './icon-unread.svg';

export interface TitleParts {
  readonly view: string;
  readonly organization: string;
  readonly unread: number;
  /** Writes the count in the reader's digits. */
  readonly write: (count: number) => string;
}

export const COUNT_MAX = 999;

export function titleOf({ view, organization, unread, write }: TitleParts): string {
  const count =
    unread === 0 ? '' : `(${write(Math.min(unread, COUNT_MAX))}${unread > COUNT_MAX ? '+' : ''}) `;
  return `${count}${view} · ${organization}`;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** A dot on the icon while something waits. */
export function useIconDot(isShown: boolean): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel~=icon]');
    if (link === null || !isShown) return;
    const plain = link.href;
    link.href = unreadIcon;
    return () => {
      link.href = plain;
    };
  }, [isShown]);
}

// Below which value a person wants no review. Kept in this browser, for each quote coin.
import { decimal } from '@rialto/sdk';
import { useState } from 'react';

const keyOf = (userId: number, coin: string): string => `rialto:trade:${userId}:unreviewed:${coin}`;

/** Empty: every order is reviewed. */
export function useUnreviewed(userId: number, coin: string): [string, (value: string) => void] {
  const [value, setValue] = useState(() => read(keyOf(userId, coin)));
  const set = (next: string) => {
    setValue(next);
    try {
      if (next === '') localStorage.removeItem(keyOf(userId, coin));
      else localStorage.setItem(keyOf(userId, coin), next);
    } catch {
      // Without room on disk it holds until the page is left.
    }
  };
  return [value, set];
}

function read(key: string): string {
  try {
    const text = localStorage.getItem(key) ?? '';
    return /^\d{1,30}(\.\d{1,18})?$/u.test(text) ? text : '';
  } catch {
    return '';
  }
}

/** Whether an order of this value may go without review. One whose value is unknown may not. */
export const isBelow = (value: string | undefined, limit: string): boolean =>
  value !== undefined && limit !== '' && decimal.compare(value, limit) < 0;

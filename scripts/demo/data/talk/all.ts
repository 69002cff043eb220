import { COMPANY } from './company.ts';
import { DESK } from './desk.ts';
import { DIRECTS } from './directs.ts';
import { ENGINEERING } from './engineering.ts';
import { PERSIAN } from './persian.ts';
import type { Thread } from './thread.ts';

export const THREADS: readonly Thread[] = [
  ...COMPANY,
  ...DESK,
  ...ENGINEERING,
  ...PERSIAN,
  ...DIRECTS,
];

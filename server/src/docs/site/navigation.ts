// The order of pages: sections, in them groups, in those pages. The navigation, "previous" and "next" and the lists
// for machines all follow it.
import type { Language } from '../../platform/std/language.ts';
import { SECTIONS, type Page, type SectionId } from './page.ts';

export interface Group {
  /** Empty for the pages of a section that are in no group. */
  readonly name: string;
  readonly pages: readonly Page[];
}

export interface Section {
  readonly id: SectionId;
  readonly groups: readonly Group[];
  /** Where the name of the section leads. */
  readonly first: Page;
}

export interface Navigation {
  readonly sections: readonly Section[];
  /** All pages in the order in which somebody would read them. */
  readonly order: readonly Page[];
  previous(page: Page): Page | undefined;
  next(page: Page): Page | undefined;
}

export function arrange(pages: readonly Page[], language: Language): Navigation {
  const own = pages.filter((page) => page.language === language);
  const sections = SECTIONS.flatMap((id): Section[] => {
    const sorted = own
      .filter(({ section }) => section === id)
      .sort((a, b) => a.order - b.order || a.title.localeCompare(b.title));
    const [first] = sorted;
    if (first === undefined) return [];
    const groups = [...Map.groupBy(sorted, ({ group = '' }) => group)].map(([name, members]) => ({
      name,
      pages: members,
    }));
    // Pages without a group stand before all groups.
    groups.sort((a, b) => Number(a.name !== '') - Number(b.name !== ''));
    return [{ id, groups, first: groups[0]?.pages[0] ?? first }];
  });
  const order = sections.flatMap(({ groups }) => groups.flatMap((group) => group.pages));
  const places = new Map(order.map((page, index) => [page, index]));
  const at = (page: Page, step: number) => order[(places.get(page) ?? -2) + step];
  return { sections, order, previous: (page) => at(page, -1), next: (page) => at(page, 1) };
}

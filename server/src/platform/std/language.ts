/** The languages of everything that people read here: pages, emails, notices. */
export type Language = 'en' | 'fa';

// Files that the server knows by name. They are apart from what makes them, which a server loads only in its thread.

export const NOT_FOUND = '404.html';
export const SEARCH = { en: 'search/index.html', fa: 'fa/search/index.html' } as const;

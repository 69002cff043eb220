// Goes from page to page without forgetting what is in memory, so that a key is typed once for a tab and stored
// nowhere. Only `main` would do for reading, but the frame has addresses relative to the page too: the whole body changes.

const isPlain = (event) =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

/** The page of this site that a click leads to. */
function targetOf(event) {
  const link = event.target.closest?.('a[href]');
  if (!link || !isPlain(event) || event.defaultPrevented || link.target !== '') return undefined;
  const url = new URL(link.href);
  const root = new URL(document.body.dataset.root, location.href);
  const isHere = url.pathname === location.pathname && url.hash !== '';
  const isPage = url.href.startsWith(root.href) && url.pathname.endsWith('/');
  return isPage && !isHere && url.search === '' ? url : undefined;
}

async function load(url) {
  const answer = await window.fetch(url, { credentials: 'omit' });
  if (!answer.ok) throw new Error(`The page answered ${answer.status}.`);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

function put(page, url) {
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  document.documentElement.dir = page.documentElement.dir;
  document.body.replaceWith(document.adoptNode(page.body));
  const part =
    url.hash === '' ? null : document.getElementById(decodeURIComponent(url.hash.slice(1)));
  if (part === null) window.scrollTo(0, 0);
  else part.scrollIntoView();
  document.querySelector('main')?.focus({ preventScroll: true });
  document.dispatchEvent(new Event('rialto:page'));
}

/** A page that does not come is loaded as any other. */
async function go(url, isNew) {
  try {
    const page = await load(url);
    // The address changes first: what is put in has addresses relative to it.
    if (isNew) history.pushState(null, '', url);
    put(page, url);
  } catch {
    location.assign(url);
  }
}

/** While `hasMemory` says so, links of this site are followed in place. */
export function keepMemory(hasMemory) {
  let shown = location.pathname;
  document.addEventListener('rialto:page', () => (shown = location.pathname));
  document.addEventListener('click', (event) => {
    const url = hasMemory() ? targetOf(event) : undefined;
    if (url === undefined) return;
    event.preventDefault();
    void go(url, true);
  });
  window.addEventListener('popstate', () => {
    // A jump inside the page is no other page.
    if (location.pathname !== shown) void go(new URL(location.href), false);
  });
}

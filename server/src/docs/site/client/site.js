// What pages can do with a script and also do without it: the search begins at once, examples are copied with a
// button, the chosen language of examples and the colours hold on all pages.

function remember(name, value) {
  try {
    if (value === '') window.localStorage.removeItem(name);
    else window.localStorage.setItem(name, value);
  } catch {
    // Storage may be forbidden; then the choice holds for this page.
  }
}

function recall(name) {
  try {
    return window.localStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

const CHOICES = ['', 'light', 'dark'];
const chosenTheme = () => CHOICES.indexOf(document.documentElement.dataset.theme ?? '');

function prepareTheme() {
  const button = document.querySelector('.theme');
  if (button === null) return;
  const names = button.dataset.names.split('|');
  const show = () => {
    button.dataset.choice = CHOICES[chosenTheme()];
    button.setAttribute('aria-label', names[chosenTheme()]);
    button.title = names[chosenTheme()];
  };
  button.addEventListener('click', () => {
    const next = CHOICES[(chosenTheme() + 1) % CHOICES.length];
    if (next === '') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    remember('rialto-docs-theme', next);
    show();
  });
  show();
  button.hidden = false;
}

function prepareCopies() {
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll('.copy')) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener('click', () => {
      const text = button.parentElement.querySelector('code').textContent;
      void navigator.clipboard.writeText(text).then(() => {
        button.textContent = document.body.dataset.copied;
        setTimeout(() => (button.textContent = label), 1500);
      });
    });
  }
}

const TAB = 'rialto-docs-tab';

function chooseTab(value) {
  for (const input of document.querySelectorAll('.tabs > input')) {
    if (input.value === value) input.checked = true;
  }
}

function keepTab({ target }) {
  if (!(target instanceof HTMLInputElement) || !target.matches('.tabs > input')) return;
  // What the reader clicked stays where it is, though examples above it change their height.
  const before = target.getBoundingClientRect().top;
  chooseTab(target.value);
  window.scrollBy(0, target.getBoundingClientRect().top - before);
  remember(TAB, target.value);
}

/** Marks the part that is read in the list of contents. */
function markPart() {
  const links = document.querySelectorAll('.contents a');
  if (links.length === 0) return;
  const headings = [...document.querySelectorAll('main h2[id], main h3[id]')];
  const current = headings.findLast((one) => one.getBoundingClientRect().top < 120) ?? headings[0];
  for (const link of links) {
    if (decodeURIComponent(link.hash.slice(1)) === current?.id) {
      link.setAttribute('aria-current', 'true');
    } else link.removeAttribute('aria-current');
  }
}

let isPlanned = false;
function planMark() {
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    markPart();
  });
}

/** The page that is open is in view, without moving the page itself. */
function prepareSide() {
  const side = document.querySelector('.side');
  const current = side?.querySelector('[aria-current]');
  if (!side || !current) return;
  const top = current.getBoundingClientRect().top - side.getBoundingClientRect().top;
  if (top > side.clientHeight - 80) side.scrollTop = top - side.clientHeight / 3;
}

/** The index is fetched when somebody begins to search. */
function prepareSearch() {
  const form = document.querySelector('form.search');
  if (form === null) return;
  const input = form.querySelector('input');
  let starting;
  const start = () => {
    starting ??= import(new URL(form.dataset.script, location.href).href).then(({ openSearch }) =>
      openSearch(form),
    );
    return starting;
  };
  input.addEventListener('focus', () => void start(), { once: true });
  // A static host has no server to search with.
  const place = document.querySelector('[data-results=""]');
  const query = new URLSearchParams(location.search).get('q') ?? '';
  if (place !== null && query !== '') void start().then(({ fill }) => fill(place, query));
}

function focusSearch(event) {
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]') !== null;
  const isShortcut = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey));
  if (!isShortcut || (event.key === '/' && isTyping)) return;
  event.preventDefault();
  const input = document.querySelector('#q');
  input?.focus();
  input?.select();
}

/** For this page, and again for each that takes its place. */
function prepare() {
  prepareTheme();
  prepareCopies();
  chooseTab(recall(TAB));
  markPart();
  prepareSide();
  prepareSearch();
}

document.addEventListener('change', keepTab);
document.addEventListener('keydown', focusSearch);
window.addEventListener('scroll', planMark, { passive: true });
document.addEventListener('rialto:page', prepare);
prepare();

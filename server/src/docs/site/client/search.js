// The search of the page: a list below the box that follows what is typed. Arrow keys move in it, Enter opens, Escape
// closes.
import MiniSearch from 'minisearch';
import { find, INDEX_OPTIONS, listWords, normalise } from './words.js';

const SHOWN_MAX = 8;
const EXCERPT = 140;

async function load(form) {
  const answer = await window.fetch(new URL(form.dataset.index, location.href));
  if (!answer.ok) throw new Error(`The index of the search did not come: ${answer.status}.`);
  return MiniSearch.loadJSONAsync(await answer.text(), INDEX_OPTIONS);
}

/** The part of a text around the first word that was asked for, with those words marked. */
function excerptOf(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first < EXCERPT - 40 ? 0 : text.lastIndexOf(' ', first - 40) + 1;
  const shown = text.slice(start, start + EXCERPT);
  const nodes = [start > 0 ? '… ' : ''];
  for (const piece of shown.split(
    /(?<=[^\p{L}\p{N}_])(?=[\p{L}\p{N}_])|(?<=[\p{L}\p{N}_])(?=[^\p{L}\p{N}_])/u,
  )) {
    if (words.some((word) => normalise(piece).toLowerCase().startsWith(word))) {
      const mark = document.createElement('mark');
      mark.textContent = piece;
      nodes.push(mark);
    } else nodes.push(piece);
  }
  return [...nodes, start + EXCERPT < text.length ? '…' : ''];
}

function show(result, words, root) {
  const link = document.createElement('a');
  link.href = root + result.url;
  link.lang = result.language;
  link.dir = result.language === 'fa' ? 'rtl' : 'ltr';
  const title = document.createElement('strong');
  title.textContent = result.heading === '' ? result.title : `${result.title} › ${result.heading}`;
  const text = document.createElement('span');
  text.append(...excerptOf(result.excerpt, words));
  link.append(title, text);
  return link;
}

export async function openSearch(form) {
  const input = form.querySelector('input');
  const box = form.querySelector('.found');
  const root = document.body.dataset.root;
  const language = document.documentElement.lang;
  const index = await load(form);
  let current = -1;

  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-controls', box.id);
  input.setAttribute('aria-autocomplete', 'list');
  box.setAttribute('role', 'listbox');
  box.setAttribute('aria-label', input.placeholder);

  const list = (query) => {
    const words = listWords(query);
    return find(index, query, language).map((result) => show(result, words, root));
  };

  function choose(next) {
    const options = [...box.querySelectorAll('a')];
    current = options.length === 0 ? -1 : (next + options.length) % options.length;
    for (const [at, option] of options.entries()) {
      option.setAttribute('aria-selected', String(at === current));
    }
    if (current < 0) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', options[current].id);
      options[current].scrollIntoView({ block: 'nearest' });
    }
  }

  function close() {
    box.hidden = true;
    input.setAttribute('aria-expanded', 'false');
  }

  function update() {
    const query = input.value.trim();
    if (query === '') {
      close();
      return;
    }
    const options = list(query).slice(0, SHOWN_MAX);
    for (const [at, option] of options.entries()) {
      option.id = `found-${at}`;
      option.setAttribute('role', 'option');
      option.tabIndex = -1;
    }
    box.replaceChildren(...options);
    if (options.length === 0) {
      const none = document.createElement('p');
      none.textContent = form.dataset.none;
      box.append(none);
    }
    box.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    choose(0);
  }

  input.addEventListener('input', update);
  input.addEventListener('focus', update);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      choose(current + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter' && current >= 0 && !box.hidden) {
      event.preventDefault();
      const chosen = box.querySelectorAll('a')[current];
      close();
      chosen?.click();
    } else if (event.key === 'Escape') {
      close();
      input.blur();
    }
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) close();
  });
  // Without this the box would lose the focus, and close, before a click arrives.
  box.addEventListener('mousedown', (event) => event.preventDefault());
  if (document.activeElement === input) update();

  return {
    fill(place, query) {
      const found = document.createElement('ol');
      found.className = 'results';
      for (const link of list(query)) {
        const item = document.createElement('li');
        item.append(link);
        found.append(item);
      }
      const again = document.querySelector('#q2');
      if (again !== null) again.value = query;
      const none = document.createElement('p');
      none.textContent = form.dataset.none;
      place.replaceChildren(found.childElementCount === 0 ? none : found);
    },
  };
}

// Runs before anything is drawn, so that a reader who chose dark never sees a light page first.
try {
  const chosen = window.localStorage.getItem('rialto-docs-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; then the system's choice holds.
}

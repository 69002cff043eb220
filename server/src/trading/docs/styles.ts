/** The page's style sheet, served separately: the page's content policy allows nothing inline. */
export const STYLES = `
:root { color-scheme: light dark; --text: #1d2329; --faint: #5b6670; --back: #fdfdfc; --panel: #f1f2ef; --line: #d9dcd6; --accent: #0b6155; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e5e8ea; --faint: #a2adb5; --back: #14181b; --panel: #1e2428; --line: #353d43; --accent: #6fd0bd; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 2.5rem; font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--back); }
header { grid-column: 1 / -1; border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
h1 { font-size: 1.7rem; margin: 0; } h1 small { font-size: 0.9rem; font-weight: normal; color: var(--faint); }
h2 { font-size: 1.35rem; margin: 2.2rem 0 0.6rem; } h3 { font-size: 1.1rem; margin: 0 0 0.4rem; } h4 { font-size: 0.95rem; margin: 1rem 0 0.3rem; color: var(--faint); }
section:first-child > h2 { margin-top: 0; }
nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow: auto; font-size: 0.92rem; }
nav ul { list-style: none; margin: 0; padding: 0; } nav ul ul { padding-left: 0.9rem; } nav a { display: block; padding: 0.15rem 0; text-decoration: none; overflow-wrap: anywhere; }
a { color: var(--accent); } a:hover { text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--back); padding: 0.5rem; }
article { border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.2rem; margin: 1rem 0; }
.method { font: 700 0.8rem ui-monospace, monospace; border: 1px solid var(--accent); color: var(--accent); border-radius: 4px; padding: 0.1rem 0.4rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.88rem; }
:not(pre) > code { background: var(--panel); border-radius: 4px; padding: 0.05rem 0.3rem; overflow-wrap: anywhere; }
h3 > code { background: none; }
pre { background: var(--panel); border-radius: 6px; padding: 0.8rem 1rem; overflow: auto; max-height: 26rem; margin: 0.4rem 0; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid var(--line); } th { color: var(--faint); font-weight: 600; }
summary { cursor: pointer; margin-top: 0.8rem; }
@media (max-width: 52rem) { body { grid-template-columns: minmax(0, 1fr); } nav { position: static; max-height: none; margin-bottom: 1.5rem; } }
`;

import { allowEmptyHtml } from './trusted-types.ts';

/** Makes the page ready for the components, under a content policy that forbids styles and HTML from scripts. Called
 *  once, before the first component is drawn. The server still has to print `<meta property="csp-nonce" nonce="…">`,
 *  which react-aria reads on iOS when a dialog stops the page from scrolling. */
export function preparePage(): void {
  allowEmptyHtml();
  // react-aria adds a style element unless something has its id. tokens.css has the rule instead.
  if (document.getElementById('react-aria-pressable-style') === null) {
    const marker = document.createElement('meta');
    marker.id = 'react-aria-pressable-style';
    document.head.append(marker);
  }
}

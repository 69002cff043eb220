// The picture that an authenticator scans.
import { renderSVG } from 'uqr';

/** An SVG without scripts or links. Its colours are fixed: scanners need dark on light. */
export const qrSvg = (text: string): string =>
  renderSVG(text, { ecc: 'M', border: 4, pixelSize: 4 });

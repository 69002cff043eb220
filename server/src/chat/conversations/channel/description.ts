// The HTML of a description. It is short and names nobody, so it is rendered where it is needed.
import { render } from '../../text/markdown/render.ts';

export const renderDescription = (text: string): string => (text === '' ? '' : render(text).html);

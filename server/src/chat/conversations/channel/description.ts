// Renders a description to HTML. It is short and mentions nobody, so it is rendered on demand.
import { render } from '../../text/markdown/render.ts';

export const renderDescription = (text: string): string => (text === '' ? '' : render(text).html);

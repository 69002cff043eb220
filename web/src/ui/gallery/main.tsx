// Every component in every state, for people and for tests.
import { createRoot } from 'react-dom/client';
import '../tokens.css';
import { preparePage } from '../page.ts';
import { Gallery } from './gallery.tsx';

preparePage();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');
createRoot(root).render(<Gallery />);

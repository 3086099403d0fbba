import { StrictMode, useSyncExternalStore, type ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { Board } from './board.tsx';
import { Chat } from './chat.tsx';
import { stream } from './client.ts';
import { Dashboard } from './dashboard.tsx';
import { List } from './list.tsx';
import './style.css';

const pages: Record<string, ComponentType> = { Board, List, Dashboard, Chat };

function App() {
  const hash = useSyncExternalStore(
    (listener) => {
      addEventListener('hashchange', listener);
      return () => removeEventListener('hashchange', listener);
    },
    () => location.hash.slice(1),
  );
  const state = useSyncExternalStore(stream.subscribe, stream.current);
  const name = hash in pages ? hash : 'Board';
  const Page = pages[name]!;
  return (
    <>
      <header>
        <h1>Worktable</h1>
        <nav>
          {Object.keys(pages).map((page) => (
            <a key={page} href={`#${page}`} aria-current={page === name ? 'page' : undefined}>
              {page}
            </a>
          ))}
        </nav>
        <output data-state={state}>{state}</output>
      </header>
      <main>
        <Page />
      </main>
    </>
  );
}

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

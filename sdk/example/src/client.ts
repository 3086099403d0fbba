import { createCollection } from '@tanstack/react-db';
import { createClient } from '@worktable/sdk';
import { taskCollectionOptions } from '@worktable/sdk/tanstack-db';

/** `npm run example` sets the token of a demo. An application gets the token of its user here. */
export const client = createClient({ baseUrl: '/', token: String(import.meta.env.VITE_WORKTABLE_TOKEN) });

const stateListeners = new Set<() => void>();
let state = 'connecting';

/** The state of the stream that keeps the tasks current. */
export const stream = {
  current: () => state,
  subscribe: (listener: () => void) => {
    stateListeners.add(listener);
    return () => stateListeners.delete(listener);
  },
};

/** All tasks, read once and then kept current. Writes are shown at once, and taken back if the server refuses them. */
export const tasks = createCollection(
  taskCollectionOptions(client, {
    onState: (next) => {
      state = next.state;
      for (const listener of stateListeners) listener();
    },
  }),
);
void tasks.preload();

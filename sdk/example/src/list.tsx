import { useLiveQuery } from '@tanstack/react-db';
import type { Task } from '@worktable/sdk';
import { memo, useDeferredValue, useState } from 'react';
import { client, tasks } from './client.ts';

/** All tasks, however many. Words in the field filter them while one types. */
export function List() {
  const { data } = useLiveQuery((query) =>
    query.from({ task: tasks }).orderBy(({ task }) => task.created_at, 'desc'),
  );
  const [text, setText] = useState('');
  const words = text.toLowerCase().split(/\s+/);
  const found = data.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  return (
    <>
      <form onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          value={text}
          placeholder="Words of the title"
          aria-label="Words of the title"
          onChange={(event) => setText(event.target.value)}
        />
        <button type="button" onClick={() => void createThousand()}>
          Add 1,000 tasks
        </button>
        <output>{found.length.toLocaleString()} tasks</output>
      </form>
      {/* Rendered when the browser has time, so that typing and many changes at once stay fluent. */}
      <Rows tasks={useDeferredValue(found)} />
    </>
  );
}

const Rows = memo(({ tasks: rows }: { tasks: Task[] }) => (
  <ol className="list">
    {rows.map((task) => (
      <Row key={task.id} {...task} />
    ))}
  </ol>
));

const Row = memo(({ title, status, updated_at }: Task) => (
  <li>
    <span>{title}</span>
    <small>{status.replace('_', ' ')}</small>
    <time>{new Date(updated_at).toLocaleTimeString()}</time>
  </li>
));

/** A batch has at most a hundred operations. */
async function createThousand(): Promise<void> {
  for (let batch = 0; batch < 10; batch += 1) {
    const create = Array.from({ length: 100 }, (_, n) => ({
      title: `Count the chairs of room ${batch}${n}`,
    }));
    await client.tasks.batch({ create });
  }
}

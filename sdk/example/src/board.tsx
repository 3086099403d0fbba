import { useLiveQuery } from '@tanstack/react-db';
import type { Task } from '@worktable/sdk';
import { useDeferredValue, useState, type DragEvent } from 'react';
import { tasks } from './client.ts';
import { Entry } from './entry.tsx';

export const columns = {
  todo: 'To do',
  in_progress: 'In progress',
  blocked: 'Blocked',
  done: 'Done',
} as const;

type Status = keyof typeof columns;

/** A column for each status. A card moves at once, and moves back with a sentence if the server refuses. */
export function Board() {
  const { data, isLoading } = useLiveQuery((query) =>
    query.from({ task: tasks }).orderBy(({ task }) => task.created_at, 'desc'),
  );
  // Rendered when the browser has time, so that many changes at once do not block the page.
  const cards = useDeferredValue(data);
  const [problem, setProblem] = useState('');
  const report = (written: { when: (state: 'settled') => Promise<unknown> }) => {
    setProblem('');
    written.when('settled').catch((error: Error) => setProblem(error.message));
  };
  const move = (id: string, status: Status) =>
    report(tasks.update(id, (task) => void (task.status = status)));
  const create = (title: string) => report(tasks.insert({ title }));

  if (isLoading) return <p>Reading the tasks …</p>;
  return (
    <>
      <Entry label="Title of a new task" hint="What is to be done?" button="Add" onSend={create} />
      {problem !== '' && <p role="alert">{problem}</p>}
      <div className="board">
        {Object.entries(columns).map(([status, title]) => (
          <Column
            key={status}
            title={title}
            tasks={cards.filter((task) => task.status === status)}
            onDrop={(id) => move(id, status as Status)}
          />
        ))}
      </div>
    </>
  );
}

interface ColumnProps {
  title: string;
  tasks: Task[];
  onDrop: (id: string) => void;
}

function Column({ title, tasks: cards, onDrop }: ColumnProps) {
  const drop = (event: DragEvent) => {
    event.preventDefault();
    onDrop(event.dataTransfer.getData('text/plain'));
  };
  return (
    <section aria-label={title} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <h2>
        {title} <small>{cards.length}</small>
      </h2>
      {cards.map(({ id, title: text, priority, due_date, assignee_name }) => (
        <article
          key={id}
          draggable
          data-priority={priority}
          onDragStart={(event) => event.dataTransfer.setData('text/plain', id)}
        >
          {text}
          <footer>
            {due_date !== null && <time>{new Date(due_date).toLocaleDateString()}</time>} {assignee_name}
          </footer>
        </article>
      ))}
    </section>
  );
}

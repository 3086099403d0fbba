import { useLiveQuery } from '@tanstack/react-db';
import type { ChartRequest } from '@worktable/sdk';
import { useEffect, useState } from 'react';
import { columns } from './board.tsx';
import { client, tasks } from './client.ts';

const priorities = { high: 'High', medium: 'Medium', low: 'Low', none: 'None' };

/** Charts that the service draws again whenever a task changes. */
export function Dashboard() {
  const { data } = useLiveQuery((query) => query.from({ task: tasks }));
  const count = (name: 'status' | 'priority', labels: Record<string, string>) =>
    Object.entries(labels).map(([value, label]) => ({
      label,
      value: data.filter((task) => (task[name] ?? 'none') === value).length,
    }));
  const open = data.filter(({ status, due_date }) => status !== 'done' && due_date !== null);
  const weeks = Map.groupBy(open, ({ due_date }) => mondayBefore(String(due_date)));
  const due = [...weeks].toSorted().map(([label, { length }]) => ({ label, value: length }));
  const look = { theme: 'auto', width: 560, height: 320 } as const;
  return (
    <div className="charts">
      <Chart {...look} chart_type="bar" title="Tasks by status" data={count('status', columns)} />
      <Chart {...look} chart_type="pie" title="Tasks by priority" data={count('priority', priorities)} />
      <Chart
        {...look}
        width={1136}
        chart_type="line"
        title="Open tasks, by the week in which they are due"
        data={due}
      />
    </div>
  );
}

function mondayBefore(date: string): string {
  const day = new Date(date.slice(0, 10));
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

function Chart(chart: ChartRequest) {
  const [source, setSource] = useState('');
  const request = JSON.stringify(chart);
  useEffect(() => {
    const controller = new AbortController();
    client.viz
      .renderSvg(JSON.parse(request) as ChartRequest, { signal: controller.signal })
      .then(({ svg }) => setSource(`data:image/svg+xml,${encodeURIComponent(svg)}`))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) console.error(error);
      });
    return () => controller.abort();
  }, [request]);
  // An image, because a page with a strict Content-Security-Policy would not apply the styles of an inline SVG.
  return <img src={source || undefined} alt={chart.title ?? ''} width={chart.width} height={chart.height} />;
}

interface Created {
  readonly created_at: string;
}

/** The month in which a task was created, in UTC: 2026-01. */
export function monthOf({ created_at: createdAt }: Created): string {
  return isoMonth(Date.parse(createdAt));
}

/** Every month from the first task to the last, including months without a task. */
export function monthsOf(tasks: readonly Created[]): readonly string[] {
  const times = tasks.map(({ created_at: createdAt }) => Date.parse(createdAt));
  const last = isoMonth(Math.max(...times));
  const start = new Date(Math.min(...times));
  const months: string[] = [];
  for (let i = 0; months.length < pointsMax && times.length > 0 && months.at(-1) !== last; i++)
    months.push(isoMonth(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + i)));
  return months;
}

/** How many points a chart may have. */
const pointsMax = 10_000;

function isoMonth(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

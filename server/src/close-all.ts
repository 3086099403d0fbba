/** Takes every step in order, whatever becomes of the others, and then rejects with what went wrong. */
export async function closeAll(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, 'Several parts could not be closed.');
  if (failures.length === 1) throw failures[0];
}

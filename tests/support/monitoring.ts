import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const monitoringFolder = fileURLToPath(new URL('../../server/monitoring/', import.meta.url));

export function readMonitoring(file: string): Promise<string> {
  return readFile(join(monitoringFolder, file), 'utf8');
}

/** The names of the metrics that the alerts and the dashboard read. */
export async function monitoredMetrics(): Promise<string[]> {
  const files = await Promise.all(['alerts.yaml', 'dashboard.json'].map(readMonitoring));
  const metric = /\b(?:worktable|http|database|chart|change|agent|token|log|process|nodejs)_[a-z0-9_]+/g;
  return [...new Set(files.join().match(metric))];
}

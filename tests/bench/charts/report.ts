import type { Discipline, Result } from './compare.ts';
import type { Input } from './inputs.ts';

/** One table: who took how long, and how many times as long as we did. */
export function table({ title, goals }: Discipline, kind: Input['kind'], results: readonly Result[]): string {
  const ours = results.find(({ role }) => role === 'ours');
  const peers = results.filter(({ role }) => role !== 'ours').toSorted((a, b) => a.medianMs - b.medianMs);
  const best = peers.find(({ role }) => role === 'stock');
  if (ours === undefined || best === undefined) return `${title}, ${kind}: nobody to compare with\n`;
  const ratio = best.medianMs / ours.medianMs;
  const verdict = ratio >= goals[kind] ? 'reached' : 'MISSED';
  return [
    `${title}, ${kind}: ${ratio.toFixed(1)} times the speed of the best stock peer (goal ${goals[kind]}: ${verdict})`,
    ...[ours, ...peers].map((result) => row(result, ours)),
    '',
  ].join('\n');
}

function row({ name, role, medianMs, bytes }: Result, ours: Result): string {
  const cells = [
    `  ${name}${role === 'tuned' ? ' *' : ''}`.padEnd(36),
    `${medianMs.toFixed(3)} ms`.padStart(12),
    `${(medianMs / ours.medianMs).toFixed(1)}×`.padStart(9),
    `${bytes.toLocaleString('en')} bytes`.padStart(16),
    `${(bytes / ours.bytes).toFixed(2)}×`.padStart(8),
  ];
  return cells.join('');
}

import type { Comparison, Result } from './compare.ts';
import type { Input } from './inputs.ts';

/** One table: the times of all contenders, absolute and relative to ours. */
export function table(
  { title, targets }: Comparison,
  kind: Input['kind'],
  results: readonly Result[],
): string {
  const ours = results.find(({ role }) => role === 'ours');
  const peers = results.filter(({ role }) => role !== 'ours').toSorted((a, b) => a.medianMs - b.medianMs);
  const [fastest] = peers;
  if (ours === undefined || fastest === undefined) return `${title}, ${kind}: nothing to compare with\n`;
  const ratio = fastest.medianMs / ours.medianMs;
  const leastCpu = Math.min(...peers.map(({ cpuMs }) => cpuMs));
  const verdict = ratio >= targets[kind] ? 'met' : 'MISSED';
  return [
    `${title}, ${kind}: ${ratio.toFixed(1)} times the speed of the fastest peer (target ${targets[kind]}: ${verdict}), ${(leastCpu / ours.cpuMs).toFixed(1)} times by CPU time`,
    ...[ours, ...peers].map((result) => row(result, ours)),
    '',
  ].join('\n');
}

function row({ name, medianMs, cpuMs, bytes }: Result, ours: Result): string {
  const cells = [
    `  ${name}`.padEnd(36),
    `${medianMs.toFixed(3)} ms`.padStart(12),
    `${(medianMs / ours.medianMs).toFixed(1)}×`.padStart(9),
    `${cpuMs.toFixed(3)} ms CPU`.padStart(16),
    `${(cpuMs / ours.cpuMs).toFixed(1)}×`.padStart(9),
    `${bytes.toLocaleString('en')} bytes`.padStart(16),
    `${(bytes / ours.bytes).toFixed(2)}×`.padStart(8),
  ];
  return cells.join('');
}

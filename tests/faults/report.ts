import type { Finding } from './finding.ts';

/** The findings as a table in Markdown. */
export function report(findings: readonly Finding[], isShort: boolean): string {
  const head = ['promise', 'engine', 'tried', 'lost', 'recovery', 'figure', 'verdict'];
  const rows = findings.map((finding) => [
    finding.promise,
    finding.engine === 'none' ? '' : finding.engine,
    finding.tried,
    finding.lost,
    finding.recovery,
    finding.figure,
    verdict(finding, isShort),
  ]);
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

/** Whether the promise was broken; of times and sizes only in the long run, where the machine is meant to be idle. */
export function isMissed({ broken, beyond }: Finding, isShort: boolean): boolean {
  return broken.length > 0 || (!isShort && beyond.length > 0);
}

function verdict(finding: Finding, isShort: boolean): string {
  const { broken, beyond } = finding;
  if (isMissed(finding, isShort)) return `**missed: ${sentence([...broken, ...beyond])}**`;
  return beyond.length === 0 ? 'held' : `held, but beyond the figure: ${sentence(beyond)}`;
}

/** The first few reasons; a broken promise is often broken in the same way many times. */
function sentence(reasons: readonly string[]): string {
  const shown = reasons.slice(0, 3).join('; ');
  return reasons.length > 3 ? `${shown}; and ${reasons.length - 3} more` : shown;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`;
}

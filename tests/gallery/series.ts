import type { Schemas } from '../../server/src/operation.ts';

type Data = Schemas['DataPoint'][];

export function series(labels: readonly string[], values: readonly number[]): Data {
  return labels.map((label, i) => ({ label, value: values[i] ?? 0 }));
}

export function numbered(count: number, valueOf: (i: number) => number): Data {
  return Array.from({ length: count }, (_, i) => ({ label: `Item ${i + 1}`, value: valueOf(i) }));
}

export function repeated(data: Data, count: number): Data {
  return Array.from({ length: count }, (_, i) => data[i % data.length] ?? { label: '', value: 0 });
}

export function days(count: number): Data {
  const start = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, (_, i) => ({
    label: new Date(start + i * 86_400_000).toISOString().slice(0, 10),
    value: Math.round(60 + 30 * Math.sin(i / 9) + ((i * 7919) % 23)),
  }));
}

export function timed(start: string, stepMs: number, count: number): Data {
  return Array.from({ length: count }, (_, i) => ({
    label: new Date(Date.parse(start) + i * stepMs).toISOString(),
    value: wave(i * 9),
  }));
}

export function wave(i: number): number {
  return Math.round((50 + 20 * Math.sin(i / 40) + ((i * 7919) % 101) / 9) * 10) / 10;
}

export function noise(i: number): number {
  return 100 * Math.sin(i / 900) + ((i * 7919) % 997) / 12 - 40;
}

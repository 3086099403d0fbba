export const kinds = ['bar', 'line', 'pie'] as const;
export type Kind = (typeof kinds)[number];

/** The chart that every contender draws, at 800 by 600 pixels. */
export interface Input {
  readonly kind: Kind;
  readonly title: string;
  readonly labels: readonly string[];
  readonly values: readonly number[];
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const sources = ['Search', 'Direct', 'Email', 'Social', 'Affiliate', 'Referral', 'Video', 'Display'];

export const inputs: Readonly<Record<Kind, Omit<Input, 'kind'>>> = {
  bar: {
    title: 'Monthly revenue',
    labels: months,
    values: months.map((_, i) => 1200 + ((i * 7919) % 13) * 431),
  },
  line: {
    title: 'Latency over a day',
    labels: Array.from({ length: 1000 }, (_, i) => `t${i}`),
    values: Array.from({ length: 1000 }, (_, i) => 50 + 20 * Math.sin(i / 40) + ((i * 7919) % 101) / 25),
  },
  pie: {
    title: 'Traffic by source',
    labels: sources,
    values: [1048, 335, 310, 251, 234, 147, 135, 102],
  },
};

/** The chart with Cyrillic text, which the standard PDF fonts lack. */
export function inCyrillic(input: Input): Input {
  return { ...input, title: 'Отчёт за год', labels: input.labels.map((label) => `Я${label}`) };
}

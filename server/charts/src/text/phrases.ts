import type { ChartKind } from '../request/chart-kinds.ts';
import table from './phrases.json' with { type: 'json' };

type Language = keyof typeof table.sentences;

/** Texts of a chart that do not come from the request. `others` is the name of a slice that merges several others. */
export type Phrases = Readonly<Omit<typeof table.sentences.en, 'others'>> & { readonly others: Plural };
type Plural = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>;

/** The most spoken languages with Latin, Cyrillic, Greek or Hebrew letters. The shipped font has all of them. */
const phrases: Readonly<Record<Language, Phrases>> = table.sentences;

const charts: Readonly<Record<ChartKind | 'area', Readonly<Record<Language, string>>>> = table.charts;

/** The name of a kind of chart, in the language of the locale. */
export function chartName(kind: keyof typeof charts, locale: string): string {
  return charts[kind][languageOf(locale)];
}

/** The phrases in the language of a BCP 47 tag, or in English if the table lacks the language or its script. */
export function phrasesOf(locale: string): Phrases {
  return phrases[languageOf(locale)];
}

/** The phrase for a slice that merges `count` others. `text` is the number as the chart writes it. */
export function othersPhrase(count: number, text: string, locale: string): string {
  const language = languageOf(locale);
  const plural = phrases[language].others;
  return filled(plural[new Intl.PluralRules(language).select(count)] ?? plural.other, { count: text });
}

/** The phrase with the names in braces replaced by values. */
export function filled(phrase: string, values: Readonly<Record<string, string>>): string {
  return phrase.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** The language of the phrases, if it is not the language of the locale. */
export function foreignLanguage(locale: string): Language | undefined {
  const language = languageOf(locale);
  return locale.startsWith(language) ? undefined : language;
}

function languageOf(locale: string): Language {
  if (isKnown(locale)) return locale;
  const { language, script } = new Intl.Locale(locale);
  if (!isKnown(language)) return 'en';
  return script === undefined || script === new Intl.Locale(language).maximize().script ? language : 'en';
}

function isKnown(language: string): language is Language {
  return Object.hasOwn(phrases, language);
}

import { settings } from '../../server/src/config/settings.ts';
import type { Settings } from '../../server/src/config/setting.ts';

const groups: readonly Settings[] = Object.values(settings);
const between = /(<!-- settings[^>]*-->\n)[^]*?(<!-- end of settings -->)/;

/** The operator's page with the table of the settings between its two marks. */
export function withSettingsTable(page: string): string {
  if (!between.test(page)) throw new Error('server/README.md has lost a mark of the table of settings.');
  return page.replace(between, (_, begin: string, end: string) => `${begin}${table()}\n${end}`);
}

function table(): string {
  const rows = groups
    .flatMap((group) => Object.values(group))
    .map(({ name, default: text = '', meaning }) =>
      ['', `\`${name}\``, text === '' ? '' : `\`${text}\``, meaning, ''].join(' | ').trim(),
    );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

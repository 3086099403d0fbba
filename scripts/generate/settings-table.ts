import { settings } from '../../server/src/config/settings.ts';
import type { Settings } from '../../server/src/config/setting.ts';

const groups: readonly Settings[] = Object.values(settings);

/** The table of the settings on the operator's page. */
export function settingsTable(): string[] {
  const rows = groups
    .flatMap((group) => Object.values(group))
    .map(({ name, default: text = '', meaning }) =>
      ['', `\`${name}\``, text === '' ? '' : `\`${text}\``, meaning, ''].join(' | ').trim(),
    );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows];
}

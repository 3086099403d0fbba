import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const files = ['package.json', 'server/package.json', 'server/charts/package.json', 'sdk/package.json'];

it.each(files)('each script of %s that is one program of Node begins with exec', (file) => {
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> };

  // Without `exec`, a signal to npm ends only the shell, and a server keeps its port.
  const withoutExec = Object.entries(scripts).filter(([, text]) => /^node [^&|;]*$/.test(text));

  expect(withoutExec).toEqual([]);
});

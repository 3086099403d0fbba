import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../server');
const { files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { files: string[] };
// npm adds README.md to every package.
const packed = ['README.md', ...files];
const pages = packed.flatMap((path) => globSync([path, `${path}/**/*.md`], { cwd: folder }));

it.each(pages.filter((page) => page.endsWith('.md')))(
  'the package of the server has every file that its page %s links to',
  (page) => {
    const text = readFileSync(join(folder, page), 'utf8');
    const links = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, path = '']) =>
      normalize(join(dirname(page), path)),
    );

    const missing = links.filter((path) => !packed.some((each) => `${path}/`.startsWith(`${each}/`)));

    expect(missing, 'Add these to "files" of server/package.json, or do not link to them.').toEqual([]);
  },
);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Package {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '../../..');

describe.each([
  'package-lock.json',
  'tests/bench/peers/package-lock.json',
  'tests/interop/peers/package-lock.json',
])('%s', (file) => {
  const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    packages: Record<string, Package>;
  };

  it('has every optional dependency of its packages for all platforms, which npm ci requires', () => {
    expect(missing(packages)).toEqual([]);
  });
});

function missing(packages: Readonly<Record<string, Package>>): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => foldersFrom(path).every((folder) => !(`${folder}node_modules/${name}` in packages)))
      .map((name) => `${path} names ${name}`),
  );
}

/** The folders in whose node_modules a package is looked up: its own folder and all parents. */
function foldersFrom(path: string): string[] {
  const parts = path.split('/').map((part) => `${part}/`);
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join(''))];
}

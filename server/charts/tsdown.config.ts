import { readFileSync, writeFileSync } from 'node:fs';
import { defineConfig } from 'tsdown';

interface Manifest {
  readonly private: boolean;
  readonly scripts: object;
  readonly devDependencies: object;
  readonly exports: Readonly<Record<string, string>>;
}

/** Writes the manifest of the package. In the repository, entry points are sources; in the package, they are built. */
function writeManifest(): void {
  const text = readFileSync('package.json', 'utf8');
  const {
    private: _,
    scripts: __,
    devDependencies: ___,
    exports,
    ...manifest
  } = JSON.parse(text) as Manifest;
  const built = Object.entries(exports).map(([entry, source]) => {
    const file = source.replace('./src/', './lib/').replace('.ts', '');
    return [entry, { types: `${file}.d.ts`, default: `${file}.js` }] as const;
  });
  writeFileSync(
    'dist/package.json',
    JSON.stringify({ ...manifest, exports: Object.fromEntries(built) }, null, 2),
  );
}

export default defineConfig({
  entry: { index: 'src/index.ts', svg: 'src/svg.ts' },
  outDir: 'dist/lib',
  platform: 'node',
  target: 'es2024',
  dts: true,
  fixedExtension: false,
  logLevel: 'warn',
  copy: [
    { from: 'src/fonts/*.*', to: 'dist/fonts' },
    { from: ['README.md', 'chart.svg', '../LICENSE'], to: 'dist' },
  ],
  onSuccess: writeManifest,
});

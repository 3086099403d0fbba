/**
 * Compiles server/png from AssemblyScript to the WebAssembly that render processes load: `npm run png`. With --check it
 * writes nothing and fails if the compiled module does not match its sources.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'server/src/viz/paint/generated');

const buildFolder = mkdtempSync(join(tmpdir(), 'worktable-png-'));
try {
  compile(buildFolder);
  for (const file of ['png.wasm', 'png.js', 'png.d.ts']) update(file, readFileSync(join(buildFolder, file)));
} finally {
  rmSync(buildFolder, { recursive: true });
}

function compile(into: string): void {
  const settings = '--bindings esm --runtime stub --enable simd --optimizeLevel 3 --noAssert'.split(' ');
  const compiler = join(root, 'node_modules/assemblyscript/bin/asc.js');
  const program = [compiler, 'server/png/index.ts', '--outFile', join(into, 'png.wasm'), ...settings];
  execFileSync(process.execPath, program, { cwd: root, stdio: 'inherit' });
  // TypeScript declares WebAssembly in its DOM library only.
  const types = join(into, 'png.d.ts');
  const text = readFileSync(types, 'utf8');
  writeFileSync(types, text.replace('WebAssembly.Memory', '{ readonly buffer: ArrayBuffer }'));
}

function update(file: string, content: Buffer): void {
  const path = join(folder, file);
  if (existsSync(path) && readFileSync(path).equals(content)) return;
  if (process.argv.includes('--check')) {
    console.error(`${file} does not match server/png. Run "npm run png" and commit the result.`);
    process.exitCode = 1;
  } else {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, content);
    console.log(`wrote ${file}`);
  }
}

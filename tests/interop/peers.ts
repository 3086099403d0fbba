import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installPeers } from '../support/install-peers.ts';

const folder = fileURLToPath(new URL('peers', import.meta.url));
const packages = `${folder}/node_modules`;
const source = `${packages}/.llama.cpp`;
const templates = `${source}/models/templates`;
const converter = `${packages}/.converter`;

/** Vitest calls this before the tests of the project. */
export function setup(): void {
  // Without install scripts, which would compile llama.cpp where the prebuilt file does not run.
  installPeers(folder, '--ignore-scripts');
  // The package with llama.cpp's builds also has the sources of the same release.
  if (!existsSync(source))
    execFileSync('git', ['clone', '--quiet', `${packages}/node-llama-cpp/llama/gitRelease.bundle`, source], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  if (!existsSync(converter)) compileConverter();
}

/** This takes half a minute. */
function compileConverter(): void {
  console.error("Compiling llama.cpp's converter of schemas …");
  const folders = ['common', 'vendor', 'include', 'ggml/include', 'src'].map((name) => `-I${source}/${name}`);
  const names = ['json-schema-to-grammar', 'json', 'trie', 'unicode'];
  const files = names.map((name) => `${source}/common/${name}.cpp`);
  const main = fileURLToPath(new URL('convert.cpp', import.meta.url));
  execFileSync('g++', ['-std=c++17', ...folders, main, ...files, '-o', converter], { stdio: 'inherit' });
}

/** The grammar that llama.cpp makes from a JSON Schema. Throws llama.cpp's message if it refuses the schema. */
export function grammarOf(schema: object): string {
  return execFileSync(converter, { input: JSON.stringify(schema), encoding: 'utf8' });
}

/** The names of llama.cpp's copies of chat templates. */
export function templateNames(): string[] {
  return readdirSync(templates).flatMap((file) => (file.endsWith('.jinja') ? [file.slice(0, -6)] : []));
}

/** A chat template by the name of llama.cpp's copy. */
export function chatTemplate(name: string): string {
  return readFileSync(`${templates}/${name}.jinja`, 'utf8');
}

/** The packages, with the types of the functions that tests call. */
interface Peers {
  readonly '@huggingface/jinja': {
    readonly Template: new (text: string) => { render(values: object): string };
  };
  readonly 'node-llama-cpp': {
    readonly getLlama: (options: object) => Promise<object>;
    /** Throws if llama.cpp cannot parse the grammar. */
    readonly LlamaGrammar: new (llama: object, options: { readonly grammar: string }) => object;
  };
}

/** Loads a package that may not be installed when the types are checked. */
export async function loadPeer<Name extends keyof Peers>(name: Name): Promise<Peers[Name]> {
  return (await import(pathToFileURL(`${packages}/${name}/dist/index.js`).href)) as Peers[Name];
}

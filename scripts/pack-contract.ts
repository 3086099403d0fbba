/** Puts the contract, and the contract as the mock serves it, into the folder of the SDK, to be packed with it. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mockDocument, type Contract } from './mock/document.ts';

const root = join(import.meta.dirname, '..');
const generated = join(root, 'server/src/generated/openapi.json');

await copyFile(generated, join(root, 'sdk/openapi.json'));
const contract = JSON.parse(await readFile(generated, 'utf8')) as Contract;
await writeFile(join(root, 'sdk/mock.json'), JSON.stringify(mockDocument(contract)));

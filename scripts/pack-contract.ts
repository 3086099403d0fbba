/** Writes the contract and the mock's document into the folder of the SDK, or into another folder. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import contract from '../server/src/generated/openapi.json' with { type: 'json' };
import { mockDocument } from './mock-document.ts';

const folder = process.argv[2] ?? join(import.meta.dirname, '../sdk');
await writeFile(join(folder, 'openapi.json'), JSON.stringify(contract));
await writeFile(join(folder, 'mock.json'), JSON.stringify(mockDocument()));

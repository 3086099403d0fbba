import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import type { OpenAPI3 } from 'openapi-typescript';
import { parse } from 'yaml';
import { withNulls } from './complete-examples.ts';

type Document = Awaited<ReturnType<typeof SwaggerParser.bundle>>;

const areas = ['common', 'tasks', 'viz', 'agents'];

/**
 * The contract as one document, in which every component of the areas' files keeps its name. Otherwise the
 * bundler would name a component after its first use, or copy it to its uses.
 */
export async function bundleContract(folder: URL): Promise<OpenAPI3> {
  const main = new URL('openapi.yaml', folder);
  const mainDocument = await readYaml(main);
  const listed = new Set(
    Object.values(mainDocument['paths'] ?? {}).map(({ $ref }: { $ref: string }) => $ref),
  );
  const components: Record<string, Record<string, { readonly $ref: string }>> = {};
  for (const area of areas) {
    const { paths = {}, ...kinds } = await readYaml(new URL(`${area}.yaml`, folder));
    const unlisted = Object.keys(paths).find((name) => !listed.has(`${area}.yaml#/paths/${name}`));
    if (unlisted !== undefined)
      throw new Error(`openapi/openapi.yaml lacks ${area}.yaml#/paths/${unlisted}. Add it to its paths.`);
    for (const [kind, named] of Object.entries(kinds))
      for (const name of Object.keys(named)) {
        if (components[kind]?.[name] !== undefined)
          throw new Error(`Two files of openapi/ have ${kind}/${name}. Rename the one in ${area}.yaml.`);
        components[kind] = { ...components[kind], [name]: { $ref: `${area}.yaml#/${kind}/${name}` } };
      }
  }
  const document = { ...mainDocument, components };
  // The casts are unchecked here, because Redocly checks that the result is an OpenAPI document.
  const bundle = await SwaggerParser.bundle(fileURLToPath(main), document as unknown as Document, {});
  return withNulls(bundle as OpenAPI3);
}

async function readYaml(file: URL): Promise<Record<string, object>> {
  return parse(await readFile(file, 'utf8')) as Record<string, object>;
}

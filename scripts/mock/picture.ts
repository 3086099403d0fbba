import contract from '../../server/src/generated/openapi.json' with { type: 'json' };
import { renderPdf, renderPng, renderSvg } from '@worktable/charts';
import { mockDocument, type Contract } from './document.ts';

const request = {
  title: 'Tasks by status',
  data: [
    { label: 'todo', value: 7 },
    { label: 'in_progress', value: 3 },
    { label: 'done', value: 12 },
  ],
  width: 480,
  height: 320,
};

/**
 * The mock.json of the SDK. A small chart that the service itself has drawn replaces the pictures in the contract's
 * examples, which are the smallest possible.
 */
export function drawMock(): Contract {
  // A cast, because TypeScript types a JSON module by its literal. Redocly checks that it is an OpenAPI document.
  const document = mockDocument(contract as unknown as Contract);
  const svg = renderSvg(request);
  const png = renderPng(request).bytes.toString('base64');
  const pdf = renderPdf(request).bytes.toString('base64');
  return JSON.parse(JSON.stringify(document), (_name, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (/^<svg [^>]*><\/svg>$/.test(value)) return svg;
    return value.replaceAll(/\biVBORw0KGgo[\w+/=]+/g, png).replaceAll(/^JVBERi0[\w+/=]+/g, pdf);
  }) as Contract;
}

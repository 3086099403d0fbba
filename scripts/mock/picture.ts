import contract from '../../server/src/generated/openapi.json' with { type: 'json' };
import { renderPdf, renderPng, renderSvg, type ChartRequest } from '@worktable/charts';
import { mockDocument, type Contract } from './document.ts';

const { example } = contract.paths['/api/v1/viz/render/svg'].post.requestBody.content['application/json'];

/**
 * The mock.json of the SDK. Its example responses show the chart of the example request, because the pictures in the
 * contract are the smallest possible.
 */
export function drawMock(): Contract {
  // Casts, because TypeScript types a JSON module by its literal. `generate` and tests check the document and its
  // examples.
  const document = mockDocument(contract as unknown as Contract);
  const request = example as ChartRequest;
  const svg = renderSvg(request);
  const png = renderPng(request).bytes.toString('base64');
  const pdf = renderPdf(request).bytes.toString('base64');
  return JSON.parse(JSON.stringify(document), (_name, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (/^<svg [^>]*><\/svg>$/.test(value)) return svg;
    return value.replaceAll(/\biVBORw0KGgo[\w+/=]+/g, png).replaceAll(/^JVBERi0[\w+/=]+/g, pdf);
  }) as Contract;
}

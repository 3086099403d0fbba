import contract from '../../server/src/generated/openapi.json' with { type: 'json' };
import { renderPdf, renderPng, renderSvg } from '@worktable/charts';
import { mockDocument, type Contract, type Picture } from './document.ts';

/** The mock.json of the SDK, with a small chart that the service itself has drawn. */
export function drawMock(): Contract {
  // A cast, because TypeScript types a JSON module by its literal. Redocly checks that it is an OpenAPI document.
  return mockDocument(contract as unknown as Contract, drawPicture());
}

function drawPicture(): Picture {
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
  return {
    svg: renderSvg(request),
    png: renderPng(request).bytes.toString('base64'),
    pdf: renderPdf(request).bytes.toString('base64'),
  };
}

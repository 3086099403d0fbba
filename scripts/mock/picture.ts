import contract from '../../server/src/generated/openapi.json' with { type: 'json' };
import { chartFrom } from '../../server/src/viz/chart.ts';
import { layout } from '../../server/src/viz/layout/layout.ts';
import { registerFonts } from '../../server/src/viz/paint/font-files.ts';
import { paintPdf } from '../../server/src/viz/paint/pdf.ts';
import { paintPng } from '../../server/src/viz/paint/png.ts';
import { paintSvg } from '../../server/src/viz/paint/svg.ts';
import { mockDocument, type Contract, type Picture } from './document.ts';

/** The mock.json of the SDK, with a small chart that the service itself has drawn. */
export function drawMock(): Contract {
  // TypeScript types a JSON module by its literal; `generate` has checked that it is an OpenAPI document.
  return mockDocument(contract as unknown as Contract, drawPicture());
}

function drawPicture(): Picture {
  registerFonts();
  const chart = chartFrom({
    chart_type: 'bar',
    title: 'Tasks by status',
    data: [
      { label: 'todo', value: 7 },
      { label: 'in_progress', value: 3 },
      { label: 'done', value: 12 },
    ],
    width: 480,
    height: 320,
    scale: 1,
    stacked: false,
    orientation: 'vertical',
    x_type: 'auto',
    locale: 'en',
    theme: 'light',
  });
  const scene = layout(chart);
  return {
    svg: paintSvg(scene),
    png: paintPng(scene)().toString('base64'),
    pdf: paintPdf(scene)().toString('base64'),
  };
}

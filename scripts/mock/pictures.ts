import { chartFrom } from '../../server/src/viz/chart.ts';
import { layout } from '../../server/src/viz/layout/layout.ts';
import { registerFonts } from '../../server/src/viz/paint/font-files.ts';
import { paintPdf } from '../../server/src/viz/paint/pdf.ts';
import { paintPng } from '../../server/src/viz/paint/png.ts';
import { paintSvg } from '../../server/src/viz/paint/svg.ts';

/** One chart in the three formats. */
export interface Picture {
  readonly svg: string;
  readonly png: Buffer;
  readonly pdf: Buffer;
}

/** For lists of the examples, which need none. */
export const noPicture: Picture = { svg: '', png: Buffer.alloc(0), pdf: Buffer.alloc(0) };

/** A small chart, drawn by the service itself. */
export function drawPicture(): Picture {
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
  return { svg: paintSvg(scene), png: paintPng(scene)(), pdf: paintPdf(scene)() };
}

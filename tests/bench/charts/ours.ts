import { chartFrom } from '../../../server/src/viz/chart.ts';
import { layout } from '../../../server/src/viz/layout/layout.ts';
import { registerFonts } from '../../../server/src/viz/paint/font-files.ts';
import { paintPdf } from '../../../server/src/viz/paint/pdf.ts';
import { paintPng } from '../../../server/src/viz/paint/png.ts';
import { paintSvg } from '../../../server/src/viz/paint/svg.ts';
import type { Scene } from '../../../server/src/viz/scene.ts';
import type { Contender } from './contenders.ts';
import type { Input } from './inputs.ts';

registerFonts();

/** Renders a request body to the bytes of a picture, in this process like the peers. */
export const worktable = {
  svg: (input) => paintSvg(sceneOf(input)),
  png: (input) => paintPng(sceneOf(input))(),
  pdf: (input) => paintPdf(sceneOf(input))(),
} satisfies Contender;

function sceneOf({ kind, title, labels, values }: Input): Scene {
  const data = labels.map((label, i) => ({ label, value: values[i] ?? 0 }));
  const looks = {
    width: 800,
    height: 600,
    scale: 1,
    theme: 'light',
    locale: 'en',
    stacked: false,
    orientation: 'vertical',
    x_type: 'auto',
  } as const;
  return layout(chartFrom({ chart_type: kind, title, data, ...looks }));
}

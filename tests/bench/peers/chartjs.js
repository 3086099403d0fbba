import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { Chart, registerables } from 'chart.js';
import { ChartJSNodeCanvas } from 'chartjs-node-canvas';
import { Canvas } from 'canvas';

Chart.register(...registerables);

/** Chart.js as documented: title, axes with grid; the legend names the slices of a pie. */
export function configOf({ kind, title, labels, values }) {
  return {
    type: kind,
    data: {
      labels,
      datasets: [{ data: values, ...(kind === 'line' ? { pointRadius: 0, borderWidth: 1.5 } : {}) }],
    },
    options: {
      responsive: false,
      animation: false,
      plugins: { title: { display: true, text: title }, legend: { display: kind === 'pie' } },
    },
  };
}

const png = new ChartJSNodeCanvas({ width: 800, height: 600, backgroundColour: 'white' });
const pdf = new ChartJSNodeCanvas({ type: 'pdf', width: 800, height: 600, backgroundColour: 'white' });

export const chartjsNodeCanvas = {
  png: (input) => png.renderToBufferSync(configOf(input)),
  pdf: (input) => pdf.renderToBufferSync(configOf(input), 'application/pdf'),
};

/** Tuned: draws on a reused canvas, and encodes with low compression. */
const reused = new Canvas(800, 600);
reused.style = {};
export const chartjsTuned = {
  png: (input) => {
    const context = reused.getContext('2d');
    context.textDrawingMode = 'glyph';
    const chart = new Chart(context, onWhite(configOf(input)));
    const bytes = reused.toBuffer('image/png', { compressionLevel: 1, filters: Canvas.PNG_FILTER_NONE });
    chart.destroy();
    return bytes;
  },
};

GlobalFonts.loadSystemFonts();
export const chartjsNapi = {
  png: (input) => {
    const canvas = createCanvas(800, 600);
    const chart = new Chart(canvas.getContext('2d'), onWhite(configOf(input)));
    const bytes = canvas.toBuffer('image/png');
    chart.destroy();
    return bytes;
  },
};

function onWhite(config) {
  const beforeDraw = ({ ctx, width, height }) => {
    ctx.save();
    ctx.fillStyle = 'white';
    ctx.fillRect(0, 0, width, height);
    ctx.restore();
  };
  return { ...config, plugins: [{ id: 'white', beforeDraw }] };
}

import { createCanvas } from 'canvas';
import Chart from 'chart.js/auto';

const paper = {
  id: 'paper',
  beforeDraw: ({ ctx, width, height }) => {
    ctx.fillStyle = 'white';
    ctx.fillRect(0, 0, width, height);
  },
};

/** Chart.js on node-canvas. Like the other peers, it compresses PNG files at zlib's fastest level. */
export const contender = {
  png: ({ kind, title, labels, values }) => {
    const canvas = createCanvas(800, 600);
    const plugins = { title: { display: true, text: title }, legend: { display: kind === 'pie' } };
    const chart = new Chart(canvas, {
      type: kind,
      data: { labels, datasets: [{ data: values, pointRadius: 0 }] },
      options: { animation: false, responsive: false, plugins },
      plugins: [paper],
    });
    const bytes = canvas.toBuffer('image/png', { compressionLevel: 1 });
    chart.destroy();
    return bytes;
  },
};

/** Koa in front of chartjs-node-canvas; the argument is the number of processes. */
import cluster from 'node:cluster';
import Koa from 'koa';
import { ChartJSNodeCanvas } from 'chartjs-node-canvas';

const count = Number(process.argv[2]);
if (cluster.isPrimary && count > 1) {
  for (let i = 0; i < count; i++) cluster.fork();
  cluster.on('listening', (_worker, { port }) => process.send?.(port));
} else {
  const charts = new ChartJSNodeCanvas({ width: 800, height: 600, backgroundColour: 'white' });
  const app = new Koa();
  app.use(async (ctx) => {
    let text = '';
    for await (const part of ctx.req) text += part;
    const { chart_type: kind, title, data } = JSON.parse(text);
    const input = {
      kind,
      title,
      labels: data.map(({ label }) => label),
      values: data.map(({ value }) => value),
    };
    const png = await charts.renderToBuffer(configOf(input));
    ctx.body = { png_base64: png.toString('base64') };
  });
  const server = app.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
}
process.on('disconnect', () => process.exit());

/** Chart.js as documented: title, axes with grid; the legend names the slices of a pie. */
function configOf({ kind, title, labels, values }) {
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

import * as echarts from 'echarts';
import sharp from 'sharp';

function optionOf({ kind, title, labels, values }) {
  const base = { animation: false, backgroundColor: '#fff', title: { text: title } };
  if (kind === 'pie') {
    return {
      ...base,
      series: [{ type: 'pie', data: labels.map((name, i) => ({ name, value: values[i] })) }],
    };
  }
  return {
    ...base,
    xAxis: { type: 'category', data: labels },
    yAxis: { type: 'value' },
    series: [{ type: kind, data: values, ...(kind === 'line' ? { showSymbol: false } : {}) }],
  };
}

function svg(input) {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 800, height: 600 });
  chart.setOption(optionOf(input));
  const result = chart.renderToSVGString();
  chart.dispose();
  return result;
}

export const contender = {
  svg,
  png: (input) =>
    sharp(Buffer.from(svg(input)))
      .png({ compressionLevel: 1 })
      .toBuffer(),
};

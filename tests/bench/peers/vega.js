import * as vega from 'vega';
import { compile } from 'vega-lite';

function specOf({ kind, title, labels, values }) {
  const data = { name: 'points', values: pointsOf({ labels, values }) };
  const base = { title, width: 740, height: 520, background: 'white', data };
  if (kind === 'pie') {
    const encoding = {
      theta: { field: 'value', type: 'quantitative' },
      color: { field: 'label', type: 'nominal' },
    };
    return { ...base, mark: 'arc', encoding };
  }
  const x = { field: 'label', type: 'ordinal', sort: null, axis: { labelOverlap: true } };
  return { ...base, mark: kind, encoding: { x, y: { field: 'value', type: 'quantitative' } } };
}

function pointsOf({ labels, values }) {
  return labels.map((label, i) => ({ label, value: values[i] }));
}

function viewOf(input) {
  return new vega.View(vega.parse(compile(specOf(input)).spec), { renderer: 'none' });
}

async function canvasOf(input, type) {
  return viewOf(input).toCanvas(
    1,
    type === 'pdf' ? { type: 'pdf', context: { textDrawingMode: 'glyph' } } : undefined,
  );
}

export const contender = {
  svg: (input) => viewOf(input).toSVG(),
  png: async (input) => (await canvasOf(input)).toBuffer('image/png', { compressionLevel: 1 }),
  pdf: async (input) => (await canvasOf(input, 'pdf')).toBuffer('application/pdf'),
};

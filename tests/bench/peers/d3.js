import * as d3 from 'd3';
import { parseHTML } from 'linkedom';

const [width, height, margin] = [800, 600, 40];
const { document } = parseHTML('<!doctype html><body></body>');

/** d3 as in its examples, on linkedom, because linkedom is faster than jsdom. */
export const contender = {
  svg: (input) => {
    const svg = d3.select(document.body).append('svg').attr('xmlns', 'http://www.w3.org/2000/svg');
    svg.attr('width', width).attr('height', height).attr('viewBox', [0, 0, width, height]);
    svg.append('text').attr('x', margin).attr('y', 24).attr('font-weight', 'bold').text(input.title);
    draw[input.kind](svg, input);
    const markup = svg.node().outerHTML;
    svg.remove();
    return markup;
  },
};

const draw = {
  bar(svg, { labels, values }) {
    const x = d3.scaleBand(labels, [margin, width - margin]).padding(0.2);
    const y = axes(svg, d3.axisBottom(x), values);
    svg
      .append('g')
      .attr('fill', 'steelblue')
      .selectAll('rect')
      .data(values)
      .join('rect')
      .attr('x', (_, i) => x(labels[i]))
      .attr('y', y)
      .attr('width', x.bandwidth())
      .attr('height', (v) => y(0) - y(v));
  },
  line(svg, { labels, values }) {
    const x = d3.scalePoint(labels, [margin, width - margin]);
    const y = axes(svg, d3.axisBottom(x).tickValues(labels.filter((_, i) => i % 100 === 0)), values);
    const line = d3.line(
      (_, i) => x(labels[i]),
      (v) => y(v),
    );
    svg.append('path').attr('fill', 'none').attr('stroke', 'steelblue').attr('d', line(values));
  },
  pie(svg, { labels, values }) {
    const color = d3.scaleOrdinal(labels, d3.schemeTableau10);
    const arcs = d3.pie().sort(null)(values);
    const disc = svg.append('g').attr('transform', `translate(${width / 2},${height / 2 + 10})`);
    const arc = d3.arc().innerRadius(0).outerRadius(240);
    const outside = d3.arc().innerRadius(260).outerRadius(260);
    disc
      .selectAll('path')
      .data(arcs)
      .join('path')
      .attr('d', arc)
      .attr('fill', (_, i) => color(labels[i]));
    const rim = d3.arc().innerRadius(242).outerRadius(242);
    const lines = disc.append('g').attr('fill', 'none').attr('stroke', '#aaa').selectAll('polyline');
    lines
      .data(arcs)
      .join('polyline')
      .attr('points', (d) => [rim.centroid(d), outside.centroid(d)]);
    const percent = d3.format('.1%');
    const sum = d3.sum(values);
    const names = disc.selectAll('text').data(arcs).join('text');
    names.attr('transform', (d) => `translate(${outside.centroid(d)})`);
    names.append('tspan').text((_, i) => labels[i]);
    names
      .append('tspan')
      .attr('x', 0)
      .attr('dy', '1.2em')
      .text((d) => percent(d.value / sum));
  },
};

function axes(svg, xAxis, values) {
  const y = d3.scaleLinear([0, d3.max(values)], [height - margin, margin]).nice();
  svg
    .append('g')
    .attr('transform', `translate(0,${height - margin})`)
    .call(xAxis);
  svg.append('g').attr('transform', `translate(${margin},0)`).call(d3.axisLeft(y));
  svg
    .append('g')
    .attr('stroke', '#ddd')
    .selectAll('line')
    .data(y.ticks())
    .join('line')
    .attr('x1', margin)
    .attr('x2', width - margin)
    .attr('y1', y)
    .attr('y2', y);
  return y;
}

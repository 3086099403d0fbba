import ApexCharts from 'apexcharts/ssr';

export const contender = {
  svg: ({ kind, title, labels, values }) =>
    ApexCharts.renderToString(
      {
        chart: { type: kind, animations: { enabled: false } },
        title: { text: title },
        dataLabels: { enabled: kind === 'pie' },
        ...(kind === 'pie'
          ? { series: values, labels }
          : { series: [{ data: values }], xaxis: { categories: labels } }),
      },
      { width: 800, height: 600 },
    ),
};

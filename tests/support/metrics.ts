import { setTimeout } from 'node:timers/promises';

interface Scraped {
  readonly url: string;
}

/** The current metrics of a server. Waits first, because scrapes within a tenth of a second get the same body. */
export async function currentMetrics({ url }: Scraped): Promise<string> {
  const scrape = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
  const earlier = await scrape();
  let metrics = earlier;
  // The next body differs from the earlier one, at least in its processor time.
  while (metrics === earlier) {
    await setTimeout(50);
    metrics = await scrape();
  }
  return metrics;
}

/** The value of a metric of a server, by its name with its labels, or 0 before there is one. */
export async function metricOf(server: Scraped, name: string): Promise<number> {
  const metrics = await currentMetrics(server);
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

/** How many requests the load shedder has rejected. */
export function rejectedRequests(server: Scraped): Promise<number> {
  return metricOf(server, 'http_requests_total{operation="none",status="503"}');
}

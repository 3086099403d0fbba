import { setTimeout } from 'node:timers/promises';

interface Scraped {
  readonly url: string;
}

/** The current metrics of a server. Waits for a new body: scrapes within a tenth of a second get the same one. */
export async function currentMetrics({ url }: Scraped): Promise<string> {
  const scrape = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
  const earlier = await scrape();
  let metrics = earlier;
  // A new body differs at least in the processor time.
  while (metrics === earlier) {
    await setTimeout(50);
    metrics = await scrape();
  }
  return metrics;
}

/** The value of a metric, by its name with labels; 0 if it does not exist yet. */
export async function metricOf(server: Scraped, name: string): Promise<number> {
  const metrics = await currentMetrics(server);
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

/** How many requests were answered 503. */
export async function rejectedRequests(server: Scraped): Promise<number> {
  const counts = (await currentMetrics(server)).matchAll(/^http_requests_total\{.*status="503"\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

import { setTimeout } from 'node:timers/promises';

/** The value of a metric of a server, by its name with its labels, or 0 before there is one. */
export async function metricOf({ url }: { readonly url: string }, name: string): Promise<number> {
  const scrape = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
  const earlier = await scrape();
  let metrics = earlier;
  // All scrapes of a second get one body. The next body differs, at least in its processor time.
  while (metrics === earlier) {
    await setTimeout(50);
    metrics = await scrape();
  }
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

/** How many requests the load shedder has rejected. */
export function rejectedRequests(server: { readonly url: string }): Promise<number> {
  return metricOf(server, 'http_requests_total{operation="none",status="503"}');
}

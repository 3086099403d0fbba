/** The value of a metric of a server, by its name with its labels, or 0 before there is one. */
export async function metricOf({ url }: { readonly url: string }, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

/** How many requests the load shedder has rejected. */
export function rejectedRequests(server: { readonly url: string }): Promise<number> {
  return metricOf(server, 'http_request_duration_seconds_count{operation="none",status="503"}');
}

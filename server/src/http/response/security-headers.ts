import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Middleware } from 'koa';

/**
 * Answers are data, so a browser that is led to open one may load nothing, guess nothing and show it in no frame. The
 * reference page says for itself what it may load.
 */
export function securityHeaders(): Middleware {
  const headers = new Map(Object.entries(helmetHeaders()));
  return (ctx, next) => {
    ctx.res.setHeaders(headers);
    return next();
  };
}

/** What helmet sets, to be asked once, as it is the same for every answer. */
export function helmetHeaders(): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Which other hosts of a domain speak TLS is not for this one to say.
    strictTransportSecurity: { includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
    // The rest is for pages, not for data.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })(request, response, () => undefined);
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}

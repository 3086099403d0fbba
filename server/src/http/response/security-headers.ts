import type { Middleware } from 'koa';

/**
 * The headers of every response (OWASP HTTP Headers Cheat Sheet). Responses are data, so a browser that opens one must
 * not load anything, guess a type or show it in a frame. The reference page sets its own content security policy.
 */
const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  // `includeSubDomains` is left out, because other hosts of the domain may not serve TLS.
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export function setSecurityHeaders(): Middleware {
  const headers = new Map(Object.entries(securityHeaders));
  return (ctx, next) => {
    ctx.res.setHeaders(headers);
    return next();
  };
}

import type { Middleware } from 'koa';

/**
 * The headers of every response (OWASP HTTP Headers Cheat Sheet). A response is data, so a browser that opens one loads
 * nothing, guesses no type and shows it in no frame. The reference page sets a content security policy of its own.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  // Without includeSubDomains: whether other hosts of the domain serve TLS is not known here.
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

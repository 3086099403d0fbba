import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { cleanUpAfter } from './cleanup.ts';
import { listen } from './listen.ts';

// A certificate of 127.0.0.1, signed by itself, that expired on 2 January 2020.
const key = pem(
  'PRIVATE KEY',
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvO68xRltxdhCMWMEeTgSQMycw0gBxb3+GLIY5FWvR7OhRANCAATDJX6H4rCYb586IRqDAHoFAkStI7mF5J4iLGV6z1QbZS6k9W4YJZPPBSSr5UWOkWq2JpygcP9djQdUR6HbHYEC',
);
const cert = pem(
  'CERTIFICATE',
  'MIIBVzCB/aADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCTEyNy4wLjAuMTAeFw0yMDAxMDEwMDAwMDBaFw0yMDAxMDIwMDAwMDBaMBQxEjAQBgNVBAMMCTEyNy4wLjAuMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMMlfofisJhvnzohGoMAegUCRK0juYXkniIsZXrPVBtlLqT1bhglk88FJKvlRY6RarYmnKBw/12NB1RHodsdgQKjQDA+MA8GA1UdEQQIMAaHBH8AAAEwDAYDVR0TBAUwAwEB/zAdBgNVHQ4EFgQUMf9LQ6/Uz7aiiWp6HBwKsgS2PkUwCgYIKoZIzj0EAwIDSQAwRgIhAImHd6SLHdXVppCaB0wXBDhbyVwQFu7mN+xtDFcKTgMnAiEAvIG9W3VqdB+QaWF8nGw6NQmBiAUsaHD0C8iTcast7yo=',
);

function pem(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;
}

/** Starts a server that this process trusts, except that its certificate has expired. Resolves to its URL. */
export async function startExpiredServer(): Promise<string> {
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, cert]);
  cleanUpAfter(() => {
    setDefaultCACertificates(trusted);
  });
  return `https://127.0.0.1:${await listen(createServer({ key, cert }).unref())}/v1`;
}

import { fileURLToPath } from 'node:url';
import { installPeers as install } from '../support/install-peers.ts';

export function installPeers(): void {
  install(fileURLToPath(new URL('peers', import.meta.url)));
}

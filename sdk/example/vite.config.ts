import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The server of the page forwards the paths of the service, so that no CORS is needed.
const target = process.env.WORKTABLE_URL ?? 'http://127.0.0.1:3000';
const proxy = { '/api': target, '/v1': target };

export default defineConfig({
  plugins: [react()],
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy },
});

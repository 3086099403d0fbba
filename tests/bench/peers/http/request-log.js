/** The middleware of the peers on Express: gives each request an id and a log line. */
import { randomUUID } from 'node:crypto';
import { pinoHttp } from 'pino-http';
import { openLog } from './process.js';

export function requestLog() {
  return pinoHttp({
    logger: openLog(),
    genReqId: (request, response) => {
      const id = request.headers['x-request-id'] ?? randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    serializers: {
      req: ({ id, method, url }) => ({ id, method, url }),
      res: ({ statusCode }) => ({ statusCode }),
    },
  });
}

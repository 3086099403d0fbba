/** A preload that makes third-party servers listen on 127.0.0.1 instead of all addresses. */
import { Server } from 'node:net';

type Listen = (this: Server, port: unknown, ...others: unknown[]) => Server;
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its `this` below.
const listen = Server.prototype.listen as Listen;

const listenOnLoopback: Listen = function (port, ...others) {
  return listen.call(this, port, '127.0.0.1', ...others);
};
Server.prototype.listen = listenOnLoopback as typeof Server.prototype.listen;

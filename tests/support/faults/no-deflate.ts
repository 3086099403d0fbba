/** A painter in whose process compression fails. */
import zlib from 'node:zlib';
import { syncBuiltinESMExports } from 'node:module';

zlib.deflateSync = () => {
  throw new Error('Z_MEM_ERROR');
};
syncBuiltinESMExports();

/**
 * A preload of the server process that kills it with SIGKILL when it inserts a message. KILL_AT, such as `before 2` or
 * `after 2`, is the number of the message among those of this process, and whether to kill before the insert or after
 * the commit.
 */
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

const [when = '', count = ''] = (process.env['KILL_AT'] ?? '').split(' ');
let written = 0;

function kill(): never {
  process.kill(process.pid, 'SIGKILL');
  // No statement may be executed until the signal is delivered.
  for (;;);
}

function beforeStatement(text: string): void {
  if (!text.startsWith('insert into "messages"')) return;
  written += 1;
  if (when === 'before' && written === Number(count)) kill();
}

function afterCommit<Result>(result: Result): Result {
  if (when === 'after' && written === Number(count)) kill();
  return result;
}

type Transact = PGlite['transaction'];
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its `this` below.
const transact: Transact = PGlite.prototype.transaction;

PGlite.prototype.transaction = async function <Result>(
  this: PGlite,
  run: (transaction: Parameters<Parameters<Transact>[0]>[0]) => Promise<Result>,
): Promise<Result> {
  const watched: typeof run = (transaction) =>
    run({
      ...transaction,
      query: (text, ...others) => {
        beforeStatement(text);
        return transaction.query(text, ...others);
      },
    });
  return afterCommit(await transact.call<PGlite, [typeof run], Promise<Result>>(this, watched));
};

type Callback = (error: Error | null, result: unknown) => void;
type Query = (this: pg.Client, statement: string | { text: string }, ...others: unknown[]) => unknown;
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its `this` below.
const query = pg.Client.prototype.query as Query;

const watchedQuery: Query = function (statement, ...others) {
  const text = typeof statement === 'string' ? statement : statement.text;
  beforeStatement(text);
  const [callback] = others;
  if (text !== 'commit' || typeof callback !== 'function') return query.call(this, statement, ...others);
  return query.call(this, statement, killBefore(callback as Callback));
};
pg.Client.prototype.query = watchedQuery as typeof pg.Client.prototype.query;

function killBefore(callback: Callback): Callback {
  return (error, result) => {
    callback(error, error === null ? afterCommit(result) : result);
  };
}

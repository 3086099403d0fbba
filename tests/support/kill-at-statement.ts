/**
 * A preload of the server process that kills it with SIGKILL at a statement of a transaction. KILL_STATEMENT is a part of
 * the statement's text. KILL_AT, such as `before 2` or `after 2`, is its number among those of this process, and whether to
 * kill before the statement or after the commit.
 */
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

const { KILL_AT = '', KILL_STATEMENT = '' } = process.env;
const [when = '', count = ''] = KILL_AT.split(' ');
let executed = 0;

function kill(): never {
  process.kill(process.pid, 'SIGKILL');
  // No statement may be executed until the signal is delivered.
  for (;;);
}

function beforeStatement(text: string): void {
  if (!text.replaceAll(/\s+/g, ' ').includes(KILL_STATEMENT)) return;
  executed += 1;
  if (when === 'before' && executed === Number(count)) kill();
}

function afterCommit<Result>(result: Result): Result {
  if (when === 'after' && executed === Number(count)) kill();
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

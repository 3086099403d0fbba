/**
 * Loaded into a server process before anything else: kills it, as a power cut would, at the message that KILL_AT names,
 * such as `before 2` or `after 2`. Counted are the messages that this process writes into logs of sessions; `after`
 * means once the transaction is committed.
 */
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

const [when = '', count = ''] = (process.env['KILL_AT'] ?? '').split(' ');
let written = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // Nothing may happen until the signal has done its work.
  for (;;);
}

function beforeStatement(text: string): void {
  if (!text.startsWith('insert into "messages"')) return;
  written += 1;
  if (when === 'before' && written === Number(count)) die();
}

function afterCommit<Result>(result: Result): Result {
  if (when === 'after' && written === Number(count)) die();
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

type Told = (error: Error | null, result: unknown) => void;
type Query = (this: pg.Client, statement: string | { text: string }, ...others: unknown[]) => unknown;
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its `this` below.
const query = pg.Client.prototype.query as Query;

const watchedQuery: Query = function (statement, ...others) {
  const text = typeof statement === 'string' ? statement : statement.text;
  beforeStatement(text);
  const [told] = others;
  if (text !== 'commit' || typeof told !== 'function') return query.call(this, statement, ...others);
  return query.call(this, statement, diesFirst(told as Told));
};
pg.Client.prototype.query = watchedQuery as typeof pg.Client.prototype.query;

function diesFirst(told: Told): Told {
  return (error, result) => {
    told(error, error === null ? afterCommit(result) : result);
  };
}

import { tmpdir } from 'node:os';
import { DatabaseError } from 'pg';
import { databaseUrl, run } from './postgres.ts';
import { runCommand } from './server-process.ts';

/** A Citus cluster. On each node, an empty database with distributed tables is the template for copies. */
export interface CitusCluster {
  /** The addresses of all nodes, the coordinator first. */
  readonly nodes: readonly string[];
  readonly template: string;
}

/** The cluster with the coordinator at TEST_CITUS_URL; undefined if that is not set. */
export async function findCitus(): Promise<(CitusCluster & { stop(): Promise<void> }) | undefined> {
  const url = process.env['TEST_CITUS_URL'];
  if (url === undefined) return undefined;
  const nodes = await citusNodes(url);
  const template = `worktable_template_${process.pid}`;
  await createCitusDatabase(nodes, template);
  const env = { DATA_DIR: tmpdir(), DATABASE_URL: databaseUrl(url, template) };
  await runCommand('migrate', env);
  await runCommand('distribute', env);
  // Citus' maintenance process connects to every database that allows it, and a database in use cannot be copied.
  await onEach(nodes, `alter database ${template} allow_connections false`);
  await onEach(nodes, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`);
  return { nodes, template, stop: () => dropCitusDatabase(nodes, template) };
}

/** Copies the template on every node. The copies know the same nodes, and use the database of their own name there. */
export async function copyCitusTemplate({ nodes, template }: CitusCluster, name: string): Promise<string> {
  await onEach(nodes, `create database ${name} template ${template}`);
  return databaseUrl(nodes[0] ?? '', name);
}

/**
 * Creates an empty database on every node, with the extension, and makes them a cluster. Tables have two shards on each
 * of two workers instead of 16 shards, because each shard adds files to every copy.
 */
export async function createCitusDatabase(nodes: readonly string[], name: string): Promise<string> {
  await onEach(nodes, `create database ${name}`);
  await onEach(nodes, `alter database ${name} set citus.shard_count = 4`);
  const urls = nodes.map((node) => databaseUrl(node, name));
  await onEach(urls, 'create extension citus');
  const [coordinator = '', ...workers] = urls;
  await run(coordinator, `select citus_set_coordinator_host(${hostAndPort(coordinator)})`);
  for (const worker of workers) await run(coordinator, `select citus_add_node(${hostAndPort(worker)})`);
  return coordinator;
}

export async function dropCitusDatabase(nodes: readonly string[], name: string): Promise<void> {
  // Without this, Citus' maintenance process would connect again during the drop.
  await onEach(nodes, `update pg_database set datallowconn = false where datname = '${name}'`);
  await Promise.all(nodes.map((node) => dropOn(node, name)));
}

/** Retries, because `force` waits only five seconds for connections to end. On a busy machine, Citus takes longer. */
async function dropOn(node: string, name: string, attempts = 6): Promise<void> {
  try {
    await run(node, `drop database if exists ${name} with (force)`);
  } catch (error) {
    const isInUse = error instanceof DatabaseError && error.code === '55006';
    if (!isInUse || attempts === 1) throw error;
    await dropOn(node, name, attempts - 1);
  }
}

/** The addresses of all nodes, the coordinator first. */
export async function citusNodes(coordinator: string): Promise<string[]> {
  const { rows } = await run(
    coordinator,
    'select node_name as host, node_port as port from citus_get_active_worker_nodes()',
  );
  const workers = rows.map(({ host, port }: { host: string; port: number }) => {
    const url = new URL(coordinator);
    url.hostname = host;
    url.port = String(port);
    return url.href;
  });
  return [coordinator, ...workers];
}

function hostAndPort(url: string): string {
  const { hostname, port } = new URL(url);
  return `'${hostname}', ${port === '' ? 5432 : port}`;
}

async function onEach(urls: readonly string[], statement: string): Promise<void> {
  await Promise.all(urls.map((url) => run(url, statement)));
}

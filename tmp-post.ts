import { sql } from 'kysely';
import { readFileSync } from 'node:fs';
import { readConfig } from './server/src/config/config.ts';
import { openPostgres } from './server/src/db/postgres/postgres.ts';
import { planNewTask } from './server/src/tasks/create.ts';
import { writeOf } from './server/src/tasks/task-change.ts';
import pg from 'pg';
const url='postgres://root@127.0.0.1:5432/bench_one';
process.env.DATABASE_URL=url; process.env.DATABASE_POOL_SIZE='1';
const { db, close } = openPostgres(url, { ...readConfig({}).database, poolSize: 1 } as never);
const pid=(await sql<{pid:number}>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid;
const cpu=(p:number)=>{const s=readFileSync(`/proc/${p}/stat`,'utf8');const f=s.slice(s.lastIndexOf(')')+2).split(' ');return (Number(f[11])+Number(f[12]))*10;};
const n=4000;
const body={workspace_id:'home',title:'Write the report',description:'A description of a few words',status:'todo',priority:'none',assignee_id:null,assignee_type:null,assignee_name:null,due_date:'2026-12-01',tags:'a,b',metadata:null};
const ours=async(i:number)=>{const {change}=planNewTask({id:'user-'+i%50} as never, body as never); await writeOf(change)(db);};
process.env.DATABASE_URL=url; process.env.DATABASE_POOL_SIZE='1';
const peer=await import(process.env.PEER!);
let peerPid=0;
{ // find the peer's pid after its first query
  await peer.createTask({title:'x'},'user-1');
  const admin=new pg.Client({connectionString:url}); await admin.connect();
  const r=await admin.query(`select pid from pg_stat_activity where datname='bench_one' and pid<>all($1::int[])`,[[pid,(await admin.query('select pg_backend_pid() p')).rows[0].p]]);
  peerPid=r.rows[0].pid; await admin.end();
}
const run=async(name:string,p:number,f:(i:number)=>Promise<unknown>)=>{const a=cpu(p),b=process.cpuUsage();for(let i=0;i<n;i++)await f(i);const c=process.cpuUsage(b);console.log(name,'backend us',Math.round((cpu(p)-a)*1000/n),'node us',Math.round((c.user+c.system)/n));};
for(let r=0;r<3;r++){await run('ours',pid,ours);await run('peer',peerPid,(i)=>peer.createTask(body,'user-'+i%50));await run('peer keyed',peerPid,(i)=>peer.createTask(body,'user-'+i%50,`k${r}-${i}-${Date.now()}`));}
await close(); process.exit();

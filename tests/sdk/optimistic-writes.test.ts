import { beforeEach, describe, expect, it } from 'vitest';
import { BadRequestError, PreconditionFailedError, type Task } from '../../sdk/src/index.ts';
import { collect, newUser, titles } from './collected-tasks.ts';

let user: Awaited<ReturnType<typeof newUser>>;
let tasks: Awaited<ReturnType<typeof collect>>;
let milk: Task;

beforeEach(async () => {
  user = await newUser();
  milk = await user.other.tasks.create({ title: 'Milk', workspace_id: 'home' });
  tasks = await collect(user.client, { workspace_id: 'home' });
});

describe('a task that is inserted into a collection', () => {
  it('is shown at once, can be changed before the server has created it, and is then as created', async () => {
    const letThrough = user.hold('requests');

    tasks.insert({ id: 'new', title: 'Rye' });
    expect(tasks.get('new')).toMatchObject({ title: 'Rye', status: 'todo', workspace_id: 'home' });
    const changing = tasks.update('new', (task) => {
      task.title = 'Rye bread';
    });
    letThrough();
    await changing.when('settled');

    await expect.poll(() => titles(tasks)).toEqual(['Milk', 'Rye bread']);
    const listed = await user.other.tasks.list().toArray();
    expect(listed).toHaveLength(2);
    for (const task of listed) expect(tasks.get(task.id)).toMatchObject(task);
  });

  it('is not missing between the response and its change', async () => {
    await tasks.insert({ title: 'Rye' }).when('settled');

    expect(titles(tasks)).toEqual(['Milk', 'Rye']);
  });

  it('is taken back if the server refuses it', async () => {
    const writing = tasks.insert({ title: ' ' });
    expect(tasks.size).toBe(2);

    await expect(writing.when('settled')).rejects.toBeInstanceOf(BadRequestError);
    expect(tasks.size).toBe(1);
  });
});

describe('a task that is changed in a collection', () => {
  const finish = () =>
    tasks.update(milk.id, (task) => {
      task.status = 'done';
    });

  it('is shown as changed at once, and stays so', async () => {
    const letThrough = user.hold('requests');

    const writing = finish();
    expect(tasks.get(milk.id)?.status).toBe('done');
    letThrough();
    await writing.when('settled');

    expect(tasks.get(milk.id)).toMatchObject(await user.other.tasks.get(milk.id));
    expect(tasks.get(milk.id)?.status).toBe('done');
  });

  it('is taken back if somebody else has changed it', async () => {
    const letThrough = user.hold('requests');

    const writing = finish();
    await user.other.tasks.update(milk.id, { title: 'Oat milk' });
    letThrough();

    await expect(writing.when('settled')).rejects.toBeInstanceOf(PreconditionFailedError);
    await expect.poll(() => tasks.get(milk.id)).toMatchObject({ title: 'Oat milk', status: 'todo' });
  });

  it('keeps later changes when the response to an earlier one is slow', async () => {
    const letThrough = user.hold('responses');

    const writing = finish();
    await expect.poll(async () => (await user.other.tasks.get(milk.id)).status).toBe('done');
    await user.other.tasks.update(milk.id, { title: 'Oat milk' });
    await expect.poll(user.streamed).toContain('Oat milk');
    letThrough();
    await writing.when('settled');

    expect(tasks.get(milk.id)).toMatchObject({ title: 'Oat milk', status: 'done' });
  });

  it('is deleted at once, and shown again if somebody else has changed it', async () => {
    const bread = await user.other.tasks.create({ title: 'Bread', workspace_id: 'home' });
    await expect.poll(() => tasks.size).toBe(2);
    const letThrough = user.hold('requests');

    const [ofMilk, ofBread] = [tasks.delete(milk.id), tasks.delete(bread.id)];
    expect(tasks.size).toBe(0);
    await user.other.tasks.update(bread.id, { title: 'Rye bread' });
    letThrough();

    await ofMilk.when('settled');
    await expect(ofBread.when('settled')).rejects.toBeInstanceOf(PreconditionFailedError);
    await expect.poll(() => titles(tasks)).toEqual(['Rye bread']);
    expect(await user.other.tasks.list().toArray()).toHaveLength(1);
  });
});

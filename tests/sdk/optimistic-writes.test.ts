import { describe, expect, it } from 'vitest';
import { BadRequestError, PreconditionFailedError } from '../../sdk/src/index.ts';
import { collect, newUser, titles } from './collected-tasks.ts';

const setDone = (task: { status?: string }): void => {
  task.status = 'done';
};

describe('a task that is inserted into a collection', () => {
  it('is shown at once, and then as the server has created it', async () => {
    const { other, client, holdRequests } = await newUser();
    const tasks = await collect(client, { workspace_id: 'home' });
    const letThrough = holdRequests();

    const writing = tasks.insert({ title: 'Milk' });
    expect(tasks.toArray).toMatchObject([{ title: 'Milk', status: 'todo', workspace_id: 'home' }]);
    letThrough();
    await writing.when('settled');

    const created = await other.tasks.list().toArray();
    expect(created).toHaveLength(1);
    expect(tasks.toArray).toMatchObject(created);
  });

  it('is taken back if the server refuses it', async () => {
    const { client } = await newUser();
    const tasks = await collect(client);

    const writing = tasks.insert({ title: ' ' });
    expect(tasks.size).toBe(1);

    await expect(writing.when('settled')).rejects.toBeInstanceOf(BadRequestError);
    expect(tasks.size).toBe(0);
  });

  it('can be changed before the server has created it', async () => {
    const { other, client, holdRequests } = await newUser();
    const tasks = await collect(client);
    const letThrough = holdRequests();

    tasks.insert({ id: 'new', title: 'Milk' });
    const changing = tasks.update('new', (task) => {
      task.title = 'Oat milk';
    });
    letThrough();
    await changing.when('settled');

    await expect.poll(() => titles(tasks)).toEqual(['Oat milk']);
    expect(tasks.toArray).toMatchObject(await other.tasks.list().toArray());
  });
});

describe('a task that is changed in a collection', () => {
  it('is shown as changed at once, and stays so', async () => {
    const { other, client, holdRequests } = await newUser();
    const { id } = await other.tasks.create({ title: 'Milk' });
    const tasks = await collect(client);
    const letThrough = holdRequests();

    const writing = tasks.update(id, setDone);
    expect(tasks.get(id)?.status).toBe('done');
    letThrough();
    await writing.when('settled');

    expect(tasks.get(id)).toMatchObject(await other.tasks.get(id));
    expect(tasks.get(id)?.status).toBe('done');
  });

  it('is taken back if somebody else has changed it', async () => {
    const { other, client, holdRequests } = await newUser();
    const { id } = await other.tasks.create({ title: 'Milk' });
    const tasks = await collect(client);
    const letThrough = holdRequests();

    const writing = tasks.update(id, setDone);
    await other.tasks.update(id, { title: 'Oat milk' });
    letThrough();

    await expect(writing.when('settled')).rejects.toBeInstanceOf(PreconditionFailedError);
    await expect.poll(() => tasks.get(id)).toMatchObject({ title: 'Oat milk', status: 'todo' });
  });

  it('a response that is slower than later changes does not undo them', async () => {
    const { other, client, holdResponses, streamed } = await newUser();
    const { id } = await other.tasks.create({ title: 'Milk' });
    const tasks = await collect(client);
    const letThrough = holdResponses();

    const writing = tasks.update(id, setDone);
    await expect.poll(async () => (await other.tasks.get(id)).status).toBe('done');
    await other.tasks.update(id, { title: 'Oat milk' });
    await expect.poll(streamed).toContain('Oat milk');
    letThrough();
    await writing.when('settled');

    expect(tasks.get(id)).toMatchObject({ title: 'Oat milk', status: 'done' });
  });

  it('is deleted at once, and shown again if somebody else has changed it', async () => {
    const { other, client, holdRequests } = await newUser();
    const milk = await other.tasks.create({ title: 'Milk' });
    const bread = await other.tasks.create({ title: 'Bread' });
    const tasks = await collect(client);
    const letThrough = holdRequests();

    const [ofMilk, ofBread] = [tasks.delete(milk.id), tasks.delete(bread.id)];
    expect(tasks.size).toBe(0);
    await other.tasks.update(bread.id, { title: 'Rye bread' });
    letThrough();

    await ofMilk.when('settled');
    await expect(ofBread.when('settled')).rejects.toBeInstanceOf(PreconditionFailedError);
    await expect.poll(() => titles(tasks)).toEqual(['Rye bread']);
    expect(await other.tasks.list().toArray()).toHaveLength(1);
  });
});

import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../chromium.ts';
import type { ServerAddress } from './program.ts';
import { matchInOutput, shell } from './shell.ts';
import { sdkFolder } from './tarball.ts';

/** Builds the example with the packed SDK, and uses each of its pages. Resolves to "used" if all of them work. */
export async function walkThroughExample(
  project: string,
  tarball: string,
  { baseUrl, token }: ServerAddress,
): Promise<string> {
  const folder = join(project, 'example');
  await cp(join(sdkFolder, 'example'), folder, {
    recursive: true,
    filter: (path) => !['node_modules', 'dist'].includes(basename(path)),
  });
  await shell(folder, 'npm', 'ci', '--silent');
  await shell(folder, 'npm', 'install', '--silent', '--no-save', tarball);
  await shell(folder, 'node_modules/.bin/tsc');
  const env = { ...process.env, WORKTABLE_URL: baseUrl, VITE_WORKTABLE_TOKEN: token, NO_COLOR: '1' };
  const vite = spawn('node_modules/.bin/vite', { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const browser = await launchChromium();
  try {
    const [, address] = (await matchInOutput(vite.stdout, /(http:\/\/127\.0\.0\.1:\d+)\//)) ?? [];
    if (address === undefined) return 'Vite has printed no address.';
    return await walkThrough(await browser.newContext(), address);
  } finally {
    await browser.close();
    vite.kill();
  }
}

async function walkThrough(context: BrowserContext, address: string): Promise<string> {
  const open = async (name: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${address}#${name}`);
    return page;
  };
  const [board, other] = [await open('Board'), await open('Board')];
  await board.getByLabel('Title of a new task').fill('Paint the fence');
  await board.getByText('Add', { exact: true }).click();
  await other.getByRole('region', { name: 'To do' }).getByText('Paint the fence').waitFor();
  const done = board.getByRole('region', { name: 'Done' });
  await board.getByText('Paint the fence').dragTo(done);
  await other.getByRole('region', { name: 'Done' }).getByText('Paint the fence').waitFor();

  await Promise.all([board.close(), other.close()]);

  const list = await open('List');
  await list.getByText('Add 1,000 tasks').click();
  await list.getByText(/^1,0\d\d tasks$/).waitFor();
  await list.close();

  const dashboard = await open('Dashboard');
  await dashboard.waitForFunction(
    '[...document.images].filter((image) => image.naturalWidth > 0).length === 3',
  );

  const chat = await open('Chat');
  await chat.getByLabel('Message').fill('create a task titled Water the plants');
  await chat.getByText('Send').click();
  await chat.getByText('Approve').click();
  await chat.getByText('Created the task').waitFor();
  await chat.getByRole('link', { name: 'Board', exact: true }).click();
  await chat.getByRole('region', { name: 'To do' }).getByText('Water the plants').waitFor();
  return 'used';
}

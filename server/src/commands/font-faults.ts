import type { Config } from '../config/config.ts';
import { createLimits } from '../limits/limits.ts';
import { reasonsOf } from '../log.ts';
import { StartupError } from '../startup-error.ts';
import { RenderPool } from '../viz/render-pool.ts';

/** Words in scripts that need fonts of their own. */
const words = 'عربي हिन्दी ไทย বাংলা தமிழ் 中文 日本語 한국어';

const request = { title: words, data: [], height: 100 };

/** Draws these words as a title in a render process. */
export async function findFontFaults(config: Config): Promise<string[]> {
  const exits: string[] = [];
  const pool = new RenderPool({
    workers: 1,
    waiting: createLimits(config).pictures,
    onExit: (reason) => exits.push(reason),
    onMissing: () => undefined,
  });
  try {
    const { missing } = await pool.paint({ format: 'png', request }, 'doctor');
    if (missing === '') return [];
    return [
      `Charts show boxes for ${missing}. If users write these scripts, install fonts for them, on Debian fonts-noto-core and fonts-noto-cjk.`,
    ];
  } catch (cause) {
    throw new StartupError(`Charts cannot be rendered as PNG or PDF: ${exits[0] ?? reasonsOf(cause)}`, {
      cause,
    });
  } finally {
    await pool.close();
  }
}

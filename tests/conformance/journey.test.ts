import { it } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { expectServed, journey } from '../sdk/journey.ts';
import { deletesWhatIsNew, token, url } from './target.ts';

deletesWhatIsNew();

it('the SDK does everything that it offers, streams included', async () => {
  expectServed(await journey(createClient({ baseUrl: url, token })));
});

type Entries<Entry> = Readonly<Record<string, Entry>>;

/**
 * The breaks in named entries, such as properties: one for each removed entry, and the breaks in each of the others.
 */
export function entryBreaks<Entry>(
  before: Entries<Entry> = {},
  after: Entries<Entry> = {},
  placeOf: (name: string) => string,
  removal: string,
  compare: (place: string, before: Entry, after: Entry) => readonly string[],
): string[] {
  return Object.entries(before).flatMap(([name, entry]) => {
    const counterpart = after[name];
    if (counterpart === undefined) return [`${placeOf(name)}: ${removal}`];
    return compare(placeOf(name), entry, counterpart);
  });
}

type Entries<Entry> = Readonly<Record<string, Entry>>;

/** The breaks of entries that have names, such as properties: a removed entry is one, and the others are compared. */
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

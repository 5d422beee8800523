import type { Pairs } from '#src/kit/form.ts'

/** A page of a list. */
type Part<Item> = { readonly data: readonly Item[]; readonly next_cursor?: string }

// A school has at most 500 pages.
const MAX_READS = 5

/** Everything of a list, which `read` returns in parts of 100; at most 500. */
export const everyOne = async <Item>(read: (query: Pairs) => Promise<Part<Item>>): Promise<Item[]> => {
  const all: Item[] = []
  let more: Pairs = []
  for (let reads = 0; reads < MAX_READS; reads++) {
    const { data, next_cursor: next } = await read([['limit', '100'], ...more])
    all.push(...data)
    if (next === undefined) break
    more = [['cursor', next]]
  }
  return all
}

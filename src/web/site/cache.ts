const AGE_MS = 1000
const MAX_ENTRIES = 500

type Entry = { readonly value: Promise<unknown>; readonly at: number }

/** What a reader of the cache wants: nothing from before `writtenAt`; `onRead` gets when what it receives was read at the earliest. */
type Reader = { readonly writtenAt: number; onRead(at: number): void }

type Cache = <Value>(key: string, read: () => Promise<Value>, reader: Reader) => Promise<Value>

/** Keeps the results of reads for one second; requests in between share one read, and a failed one is not kept. */
export const createCache = (): Cache => {
  const entries = new Map<string, Entry>()
  return <Value>(key: string, read: () => Promise<Value>, { writtenAt, onRead }: Reader): Promise<Value> => {
    const now = performance.now()
    const cached = entries.get(key)
    if (cached !== undefined && now - cached.at < AGE_MS && cached.at > writtenAt) {
      onRead(cached.at)
      // The key names the read, and with it the type of its result.
      return cached.value as Promise<Value>
    }
    if (entries.size >= MAX_ENTRIES) entries.clear()
    const entry: Entry = { value: read(), at: now }
    entries.set(key, entry)
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key)
    })
    onRead(now)
    return entry.value as Promise<Value>
  }
}

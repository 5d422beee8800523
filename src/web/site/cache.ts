const AGE_MS = 1000
const MAX_ENTRIES = 500

type Cache = <Value>(key: string, read: () => Promise<Value>) => Promise<Value>

/** Keeps the results of reads for one second; requests in between share one read, and a failed one is not kept. */
export const createCache = (): Cache => {
  const entries = new Map<string, { readonly value: Promise<unknown>; readonly until: number }>()
  return <Value>(key: string, read: () => Promise<Value>): Promise<Value> => {
    const now = performance.now()
    const cached = entries.get(key)
    // The key names the read, and with it the type of its result.
    if (cached !== undefined && cached.until > now) return cached.value as Promise<Value>
    if (entries.size >= MAX_ENTRIES) entries.clear()
    const value = read()
    const entry = { value, until: now + AGE_MS }
    entries.set(key, entry)
    value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key)
    })
    return value
  }
}

/** A file of an input as a tab remembers it: what is uploaded of it goes on after the page was loaded again. */
export type Kept = {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly lastModified: number
}

const buildKey = (input: HTMLInputElement): string => `upload ${location.pathname} ${input.id}`

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' && value !== null && 'id' in value && /^upl_\w{26}$/.test(String(value.id))

/** The files that a tab remembers of an input. */
export const readKept = (input: HTMLInputElement): Kept[] => {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(buildKey(input)) ?? '[]')
    return Array.isArray(found) ? found.filter(isKept) : []
  } catch {
    return []
  }
}

/** Remembers the files of an input, or forgets them where there are none. */
export const writeKept = (input: HTMLInputElement, kept: readonly Kept[]): void => {
  try {
    if (kept.length === 0) sessionStorage.removeItem(buildKey(input))
    else sessionStorage.setItem(buildKey(input), JSON.stringify(kept))
  } catch {
    // Without a storage of the tab a reload begins again.
  }
}

/** Something that was found, with the page that shows it. */
export type Hit = { readonly href: string; readonly name: string; readonly about: string }

/** What was found of one kind. */
export type Group = { readonly name: string; readonly hits: readonly Hit[]; readonly more?: string | null }

/** Asks the server what it finds; undefined where it does not answer with results, such as after the session has ended. */
export const fetchGroups = async (q: string, signal: AbortSignal): Promise<readonly Group[] | undefined> => {
  const reply = await fetch(`/staff/search.json?${new URLSearchParams({ q })}`, { signal, redirect: 'error' })
  if (!reply.ok || reply.headers.get('content-type')?.startsWith('application/json') !== true) return undefined
  const { groups } = (await reply.json()) as { readonly groups: readonly Group[] }
  return groups
}

const MOST = 5

/** What somebody opened last from this tab, which forgets it when it is closed. */
export const readRecent = (person: string): readonly Hit[] => {
  try {
    return JSON.parse(sessionStorage.getItem(`palette ${person}`) ?? '[]')
  } catch {
    return []
  }
}

/** Remembers what somebody opens. */
export const keepRecent = (person: string, hit: Hit): void => {
  const others = readRecent(person).filter(({ href }) => href !== hit.href)
  try {
    sessionStorage.setItem(`palette ${person}`, JSON.stringify([hit, ...others].slice(0, MOST)))
  } catch {
    // Without storage nothing is remembered.
  }
}

// Levenshtein's distance, with one row of his table at a time.
const distance = (left: string, right: string): number => {
  let before = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let at = 0; at < left.length; at++) {
    const row = [at + 1]
    for (let to = 0; to < right.length; to++) {
      const replaced = (before[to] ?? 0) + (left[at] === right[to] ? 0 : 1)
      row.push(Math.min(replaced, (before[to + 1] ?? 0) + 1, (row[to] ?? 0) + 1))
    }
    before = row
  }
  return before.at(-1) ?? 0
}

const LONGEST = 64

/** The name that somebody who wrote `name` most likely meant: at most a third of it differs; undefined when none is near. */
export const nearestTo = (name: string, names: readonly string[]): string | undefined => {
  if (name.length > LONGEST) return undefined
  const found = names
    .map(one => ({ one, far: distance(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, far }) => far <= Math.max(1, Math.floor(Math.max(one.length, name.length) / 3)))
    .sort((a, b) => a.far - b.far)
  return found[0]?.one
}

/** A name as somebody wrote it, to be repeated in a message: without controls, and not longer than names are. */
export const quotedName = (name: string): string => {
  const shown = [...name.replace(/[\p{C}\p{Z}"]/gu, '?')]
  return `"${shown.slice(0, LONGEST).join('')}${shown.length > LONGEST ? '…' : ''}"`
}

/** A question to put behind a message about an unknown name; empty when no name is near. */
export const didYouMean = (name: string, names: readonly string[]): string => {
  const nearest = nearestTo(name, names)
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`
}

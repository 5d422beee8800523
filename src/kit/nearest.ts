// Optimal string alignment: what is typed wrong is most often one letter too many, too few, wrong or swapped.
const distance = (left: string, right: string): number => {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const now = [row]
    for (let at = 1; at <= right.length; at++) {
      const isSame = left[row - 1] === right[at - 1]
      const isSwapped = at > 1 && left[row - 1] === right[at - 2] && left[row - 2] === right[at - 1]
      const swapped = isSwapped ? (beforeLast[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      const replaced = (last[at - 1] ?? 0) + (isSame ? 0 : 1)
      now.push(Math.min((last[at] ?? 0) + 1, (now[at - 1] ?? 0) + 1, replaced, swapped))
    }
    beforeLast = last
    last = now
  }
  return last[right.length] ?? 0
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

// Optimal string alignment: most typing errors are one extra, missing, wrong or swapped letter.
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

/** The names of which at most a third differs from `name`, the closest first; those that are as close keep their order. */
export const sortNearest = (name: string, names: readonly string[]): string[] => {
  if (name.length > LONGEST) return []
  return names
    .map(one => ({ one, far: distance(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, far }) => far <= Math.max(1, Math.floor(Math.max(one.length, name.length) / 3)))
    .sort((a, b) => a.far - b.far)
    .map(({ one }) => one)
}

/** The name closest to `name`, of which at most a third differs; undefined when there is none. */
export const nearestTo = (name: string, names: readonly string[]): string | undefined => sortNearest(name, names)[0]

/** A name from the input, to be quoted in a message: without control characters, and truncated. */
export const quotedName = (name: string): string => {
  const characters = [...name.replace(/[\p{C}\p{Z}"]/gu, '?')]
  return `"${characters.slice(0, LONGEST).join('')}${characters.length > LONGEST ? '…' : ''}"`
}

/** A question to append to a message about an unknown name; empty when no name is close. */
export const didYouMean = (name: string, names: readonly string[]): string => {
  const nearest = nearestTo(name, names)
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`
}

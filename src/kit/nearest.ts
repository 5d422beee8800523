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

/** The name that is most like another one; undefined when there is none. */
export const nearest = (name: string, names: readonly string[]): string | undefined => {
  const measured = names.map(known => ({ known, far: distance(name.slice(0, 100), known) }))
  return measured.sort((one, other) => one.far - other.far)[0]?.known
}

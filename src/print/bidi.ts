// The part of the bidirectional algorithm (UAX #9) that names, titles and sentences need: no embeddings, which are taken
// out of every text before it is stored.

/** A character as a reader sees it, marks included, and its level: odd ones run from right to left. */
export type Levelled = { readonly text: string; readonly level: number }

type Kind = 'L' | 'R' | 'number' | 'neutral'

const RIGHT = /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u
const MIRRORED = new Map(
  ['()', '[]', '{}', '<>', '«»', '‹›'].flatMap(([left = '', right = '']) => [
    [left, right] as const,
    [right, left] as const,
  ]),
)

const kindOf = (text: string): Kind => {
  if (/^\p{Nd}/u.test(text)) return 'number'
  if (/^\p{L}/u.test(text)) return RIGHT.test(text) ? 'R' : 'L'
  return 'neutral'
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The characters of a text as a reader sees them. */
export const charactersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

/** Whether a paragraph runs from right to left: so does its first letter. */
export const isRightToLeft = (text: string): boolean =>
  charactersOf(text)
    .map(kindOf)
    .find(kind => kind === 'L' || kind === 'R') === 'R'

// Rules N1 and N2: between letters of one direction neutrals go along with them, else with the paragraph.
const directionsOf = (kinds: readonly Kind[], base: 'L' | 'R'): readonly ('L' | 'R')[] => {
  let before: 'L' | 'R' = base
  const strong = kinds.map(kind => {
    if (kind === 'L' || kind === 'R') before = kind
    return kind === 'neutral' ? undefined : kind === 'number' ? before : kind
  })
  let left: 'L' | 'R' = base
  return strong.map((direction, index) => {
    if (direction !== undefined) {
      left = direction
      return direction
    }
    const right = strong.slice(index).find(one => one !== undefined) ?? base
    return left === right ? left : base
  })
}

// Rule L2: from the highest level down, what stands at it or above is turned round.
const reordered = <Item extends { readonly level: number }>(items: readonly Item[]): Item[] => {
  const turned = [...items]
  const highest = Math.max(0, ...items.map(({ level }) => level))
  for (let level = highest; level > 0; level--) {
    let start = 0
    while (start < turned.length) {
      let end = start
      while (end < turned.length && (turned[end]?.level ?? 0) >= level) end++
      if (end > start) turned.splice(start, end - start, ...turned.slice(start, end).reverse())
      start = end + 1
    }
  }
  return turned
}

/** The characters of one line with their levels, in the order in which they are read. */
export const levelsOf = (line: string, isRtl: boolean): Levelled[] => {
  const characters = charactersOf(line)
  const kinds = characters.map(kindOf)
  const directions = directionsOf(kinds, isRtl ? 'R' : 'L')
  return characters.map((text, index) => {
    const isLeft = directions[index] === 'L'
    const level = kinds[index] === 'number' && !isLeft ? 2 : isLeft ? (isRtl ? 2 : 0) : 1
    const mirrored = level === 1 ? MIRRORED.get(text) : undefined
    return { text: mirrored ?? text, level }
  })
}

/** Runs of one line in the order in which they stand on the paper, from left to right. */
export const inPlace = reordered

import { computeHeight, type Strip } from './strips.ts'

/** A strip on a page, with the distance of its upper edge from the top of the text. */
type PlacedStrip = { readonly strip: Strip; readonly y: number }

// Strips that belong on one page; the last one is the only one that is not kept with the next.
const splitChains = (strips: readonly Strip[]): Strip[][] => {
  const chains: Strip[][] = []
  let isOpen = false
  for (const strip of strips) {
    if (isOpen) chains.at(-1)?.push(strip)
    else chains.push([strip])
    isOpen = strip.isKept
  }
  return chains
}

// What no page can hold begins on a page of which at least so much is left.
const WORTH_BEGINNING = 0.3

/** Strips on pages of a height; each page has at least one. */
export const paginate = (strips: readonly Strip[], height: number): PlacedStrip[][] => {
  const pages: PlacedStrip[][] = [[]]
  let y = 0
  const page = (): PlacedStrip[] => pages.at(-1) ?? []
  const place = (strip: Strip): void => {
    const top = page().length === 0 ? 0 : y + strip.gap
    page().push({ strip, y: top })
    y = top + strip.height
  }
  const turn = ([first]: readonly Strip[]): void => {
    pages.push([])
    y = 0
    for (const strip of first?.header ?? []) place(strip)
  }
  const fits = (some: readonly Strip[]): boolean =>
    y + (page().length === 0 ? 0 : (some[0]?.gap ?? 0)) + computeHeight(some) <= height
  for (const chain of splitChains(strips)) {
    const isTooHigh = computeHeight([...(chain[0]?.header ?? []), ...chain]) > height
    const isWorth = height - y >= height * WORTH_BEGINNING
    if (page().length > 0 && (isTooHigh ? !isWorth : !fits(chain))) turn(chain)
    for (const strip of chain) {
      if (isTooHigh && page().length > 0 && !fits([strip])) turn([strip])
      place(strip)
    }
  }
  return pages
}

/** How a text looks; its size is in points. */
export type Look = { readonly size: number; readonly color: string; readonly isBold?: boolean }

/** The colors of texts and rules. */
export const COLORS = { ink: '#1d1d1f', quiet: '#5f6368', rule: '#d5d7db' } as const

/** The size of what is less important. */
export const SMALL = 8.5

/** How a text within a document looks. */
export const textLook = (isBold = false, isQuiet = false): Look => ({
  size: isQuiet ? SMALL : 9.5,
  color: isQuiet ? COLORS.quiet : COLORS.ink,
  isBold,
})

declare module 'fontkit' {
  /** A font file that was opened. */
  export type Font = {
    readonly unitsPerEm: number
    hasGlyphForCodePoint(code: number): boolean
    layout(text: string): { readonly advanceWidth: number }
  }
  export const create: (bytes: Buffer) => Font
}

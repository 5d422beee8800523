declare module 'fontkit' {
  /** A font file that was opened. */
  export type Font = { hasGlyphForCodePoint(code: number): boolean }
  export const openSync: (path: string) => Font
}

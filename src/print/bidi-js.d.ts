// The package's own types name a default export, which TypeScript does not find in a CommonJS module under `nodenext`.
declare module 'bidi-js' {
  /** The levels of a text, one for each UTF-16 code unit, and its paragraphs with the index of their last unit. */
  export type EmbeddingLevels = {
    readonly levels: Uint8Array
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[]
  }
  export default function createBidi(): {
    getEmbeddingLevels(text: string, base?: 'ltr' | 'rtl'): EmbeddingLevels
    getReorderedIndices(text: string, levels: EmbeddingLevels): number[]
    getMirroredCharacter(character: string): string | null
  }
}

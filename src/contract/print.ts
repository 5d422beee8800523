/** One line of a sheet, or a paragraph that is broken into lines; sizes and gaps are points. */
export type PrintedText = {
  readonly text: string
  readonly size: number
  readonly color: string
  readonly isBold?: boolean
  /** Room above it. */
  readonly gap?: number
}

/** One sheet of paper as it is to be printed: everything stands in the middle, the foot at the lower edge. */
export type Sheet = {
  readonly title: string
  /** The language of its words, which decides how Han characters look. */
  readonly locale: string
  readonly madeAt: Date
  readonly pageSize: 'A4' | 'Letter'
  readonly orientation: 'portrait' | 'landscape'
  readonly background: string
  readonly accent: string
  /** A PNG or JPEG above the words. */
  readonly image?: Uint8Array | undefined
  readonly body: readonly PrintedText[]
  readonly foot: readonly PrintedText[]
}

/** A sheet as a PDF, or the characters for which no font is there, so that nothing was printed. */
export type Printed = { readonly pdf: Buffer } | { readonly missing: readonly string[] }

/** Makes PDFs outside the requests' thread. */
export type Printer = {
  /** Prints a sheet; the same `name` once, however many ask. Refuses with 503 when too many wait. */
  print(name: string, sheet: () => Promise<Sheet>): Promise<Printed>
  stop(): Promise<void>
}

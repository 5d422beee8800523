/** One line of a page, or a paragraph that is broken into lines; sizes and gaps are in points. */
export type PrintedText = {
  readonly text: string
  readonly size: number
  readonly color: string
  readonly isBold?: boolean
  /** The space above it. */
  readonly gap?: number
}

/** One page to print: the body is centred, the foot is at the lower edge. */
export type Sheet = {
  readonly title: string
  /** The language of its text, which decides the form of Han characters. */
  readonly locale: string
  readonly createdAt: Date
  readonly pageSize: 'A4' | 'Letter'
  readonly orientation: 'portrait' | 'landscape'
  readonly background: string
  readonly accent: string
  /** A PNG or JPEG above the text. */
  readonly image?: Uint8Array | undefined
  readonly body: readonly PrintedText[]
  readonly foot: readonly PrintedText[]
}

/** A page as a PDF, or the characters that no font has, in which case nothing is printed. */
export type Printed = { readonly pdf: Buffer } | { readonly missing: readonly string[] }

/** Renders PDFs in a worker thread. */
export type Printer = {
  /** Prints a page; concurrent calls with the same `name` print once. Refuses with 503 when too many calls wait. */
  print(name: string, sheet: () => Promise<Sheet>): Promise<Printed>
  stop(): Promise<void>
}

/** One line of a page, or a paragraph that is broken into lines; sizes and gaps are in points. */
export type PrintedText = {
  readonly text: string
  readonly size: number
  readonly color: string
  readonly isBold?: boolean
  /** The space above it. */
  readonly gap?: number
}

/** How a sheet is set: in the middle of a frame or below a bar of the accent, or beside a band of it. */
type SheetDesign = 'frame' | 'band' | 'plain'

/** What proves a sheet, above its foot: who signs it, below a line; facts; and a QR code. */
export type SheetProof = {
  readonly signature: readonly PrintedText[]
  readonly facts: readonly PrintedText[]
  /** The address in the QR code. */
  readonly address: string
}

/** One page to print: the body is in the middle of its height, the foot at the lower edge. */
export type Sheet = {
  readonly title: string
  /** The language of its text, which decides the form of Han characters. */
  readonly locale: string
  readonly createdAt: Date
  readonly pageSize: 'A4' | 'Letter'
  readonly orientation: 'portrait' | 'landscape'
  readonly background: string
  readonly accent: string
  /** Unset: a frame of one line. */
  readonly design?: SheetDesign | undefined
  readonly proof?: SheetProof | undefined
  /** A PNG or JPEG above the text. */
  readonly image?: Uint8Array | undefined
  readonly body: readonly PrintedText[]
  readonly foot: readonly PrintedText[]
  /** Texts within the body of which something must be left when emoji are left out. */
  readonly names?: readonly PrintedText[]
}

/** A label with its value, such as a date of issue. */
export type PrintedPair = { readonly label: string; readonly value: string }

/** A part of a document that is as wide as its place. */
export type DocumentText =
  | { readonly type: 'heading'; readonly text: string; readonly level: 1 | 2 }
  | { readonly type: 'text'; readonly text: string; readonly isBold?: boolean; readonly isQuiet?: boolean }
  | { readonly type: 'pairs'; readonly pairs: readonly PrintedPair[] }

/** A column of a table: `width` is its share beside those of the others; amounts are aligned at the end. */
export type DocumentColumn = { readonly title: string; readonly width: number; readonly align?: 'start' | 'end' }

/** A table whose header is repeated on each page, with totals that stay with the last row. */
export type DocumentTable = {
  readonly type: 'table'
  readonly columns: readonly DocumentColumn[]
  /** The cells of each row in the order of the columns. */
  readonly rows: readonly (readonly string[])[]
  readonly totals: readonly (PrintedPair & { readonly isBold?: boolean })[]
}

/** A part of a document, from top to bottom; `beside` sets two groups of texts side by side. */
export type DocumentBlock =
  | DocumentText
  | DocumentTable
  | { readonly type: 'beside'; readonly start: readonly DocumentText[]; readonly end: readonly DocumentText[] }

/** A document of A4 pages, such as an invoice or a list; it begins at the right in languages written from right to left. */
export type Document = {
  readonly title: string
  /** The language of its text: of its direction, of the form of Han characters, and of "page 1 of 2". */
  readonly locale: string
  readonly createdAt: Date
  /** The color of headings. */
  readonly accent: string
  /** A PNG or JPEG above the text. */
  readonly image?: Uint8Array | undefined
  readonly blocks: readonly DocumentBlock[]
  /** Short lines without line ends at the lower edge of each page, beside its number. */
  readonly foot: readonly string[]
}

/** A number or code that keeps its own order within text from right to left, as `2027-000014` must (UAX #9, isolates). */
export const isolated = (text: string): string => `\u2066${text}\u2069`

/** The largest document that is printed. Pairs and totals count as rows; characters are UTF-16 code units of all its texts. */
export const documentLimits = {
  rows: 1000,
  columns: 10,
  characters: 100_000,
  footLines: 6,
  footCharacters: 500,
  pages: 100,
} as const

/** A sheet or document as a PDF, or the characters that no font has, in which case nothing is printed. */
export type Printed = { readonly pdf: Buffer } | { readonly missing: readonly string[] }

/** Renders PDFs in a worker thread. */
export type Printer = {
  /**
   * Prints a sheet or document; concurrent calls with the same `name` print once. Refuses with 503 when too many calls
   * wait, and with 422 (`document_too_large`) a document beyond `documentLimits`.
   */
  print(name: string, content: () => Promise<Sheet | Document>): Promise<Printed>
  /** The file of the bold font that has all of a short text; undefined where no font that is installed has it. */
  findFont(text: string, locale: string): Promise<string | undefined>
  stop(): Promise<void>
}

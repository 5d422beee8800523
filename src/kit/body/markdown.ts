import markdownIt from 'markdown-it'

/** The parser of our texts. */
export type Markdown = ReturnType<typeof markdownIt>

/** A part of a parsed text. */
export type Token = ReturnType<Markdown['parse']>[number]

/** A parser of Markdown without HTML; `without` are rules that are switched off, `breaks`: a line end is a line break. */
export const buildMarkdown = ({
  breaks = false,
  without = [],
}: {
  readonly breaks?: boolean
  readonly without?: readonly string[]
} = {}): Markdown => markdownIt({ html: false, linkify: false, typographer: false, breaks }).disable([...without])

import { cleanText } from './text.ts'

/** Markup that is already escaped. */
export type Html = { readonly html: string }

type Piece = Html | string | number | undefined | false | readonly Piece[]

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for element content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => ESCAPES[character] ?? '')

/** Escapes text for XML, and leaves out what XML forbids. */
export const escapeXml = (text: string): string => escapeHtml(cleanText(text))

const render = (piece: Piece): string => {
  if (piece === undefined || piece === false) return ''
  if (typeof piece === 'string') return escapeHtml(piece)
  if (typeof piece === 'number') return String(piece)
  if ('html' in piece) return piece.html
  return piece.map(render).join('')
}

/** A template whose values are escaped unless they are markup; lists are joined, undefined and false are left out. */
export const html = (strings: TemplateStringsArray, ...pieces: Piece[]): Html => ({
  html: String.raw({ raw: strings }, ...pieces.map(render)),
})

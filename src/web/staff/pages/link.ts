import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { staffText } from './text.ts'

/** The link back to the first page of the staff. */
export const staffLink = (language: Language): Html =>
  html`<p class="quiet"><a href="/staff">${fill(staffText.home.back, language)}</a></p>`

import { type Html, html } from '#src/kit/html.ts'

/** A small picture of 24 by 24 units, drawn with one line. */
export const icon = (path: string): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`

import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { teachingText as text } from './text.ts'

/** A view of the same list, and whether it is the one that is shown. */
type Tab = { readonly href: string; readonly name: string; readonly isCurrent: boolean }

/** Links between views of the same list. */
export const tabs = (label: string, all: readonly Tab[]): Html => html`<nav class="tabs" aria-label="${label}"><ul>
${all.map(({ href, name, isCurrent }) => html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${name}</a></li>\n`)}</ul></nav>`

/** The link back to the first page of those who teach. */
export const teachingLink = (language: Language): Html =>
  html`<p class="quiet"><a href="/staff/teaching">${fill(text.back, language)}</a></p>`

/** Names and values in two columns; undefined values are left out. */
export const facts = (rows: readonly (readonly [string, string | Html | undefined])[]): Html => html`<dl class="facts">
${rows.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>\n`)}</dl>`

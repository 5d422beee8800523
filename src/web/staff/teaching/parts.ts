import { type Html, html } from '#src/kit/html.ts'

/** Names and values in two columns; undefined values are left out. */
export const facts = (rows: readonly (readonly [string, string | Html | undefined])[]): Html => html`<dl class="facts">
${rows.map(([name, value]) => value !== undefined && html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>\n`)}</dl>`

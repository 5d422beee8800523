import { randomUUID } from 'node:crypto'
import { type Html, html } from '#src/kit/html.ts'

/** Names a form, so that one that is sent twice is performed once. */
export const keyField = (): Html => html`<input type="hidden" name="form_key" value="${randomUUID()}">`

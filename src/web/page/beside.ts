import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from './context.ts'
import { replaceNotice } from './kept.ts'

// Browsers end lines with CRLF, and send nothing of a box without a tick.
const listValues = (pairs: Pairs, name: string): string =>
  JSON.stringify(
    pairs.flatMap(([key, value]) => (key === name && value !== '' ? [value.replaceAll('\r\n', '\n').trim()] : [])),
  )

const isUnsaved = (typed: Pairs, stored: Pairs, names: readonly string[]): boolean =>
  typed.some(([name]) => names.includes(name)) &&
  names.some(name => listValues(typed, name) !== listValues(stored, name))

/** The fields of a form with a text, and what is stored of them. */
type Text = { readonly names: readonly string[]; readonly stored: Pairs }

/**
 * Does what a button beside a text does, such as attaching a file: leads to the address that `act` returns, or, where the text of the
 * form is not saved, shows it again with a notice that says so, to be saved by the revision that the act wrote.
 */
export const actBesideText = async (
  { language }: Pick<PageContext, 'language'>,
  typed: Pairs,
  { names, stored }: Text,
  { act, show }: { readonly act: () => Promise<string>; readonly show: (typed: Pairs) => Promise<Reply> },
): Promise<string | Reply> => {
  const address = await act()
  if (!isUnsaved(typed, stored, names)) return address
  const reply = await show(typed.filter(([name]) => name !== 'revision'))
  const notice = html`<p class="note" role="status" id="kept" tabindex="-1" autofocus>${fill(texts.page.form.attached, language)}</p>`
  return { ...reply, body: replaceNotice(String(reply.body), notice.html) }
}

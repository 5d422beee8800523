import type { Reply } from '#src/contract/endpoint.ts'
import { findProviderTitle } from '#src/contract/payment-providers.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden, input, mainButton, noticeFor, shownAgain } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { listCounts, PATH, type Provider, providerPath, readNamed } from './provider.ts'

const text = texts.staff.payments

const getStored = async (context: StaffContext): Promise<Provider> => {
  const { stored } = await readNamed(context)
  if (stored === undefined) throw new Refusal(notFound, 'This payment provider is not set.')
  return stored
}

const renderNeeded = (stored: Provider, typed: Pairs, { t, form }: StaffContext): Html => {
  const { name, use } = stored
  return html`<p>${t(text.removal.needed)}</p>
<ul>
${listCounts(stored, t).map(one => html`<li>${one}</li>\n`)}</ul>
${use !== 'nothing' && html`<p>${t(text.removal.nothingAbout)}</p>\n${form(html`${hidden({ act: 'nothing' })}${mainButton(t(text.removal.nothing))}`)}`}
<h2>${t(text.removal.sameTitle)}</h2>
<p>${t(text.removal.sameAbout)}</p>
${form(html`${hidden({ act: 'remove' })}${input({
  name: 'name',
  label: t(text.removal.name, { name }),
  value: formField(typed, 'name'),
  attributes: html`type="text" autocomplete="off" maxlength="31"`,
})}
<div class="buttons"><button type="submit">${t(text.removal.same)}</button></div>`)}`
}

/** GET /staff/payments/:provider/removal: what still needs the provider, and what becomes of it. */
export const showRemoval = async (context: StaffContext, typed: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { t, language, form } = context
  const stored = await getStored(context)
  const title = t(text.removal.title, { provider: t(findProviderTitle(stored.name)) })
  const isNeeded = listCounts(stored, t).length > 0
  return context.frame({
    title,
    parents: [{ path: providerPath(stored.name), name: t(findProviderTitle(stored.name)) }],
    ...noticeFor(refusal, language, { said: text.refusals }),
    body: html`${
      isNeeded
        ? renderNeeded(stored, typed, context)
        : html`<p>${t(text.removal.free)}</p>\n${form(html`${hidden({ act: 'remove' })}${mainButton(title)}`)}`
    }`,
  })
}

/** POST /staff/payments/:provider/removal. */
export const submitRemoval = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const { name } = await getStored(context)
  const act = formField(typed, 'act')
  if (act !== 'remove' && act !== 'nothing') throw new Refusal(formRefused, 'The form has no valid action.')
  const params = { provider: name }
  return shownAgain(
    async () => {
      if (act === 'nothing') {
        await context.call({ operation: 'setProviderUse', params, body: { use: 'nothing' } })
        return `${providerPath(name)}?done=used`
      }
      const confirmed = formField(typed, 'name').trim()
      const body = confirmed === '' ? {} : { name: confirmed }
      await context.call({ operation: 'removePaymentProvider', params, body })
      return `${PATH}?done=removed`
    },
    refusal => showRemoval(context, typed, refusal),
  )
}

import type { Static } from 'typebox'
import type { Member } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Price } from '#src/contract/price.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { termsText } from '#src/web/account/index.ts'
import { type Choice, formOf, framed, hidden, mainButton, select } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { field, inputs } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { oneText, subscriptionsText } from './text.ts'

type Person = Encoded<Static<typeof Member>>

/** What the page shows on which staff give a subscription. */
export type CreateView = {
  readonly context: StaffContext
  /** The words with which a person was searched for, and an item. */
  readonly q: string
  readonly item: string
  readonly person: Person | undefined
  readonly people: readonly Person[] | undefined
  /** What can be given, with its prices. */
  readonly items: readonly {
    readonly id: string
    readonly name: string
    readonly prices: readonly Encoded<Static<typeof Price>>[]
  }[]
  readonly formKey: string
  readonly refused: { readonly form: Pairs; readonly refusal: Refusal } | undefined
}

const PATH = '/staff/subscriptions/new'

const text = texts.staff.subscriptions.createPage

const nameOf = ({ name, email }: Person): string => (isVisible(name) ? name : email)

const search = (name: 'q' | 'item', label: string, value: string, view: CreateView): Html =>
  html`<form method="get" action="${PATH}">
${view.person !== undefined && hidden({ member: view.person.id })}${field({ name, label, value, attributes: inputs.search })}
<div class="buttons"><button type="submit">${fill(text.find, view.context.language)}</button></div>
</form>`

const peoplePart = (view: CreateView): Html => {
  const { people, context, q } = view
  const { t } = context
  const one = (person: Person): Html =>
    html`<li><a href="${PATH}?member=${person.id}"><bdi>${nameOf(person)}</bdi></a><span class="quiet"><bdi>${person.email}</bdi></span></li>\n`
  return html`${search('q', t(text.who), q, view)}
${people !== undefined && (people.length === 0 ? html`<p>${t(text.nobody)}</p>` : html`<ul class="list menu">\n${people.map(one)}</ul>`)}`
}

const choicesOf = ({ items, context: { language } }: CreateView): Choice[] =>
  items.flatMap(({ id, name, prices }) => [
    { value: id, label: fill(text.free, language, { name }) },
    ...prices
      .filter(({ payment_type: type }) => type === 'subscription' || type === 'payment_plan')
      .map(price => ({
        value: price.id,
        label: fill(text.paid, language, { name, terms: termsText(price, language) }),
      })),
  ])

const giveForm = (view: CreateView, person: Person): Html => {
  const { context, formKey, refused } = view
  const { t, token } = context
  const choices = choicesOf(view)
  if (choices.length === 0) return html`<p>${t(text.nothing)}</p>`
  const typed = (name: string): string => (refused === undefined ? '' : formField(refused.form, name))
  const inside = html`${hidden({ form_key: formKey })}${select('what', t(text.what), typed('what'), choices)}
${field({
  name: 'ends_on',
  label: t(text.endsOn),
  value: typed('ends_on'),
  attributes: inputs.day,
  hint: t(text.endsHint),
})}
${mainButton(t(text.button))}`
  return formOf(`${PATH}?member=${person.id}`, token, inside)
}

const personPart = (view: CreateView, person: Person): Html => {
  const { t } = view.context
  return html`<dl><dt>${t(text.person)}</dt>
<dd><strong><bdi>${nameOf(person)}</bdi></strong> <span class="quiet"><bdi>${person.email}</bdi></span><br><a href="${PATH}">${t(text.another)}</a></dd></dl>
${giveForm(view, person)}
${search('item', t(text.other), view.item, view)}`
}

/** The page on which staff give somebody a subscription: to whom, and what. */
export const createPage = (view: CreateView): Reply => {
  const { context, person, refused } = view
  const { t, language, request } = context
  return framed({
    school: request.school,
    language,
    title: t(subscriptionsText.add),
    ...refusedIn(refused?.refusal, language, { ...oneText.refusals, ...text.refusals }),
    body: html`<p>${t(text.intro)}</p>
${person === undefined ? peoplePart(view) : personPart(view, person)}
<p class="quiet"><a href="/staff/subscriptions">${t(subscriptionsText.back)}</a></p>`,
  })
}

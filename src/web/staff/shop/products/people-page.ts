import type { Static } from 'typebox'
import type { GiftPage, HolderPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { dayOf, doneIn, endOf, formOf, framed, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { csvLinks, downloadLinks, schoolOf } from '../../csv.ts'
import { studentsText } from '../../learning/students/index.ts'
import { checkbox, field, folded, inputs } from '../../pages/fields.ts'
import { noneOn } from '../../pages/none.ts'
import { refusedIn } from '../../pages/refused.ts'
import { turning } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { type ProductShown, productPath } from './shown.ts'
import { productRefusals, productsText } from './text.ts'

const text = texts.staff.products.peoplePage

/** What the page shows. */
export type PeopleView = {
  readonly context: StaffContext
  readonly product: ProductShown
  readonly holders: Encoded<Static<typeof HolderPage>>
  readonly gifts: Encoded<Static<typeof GiftPage>>
  /** Names the form of a gift. */
  readonly formKey: string
  readonly done: string
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly act: string; readonly form: Pairs; readonly refusal: Refusal } | undefined
}

const reasons: Readonly<Record<string, Phrase>> = studentsText.sources

const untilOf = (instant: string | null, { context: { language, viewer } }: PeopleView): string[] =>
  instant === null ? [] : [fill(text.until, language, { day: endOf(instant, language, viewer) })]

const holderItem = ({ member, access }: PeopleView['holders']['data'][number], view: PeopleView): Html => {
  const { context } = view
  const reason = reasons[access.reason]
  const facts = [...(reason === undefined ? [] : [context.t(reason)]), ...untilOf(access.until, view)]
  return html`<li><a href="/staff/people/${member.id}"><bdi>${personName(member, context)}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

const takingBack = (id: string, name: string, { context: { language, token }, product }: PeopleView): Html => {
  const label = fill(text.takeBack, language)
  const inside = html`${hidden({ act: 'take_back', gift: id })}<button class="small" type="submit" aria-label="${label}: ${name}">${label}</button>`
  return formOf(`${productPath(product.id)}/people`, token, inside)
}

const giftItem = (gift: PeopleView['gifts']['data'][number], view: PeopleView): Html => {
  const { context } = view
  const { t, language, viewer } = context
  const name = personName(gift.member, context)
  const facts = [
    t(text.states[gift.status]),
    dayOf(new Date(gift.created_at), language, viewer),
    ...untilOf(gift.ends_at, view),
    ...(gift.note === null ? [] : [gift.note]),
  ]
  return html`<li class="act"><span><bdi>${name}</bdi><br><span class="quiet"><bdi>${facts.join(' · ')}</bdi></span></span>${gift.status === 'active' && takingBack(gift.id, name, view)}</li>
`
}

const giving = (view: PeopleView): Html => {
  const { context, product, refused, formKey } = view
  const { t, token } = context
  const isRefused = refused?.act === 'give'
  const typed = (name: string): string => (isRefused ? formField(refused.form, name) : '')
  const line = (name: 'name' | 'note', max: number, hint?: Phrase): Html =>
    field({
      name,
      label: t(text[name]),
      value: typed(name),
      attributes: html`type="text" maxlength="${max}" autocomplete="off"`,
      ...(hint === undefined ? {} : { hint: t(hint) }),
    })
  const inside = html`${hidden({ act: 'give', form_key: typed('form_key') || formKey })}
${field({ name: 'email', label: t(text.email), value: typed('email'), attributes: html`type="email" maxlength="254" autocomplete="off" required` })}
${line('name', 120, text.nameHint)}
${field({ name: 'ends_on', label: t(text.endsOn), value: typed('ends_on'), attributes: inputs.day })}
${line('note', 500)}
${checkbox('notify', t(text.notify), { isChecked: !isRefused || typed('notify') === 'yes' })}
<div class="buttons"><button type="submit">${t(text.give)}</button></div>`
  return folded(t(text.give), formOf(`${productPath(product.id)}/people`, token, inside), isRefused)
}

/** Who has a product, and to whom it was given. */
export const peoplePage = (view: PeopleView): Reply => {
  const { context, product, holders, gifts, refused, done } = view
  const { t, language, request, query } = context
  const path = `${productPath(product.id)}/people`
  const parameters = { holders: query.get('holders') ?? '', gifts: query.get('gifts') ?? '' }
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, productRefusals)
  return framed({
    school: request.school,
    language,
    title: t(text.title, { name: product.name }),
    ...notice,
    body: html`<h2>${t(text.holders)}</h2>
${holders.data.length === 0 ? html`<p>${noneOn(text.noHolders, holders.next_cursor, language)}</p>` : html`<ul class="list menu">\n${holders.data.map(one => holderItem(one, view))}</ul>`}
${turning(context, path, { parameters, next: holders.next_cursor, cursor: 'holders' })}
${holders.data.length > 0 && downloadLinks('listProductHolders', schoolOf(context), [['product_id', product.id]])}
<h2>${t(text.gifts)}</h2>
${gifts.data.length === 0 ? html`<p>${t(text.noGifts)}</p>` : html`<ul class="list">\n${gifts.data.map(gift => giftItem(gift, view))}</ul>`}
${turning(context, path, { parameters, next: gifts.next_cursor, cursor: 'gifts' })}
${gifts.data.length > 0 && downloadLinks('listProductGifts', schoolOf(context), [['product_id', product.id]])}
${giving(view)}
${csvLinks(`${productPath(product.id)}/downloads/csv`, { ...schoolOf(context), label: text.csv })}
<p class="quiet"><a href="${productPath(product.id)}">${t(productsText.backToOne)}</a></p>`,
  })
}

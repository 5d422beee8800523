import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { Member, MemberPage } from '#src/areas/people/index.ts'
import { Order } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { proofRequired, signInRequired } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { buildTable, orderTable } from '#src/web/account/index.ts'
import {
  box,
  chooseZone,
  day,
  field,
  fieldsFor,
  form,
  formKeyIn,
  hidden,
  inputs,
  mainButton,
  noticeFor,
  page,
  redirect,
  text as textField,
  unlessEmpty,
} from '#src/web/page/index.ts'
import { recentStaff, type StaffContext, staff } from '../../audience.ts'
import { card } from '../../console/frame.ts'
import { findItems } from '../../items.ts'
import { pricesList } from '../../pages/prices-list.ts'
import { type OrderShown, orderRefusals } from './shown.ts'

const { common, record: text } = texts.staff.orders

const PATH = '/staff/orders/record'

const fields = fieldsFor<{ received_on?: string; invoice: boolean; note?: string }>()(text.fields, {
  received_on: unlessEmpty(day()),
  invoice: box(),
  note: unlessEmpty(textField({ most: 1000 })),
})

type Person = Encoded<Static<typeof Member>>

// Who bought what, as the address of the page says it.
const readChoice = ({ query }: StaffContext) => ({
  member: (query.get('member') ?? '').trim(),
  prices: query.getAll('price').filter(id => id !== ''),
  q: (query.get('q') ?? '').trim(),
  item: (query.get('item') ?? '').trim(),
})

const buildPath = (member: string, prices: readonly string[]): string =>
  `${PATH}?${new URLSearchParams([['member', member], ...prices.map((id): [string, string] => ['price', id])])}`

const callFor = (context: StaffContext, typed: Pairs) => {
  const { member, prices } = readChoice(context)
  return {
    operation: 'recordOutsideOrder',
    params: { member_id: member },
    body: { items: prices.map(price_id => ({ price_id })), ...fields.body(typed, context) },
    returns: Order,
  }
}

const refusalIn = (error: unknown): Refusal => {
  if (
    !(error instanceof Refusal) ||
    [signInRequired, proofRequired].includes(error.problem) ||
    error.problem.status >= 500
  )
    throw error
  return error
}

type Quote = { readonly order?: OrderShown | undefined; readonly refusal?: Refusal | undefined }

// The order as it would be recorded.
const readQuote = async (context: StaffContext): Promise<Quote> => {
  const { member, prices } = readChoice(context)
  if (member === '' || prices.length === 0) return {}
  try {
    return { order: (await context.call({ ...callFor(context, []), dryRun: true })).result }
  } catch (error) {
    return { refusal: refusalIn(error) }
  }
}

const renderSearch = (name: 'q' | 'item', label: string, value: string, kept: readonly Html[], button: string): Html =>
  html`<form method="get" action="${PATH}">
${kept}${field({ name, label, value, attributes: inputs.search })}
<div class="buttons"><button type="submit">${button}</button></div>
</form>`

const formatName = ({ name, email }: Person): string => (isVisible(name) ? name : email)

const renderPeople = async (context: StaffContext): Promise<Html> => {
  const { t, call } = context
  const { q } = readChoice(context)
  const query = [
    ['q', q],
    ['limit', '8'],
  ] as const
  const found = q === '' ? undefined : await call({ operation: 'listMembers', query, returns: MemberPage })
  const rows = found?.data.map(
    one =>
      html`<li><a href="${buildPath(one.id, [])}"><bdi>${formatName(one)}</bdi></a><span class="quiet"><bdi>${one.email}</bdi></span></li>\n`,
  )
  return html`${renderSearch('q', t(text.who), q, [], t(texts.words.find))}
${rows !== undefined && (rows.length === 0 ? html`<p>${t(texts.words.nobodyFound)}</p>` : html`<ul class="list menu">\n${rows}</ul>`)}`
}

type Again = { readonly typed: Pairs; readonly refusal: Refusal }

const renderForm = (order: OrderShown, context: StaffContext, again: Again | undefined): Html => {
  const { t, money, language } = context
  const { member, prices } = readChoice(context)
  const typed = again?.typed ?? fields.pairs({ invoice: true }, context)
  const inside = html`${hidden({ form_key: formField(typed, 'form_key') || randomUUID() })}${fields.rows(
    { language, typed, refusal: again?.refusal },
    ['received_on', 'invoice', 'note'],
  )}
<p class="quiet">${t(text.about, { amount: money(order.total, order.currency) })}</p>
${mainButton(t(text.button))}`
  return card(t(text.paid), context.form(inside, buildPath(member, prices)))
}

const renderChosen = (order: OrderShown | undefined, context: StaffContext): Html => {
  const { t, language, viewer } = context
  const { member, prices } = readChoice(context)
  return card(
    t(text.chosen),
    html`${order !== undefined && orderTable(buildTable(order, { language, timeZone: chooseZone(viewer) }))}
<p><a href="${buildPath(member, prices.slice(0, -1))}">${t(text.removeLast)}</a></p>`,
  )
}

const renderBuyer = async (
  order: OrderShown | undefined,
  context: StaffContext,
  again: Again | undefined,
): Promise<Html> => {
  const { t, call, language, parts, person } = context
  const { member, prices, item } = readChoice(context)
  const [buyer, items] = await Promise.all([
    call({ operation: 'getMember', params: { member_id: member }, returns: Member }),
    item === '' ? undefined : findItems(parts.performAs, person, item),
  ])
  const kept = [...hidden({ member }), ...prices.flatMap(price => hidden({ price }))]
  const found = items !== undefined && pricesList(items, language, price => buildPath(member, [...prices, price]))
  return html`<div class="split"><div class="stack">${prices.length > 0 && renderChosen(order, context)}<section class="card" aria-label="${t(text.item)}">
${renderSearch('item', t(text.item), item, kept, t(texts.words.find))}
${found}</section>
${order !== undefined && renderForm(order, context, again)}</div>
${card(
  t(text.person),
  html`<p><strong><bdi>${formatName(buyer)}</bdi></strong><small class="sub"><bdi>${buyer.email}</bdi></small></p>
<p><a href="${PATH}">${t(texts.words.chooseAnotherPerson)}</a></p>`,
)}</div>`
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const { order, refusal } = await readQuote(context)
  const { member } = readChoice(context)
  return context.frame({
    title: t(common.record),
    ...noticeFor(again?.refusal ?? refusal, language, { sets: [fields], said: { ...orderRefusals, ...text.refusals } }),
    lead: t(text.intro),
    isWide: member !== '',
    hasCards: true,
    body:
      member === ''
        ? html`<section class="card" aria-label="${t(text.person)}">${await renderPeople(context)}</section>`
        : await renderBuyer(order, context, again),
  })
}

/** GET and POST /staff/orders/record; the address says who bought what. */
export const orderRecord = [
  page(`GET ${PATH}`, recentStaff, context => show(context)),
  form(`POST ${PATH}`, staff, async (context, typed) => {
    try {
      const { number } = await context.call({ ...callFor(context, typed), ...formKeyIn(typed) })
      return redirect(`/staff/orders/${number}?done=recorded`)
    } catch (error) {
      return show(context, { typed, refusal: refusalIn(error) })
    }
  }),
]

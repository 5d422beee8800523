import { randomUUID } from 'node:crypto'
import { MembershipPlanPage, Subscription } from '#src/areas/memberships/index.ts'
import { Member, MemberPage } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { daysAfter, isDay, toInstant } from '#src/kit/local-time.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { termsText } from '#src/web/account/index.ts'
import {
  chooseZone,
  field,
  form,
  formKeyIn,
  hidden,
  inputs,
  mainButton,
  noticeFor,
  page,
  select,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { findItems } from '../../items.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { buildPath } from './view.ts'

const { common, createPage: text, one } = texts.staff.subscriptions

const PATH = '/staff/subscriptions/new'

type Again = { readonly typed: Pairs; readonly refusal: Refusal }

// For whom, as the address says it, and the words with which a person or an item is searched for.
const part = ({ query }: StaffContext, name: 'member' | 'q' | 'item'): string => (query.get(name) ?? '').trim()

const formatName = ({ name, email }: { readonly name: string; readonly email: string }): string =>
  isVisible(name) ? name : email

const renderSearch = (name: 'q' | 'item', context: StaffContext): Html => {
  const { t } = context
  const [member, label] = [part(context, 'member'), t(name === 'q' ? text.who : text.other)]
  return html`<form method="get" action="${PATH}">
${member !== '' && hidden({ member })}${field({ name, label, value: part(context, name), attributes: inputs.search })}
<div class="buttons"><button type="submit">${t(texts.words.find)}</button></div>
</form>`
}

const renderPeople = async (context: StaffContext): Promise<Html> => {
  const { t, call } = context
  const q = part(context, 'q')
  const query: Pairs = [
    ['q', q],
    ['limit', '8'],
  ]
  const found = q === '' ? undefined : await call({ operation: 'listMembers', query, returns: MemberPage })
  const rows = found?.data.map(
    person =>
      html`<li><a href="${PATH}?member=${person.id}"><bdi>${formatName(person)}</bdi></a><span class="quiet"><bdi>${person.email}</bdi></span></li>\n`,
  )
  return html`${renderSearch('q', context)}
${rows !== undefined && (rows.length === 0 ? html`<p>${t(texts.words.noMembersFound)}</p>` : html`<ul class="list menu">\n${rows}</ul>`)}`
}

// What can be given: the plans on sale, and what was searched for.
const readItems = async (context: StaffContext) => {
  const { call, parts, person } = context
  const item = part(context, 'item')
  const query: Pairs = [
    ['status', 'active'],
    ['limit', '100'],
  ]
  const [plans, items] = await Promise.all([
    call({ operation: 'listMembershipPlans', query, returns: MembershipPlanPage }),
    item === '' ? [] : findItems(parts.performAs, person, item),
  ])
  return [...plans.data, ...items]
}

const renderGiving = async (context: StaffContext, again: Again | undefined): Promise<Html> => {
  const { t, language } = context
  const choices = (await readItems(context)).flatMap(({ id, name, prices }) => [
    { value: id, label: t(text.free, { name }) },
    ...prices
      .filter(({ payment_type: type }) => type === 'subscription' || type === 'payment_plan')
      .map(price => ({ value: price.id, label: t(text.paid, { name, terms: termsText(price, language) }) })),
  ])
  if (choices.length === 0) return html`<p>${t(text.nothing)}</p>`
  const typed = again?.typed ?? []
  const last = {
    name: 'ends_on',
    label: t(texts.words.lastDayOptional),
    value: formField(typed, 'ends_on'),
    attributes: inputs.day,
    hint: t(text.endsHint),
  }
  const inside = html`${hidden({ form_key: randomUUID() })}${select('what', t(text.what), formField(typed, 'what'), choices)}
${field(last)}
${mainButton(t(text.button))}`
  return context.form(inside, `${PATH}?member=${part(context, 'member')}`)
}

const renderPerson = async (context: StaffContext, again: Again | undefined): Promise<Html> => {
  const { t, call } = context
  const params = { member_id: part(context, 'member') }
  const [person, giving] = await Promise.all([
    call({ operation: 'getMember', params, returns: Member }),
    renderGiving(context, again),
  ])
  return html`<dl><dt>${t(texts.words.forWhom)}</dt>
<dd><strong><bdi>${formatName(person)}</bdi></strong> <span class="quiet"><bdi>${person.email}</bdi></span><br><a href="${PATH}">${t(texts.words.chooseAnotherPerson)}</a></dd></dl>
${giving}
${renderSearch('item', context)}`
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const said = { ...staffText.refusals, ...one.refusals, ...text.refusals }
  return context.frame({
    title: t(common.add),
    ...noticeFor(again?.refusal, language, { said }),
    body: html`<p>${t(text.intro)}</p>
${part(context, 'member') === '' ? await renderPeople(context) : await renderPerson(context, again)}
<p class="quiet"><a href="/staff/subscriptions">${t(common.back)}</a></p>`,
  })
}

const types = { mpl: 'membership_plan', crs: 'course', dpr: 'digital_product' } as const

// A price is paid by transfer, an item without a price is given.
const readWhat = (typed: Pairs): object => {
  const what = formField(typed, 'what')
  if (what.startsWith('prc_')) return { price_id: what, collection: 'manual' }
  const [, type] = Object.entries(types).find(([prefix]) => what.startsWith(`${prefix}_`)) ?? []
  return { collection: 'complimentary', item: { type: type ?? '', id: what } }
}

const store = async (context: StaffContext, typed: Pairs): Promise<string> => {
  const day = formField(typed, 'ends_on').trim()
  const zone = { time_zone: chooseZone(context.viewer) }
  const ends = isDay(day) ? { ends_at: toInstant({ local: `${daysAfter(day, 1)}T00:00`, ...zone }).toISOString() } : {}
  const created = await context.call({
    operation: 'createSubscription',
    body: { member_id: part(context, 'member'), ...readWhat(typed), ...ends },
    ...formKeyIn(typed),
    returns: Subscription,
  })
  return `${buildPath(created)}?done=created`
}

/** GET and POST /staff/subscriptions/new; the address says for whom. */
export const subscriptionCreation: StaffSection = {
  // The list of subscriptions leads to it.
  pages: [
    page(`GET ${PATH}`, staff, context => show(context)),
    // What moves money needs a recent sign-in.
    form(`POST ${PATH}`, staff, (context, typed) =>
      shownAgain(
        () => store(context, typed),
        refusal => show(context, { typed, refusal }),
      ),
    ),
  ],
}

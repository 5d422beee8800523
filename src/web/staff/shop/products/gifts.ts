import { GiftPage, HolderPage } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  type Again,
  actForms,
  actRow,
  box,
  buildDoneTexts,
  doneIn,
  email,
  fieldsFor,
  form,
  lastDay,
  listRow,
  noticeFor,
  page,
  pasted,
  readDone,
  required,
  showEnd,
  submitAct,
  unlessEmpty,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { csvLinks, downloadLinks, exportList } from '../../csv.ts'
import { studentsText } from '../../learning/students/index.ts'
import { noneOn } from '../../pages/none.ts'
import { turning } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { buildPath, type ProductShown, productRefusals, readParams, readProduct } from './shown.ts'

const { common, gifts: text } = texts.staff.products
const { acts } = text

type Gift = { email: string; ends_at: string | null; notify: boolean; name?: string; note?: string }

const giftFields = fieldsFor<Gift>()(acts.give.fields, {
  email: required(email()),
  name: unlessEmpty(pasted({ most: 120 })),
  ends_at: lastDay(),
  note: unlessEmpty(pasted({ most: 500 })),
  notify: box(),
})

// A gift is taken back in the list of gifts.
const giftActs = {
  give: { operation: 'createProductGift', fields: giftFields, isOnce: true, offered: () => true },
  take_back: { operation: 'deleteProductGift', params: { entitlement_id: 'gift' }, offered: () => false },
} as const satisfies Readonly<Record<string, Act<ProductShown>>>

const reasons: Readonly<Record<string, Phrase>> = studentsText.sources

const show = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { t, call, language, query, viewer, request } = context
  const params = readParams(context)
  const parameters = { holders: query.get('holders') ?? '', gifts: query.get('gifts') ?? '' }
  const position = (cursor: string): Pairs => (cursor === '' ? [] : [['cursor', cursor]])
  const [product, holders, gifts] = await Promise.all([
    readProduct(context),
    call({
      operation: 'listProductHolders',
      params,
      query: position(parameters.holders),
      returns: HolderPage,
    }),
    call({ operation: 'listProductGifts', params, query: position(parameters.gifts), returns: GiftPage }),
  ])
  const formatUntil = (instant: string | null): string[] =>
    instant === null ? [] : [t(texts.words.until, { day: showEnd(instant, language, viewer) })]
  const holderRows = holders.data.map(({ member, access: { reason, until } }) => {
    const facts = [...(reasons[reason] === undefined ? [] : [t(reasons[reason])]), ...formatUntil(until)]
    return listRow(`/staff/people/${member.id}`, personName(member, context), facts)
  })
  const giftRows = gifts.data.map(({ id, member, status, created_at, ends_at, note }) =>
    actRow(context, {
      name: personName(member, context),
      about: [
        t(text.states[status]),
        context.day(created_at),
        ...formatUntil(ends_at),
        ...(note === null ? [] : [note]),
      ].join(' · '),
      act: status === 'active' ? 'take_back' : undefined,
      fields: { gift: id },
      texts: acts.take_back,
    }),
  )
  return context.frame({
    title: t(text.title, { name: product.name }),
    ...(refused === undefined
      ? { notice: doneIn(buildDoneTexts(acts), readDone(request), language) }
      : noticeFor(refused.refusal, language, { sets: [giftFields], said: productRefusals })),
    body: html`<h2>${t(text.holders)}</h2>
${holderRows.length === 0 ? html`<p>${noneOn(text.noHolders, holders.next_cursor, language)}</p>` : html`<ul class="list menu">\n${holderRows}</ul>`}
${turning(context, request.path, { parameters, next: holders.next_cursor, cursor: 'holders' })}
${holderRows.length > 0 && downloadLinks('listProductHolders', context, [['product_id', product.id]])}
<h2>${t(text.gifts)}</h2>
${giftRows.length === 0 ? html`<p>${t(text.noGifts)}</p>` : html`<ul class="list">\n${giftRows}</ul>`}
${turning(context, request.path, { parameters, next: gifts.next_cursor, cursor: 'gifts' })}
${giftRows.length > 0 && downloadLinks('listProductGifts', context, [['product_id', product.id]])}
${actForms(context, { acts: giftActs, item: product, texts: acts, refused, stored: { give: giftFields.pairs({ notify: true }, context) } })}
${csvLinks(`${buildPath(context)}/downloads/csv`, { ...context, label: text.csv })}
<p class="quiet"><a href="${buildPath(context)}">${t(common.backToOne)}</a></p>`,
  })
}

/** GET and POST /staff/products/:id/people: who has a product, and to whom it was given; downloads as CSV. */
export const productGifts = [
  page('GET /staff/products/:id/people', staff, context => show(context)),
  form('POST /staff/products/:id/people', staff, (context, typed) =>
    submitAct(
      context,
      { acts: giftActs, typed, params: readParams(context) },
      {
        async perform(act, call) {
          await context.call(call)
          return `${buildPath(context)}/people?done=${act}`
        },
        show: again => show(context, again),
      },
    ),
  ),
  page('GET /staff/products/:id/downloads/csv', staff, context =>
    exportList(context, { operation: 'listProductDownloads', params: readParams(context) }),
  ),
]

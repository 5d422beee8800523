import type { Static } from 'typebox'
import { GiftPage, HolderPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  type Again,
  actForms,
  box,
  buildDoneTexts,
  type Column,
  createList,
  doneIn,
  email,
  fieldsFor,
  form,
  lastDay,
  momentColumn,
  noticeFor,
  page,
  pasted,
  readDone,
  renderAct,
  renderName,
  required,
  showEnd,
  submitAct,
  unlessEmpty,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { downloadLinks } from '../../csv.ts'
import { studentsText } from '../../learning/students/index.ts'
import { renderList } from '../../pages/list-page.ts'
import { personName } from '../../teaching/names.ts'
import { buildPath, type ProductShown, productRefusals, readParams, readProduct } from './shown.ts'

const { gifts: text } = texts.staff.products
const { acts } = text
const { heads } = texts.staff.lists

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

const holderList = (context: StaffContext) =>
  createList({
    path: context.request.path,
    operation: 'listProductHolders',
    returns: HolderPage,
    params: readParams(context),
    cursorName: 'holders',
    filters: {},
    texts: { filters: {}, all: text.holders, none: text.noHolders, empty: text.noHolders },
  })

const giftList = (context: StaffContext) =>
  createList({
    path: context.request.path,
    operation: 'listProductGifts',
    returns: GiftPage,
    params: readParams(context),
    cursorName: 'gifts',
    filters: {},
    texts: { filters: {}, all: text.gifts, none: text.noGifts, empty: text.noGifts },
  })

type Holder = Encoded<Static<typeof HolderPage>>['data'][number]
type GiftShown = Encoded<Static<typeof GiftPage>>['data'][number]

const formatUntil = (instant: string | null, { language, viewer }: StaffContext): string | false =>
  instant !== null && showEnd(instant, language, viewer)

const holderColumns = (context: StaffContext): Column<Holder>[] => [
  {
    name: texts.words.name,
    kind: 'main',
    cell: ({ member }) => renderName(`/staff/people/${member.id}`, personName(member, context)),
  },
  {
    name: heads.reason,
    cell: ({ access: { reason } }) => reasons[reason] !== undefined && context.t(reasons[reason]),
  },
  { name: heads.until, kind: 'date', isNamed: true, cell: ({ access }) => formatUntil(access.until, context) },
]

const giftColumns = (context: StaffContext): Column<GiftShown>[] => {
  const { t } = context
  return [
    {
      name: texts.words.toWhom,
      kind: 'main',
      cell: ({ member, note }) => renderName(`/staff/people/${member.id}`, personName(member, context), note ?? false),
    },
    { name: texts.words.status, cell: ({ status }) => statusPill(t(text.states[status]), status) },
    momentColumn(context, { name: heads.given, at: ({ created_at }) => created_at }),
    { name: heads.until, kind: 'date', isNamed: true, cell: ({ ends_at }) => formatUntil(ends_at, context) },
    {
      name: heads.change,
      kind: 'lead',
      cell: ({ id, member, status }) =>
        status === 'active' &&
        renderAct(context, {
          name: personName(member, context),
          act: 'take_back',
          fields: { gift: id },
          texts: acts.take_back,
        }),
    },
  ]
}

const show = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { t, language, request } = context
  const [holders, gifts] = [holderList(context), giftList(context)]
  const [product, holding, given] = await Promise.all([
    readProduct(context),
    holders.read(context),
    gifts.read(context),
  ])
  const downloads = downloadLinks('listProductDownloads', { ...context, label: text.csv }, [['product_id', product.id]])
  return context.frame({
    title: t(text.title, { name: product.name }),
    parents: [{ path: buildPath(context), name: product.name }],
    ...(refused === undefined
      ? { notice: doneIn(buildDoneTexts(acts), readDone(request), language) }
      : noticeFor(refused.refusal, language, { sets: [giftFields], said: productRefusals })),
    isWide: true,
    hasCards: true,
    body: html`${renderList(context, holders, holding, { heading: t(text.holders), columns: holderColumns(context), rows: holding.page.data })}
${renderList(context, gifts, given, { heading: t(text.gifts), columns: giftColumns(context), rows: given.page.data })}
${actForms(context, { acts: giftActs, item: product, texts: acts, refused, stored: { give: giftFields.pairs({ notify: true }, context) } })}
${downloads}`,
  })
}

/** GET and POST /staff/products/:id/people: who has a product, and to whom it was given. */
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
]

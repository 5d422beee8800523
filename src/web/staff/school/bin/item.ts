import type { Static } from 'typebox'
import type { BinPage } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  factList,
  fieldsFor,
  form,
  hidden,
  line,
  mainButton,
  noticeFor,
  page,
  required,
  shownAgain,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { BIN_PATH, findBinned } from '../../pages/binned.ts'
import { staffText } from '../../pages/text.ts'
import { addressWith } from '../../teaching/lists.ts'

const { item: text, kinds } = texts.staff.bin

/** Something in the bin, as pages get it. */
export type Item = Encoded<Static<typeof BinPage>>['data'][number]

type Kind = {
  readonly restore: string
  readonly purge?: string
  readonly param: string
  /** What a restoration may change, where something else has the address by now. */
  readonly address?: 'slug' | 'path'
}

const operations: Readonly<Record<Item['kind'], Kind>> = {
  course: { restore: 'restoreCourse', purge: 'purgeCourse', param: 'course_id', address: 'slug' },
  digital_product: {
    restore: 'restoreDigitalProduct',
    purge: 'purgeDigitalProduct',
    param: 'product_id',
    address: 'slug',
  },
  lesson: { restore: 'restoreLesson', param: 'lesson_id' },
  page: { restore: 'restorePage', purge: 'purgePage', param: 'page_id', address: 'path' },
  post: { restore: 'restorePost', purge: 'purgePost', param: 'post_id', address: 'slug' },
}

const fields = {
  address: fieldsFor<{ address: string }>()(text.fields, { address: line({ most: 200 }) }),
  confirm: fieldsFor<{ confirm: string }>()(text.fields, { confirm: required(line({ most: 200 })) }),
}

/** Restores a thing, at another address if one is given. */
export const restoreThing = async ({ call }: StaffContext, { id, kind }: Item, address = ''): Promise<void> => {
  const { restore: operation, param, address: named } = operations[kind]
  const body = named === undefined ? {} : { body: address === '' ? {} : { [named]: address } }
  await call({ operation, params: { [param]: id }, ...body })
}

const TAKEN = ['slug_taken', 'path_taken', 'invalid_body']

const renderRestoration = ({ t, form, language }: StaffContext, again: Again | undefined) => {
  const refusal = again?.act === 'restore' ? again.refusal : undefined
  const isTaken = refusal !== undefined && TAKEN.includes(refusal.problem.code)
  const typed = again?.typed ?? []
  return form(html`${hidden({ act: 'restore' })}<p class="quiet">${t(text.restore.about)}</p>
${isTaken && fields.address.rows({ language, typed, refusal }, ['address'])}${mainButton(t(text.restore.button))}`)
}

const renderPurge = ({ t, form, language }: StaffContext, again: Again | undefined) => {
  const refusal = again?.act === 'purge' ? again.refusal : undefined
  const typed = refusal === undefined ? [] : (again?.typed ?? [])
  return html`<details class="card"${refusal !== undefined && html` open`}>
<summary>${t(text.purge.button)}</summary>
<p class="quiet">${t(text.purge.about)}</p>
${form(html`${hidden({ act: 'purge' })}${fields.confirm.rows({ language, typed, refusal }, ['confirm'])}
<div class="buttons"><button type="submit">${t(text.purge.button)}</button></div>`)}
</details>`
}

/** The page of something in the bin. */
export const showItem = async (context: StaffContext, item: Item, again?: Again): Promise<Reply> => {
  const { t, time, language } = context
  const said = { ...staffText.refusals, ...text.refusals }
  return context.frame({
    title: item.name,
    ...noticeFor(again?.refusal, language, { sets: [fields.confirm], said }),
    body: html`${factList([
      [t(text.kind), t(kinds[item.kind])],
      [t(text.deleted), time(item.deleted_at)],
      [t(text.deletedBy), item.deleted_by?.name],
      [t(text.until), time(item.until)],
    ])}
${renderRestoration(context, again)}
${item.allowed_actions.includes(operations[item.kind].purge ?? '') && renderPurge(context, again)}`,
  })
}

const getItem = async (context: StaffContext): Promise<Item> => {
  const item = await findBinned(context, context.params.id ?? '')
  if (item === undefined) throw new Refusal(notFound, 'There is no such thing in the bin.')
  return item
}

const purgeThing = async ({ call }: StaffContext, { id, kind, name }: Item, typed: Pairs): Promise<string> => {
  const { purge: operation, param } = operations[kind]
  if (operation === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  if (formField(typed, 'confirm').trim() !== name.trim())
    refuseInvalid([{ pointer: '/confirm', code: 'other', message: 'is not its name' }])
  await call({ operation, params: { [param]: id } })
  return BIN_PATH
}

/** GET and POST /staff/bin/:id: restores something, or deletes it for good. */
export const binItem = [
  page(`GET ${BIN_PATH}/:id`, courseTeachers, async context => showItem(context, await getItem(context))),
  form(`POST ${BIN_PATH}/:id`, courseTeachers, async (context, typed) => {
    const item = await getItem(context)
    const act = formField(typed, 'act')
    const perform = async (): Promise<string> => {
      if (act === 'purge') return purgeThing(context, item, typed)
      await restoreThing(context, item, formField(typed, 'address').trim())
      return addressWith(BIN_PATH, { restored: item.id })
    }
    return shownAgain(perform, refusal => showItem(context, item, { act, typed, refusal }))
  }),
]

import { randomUUID } from 'node:crypto'
import type { TSchema } from 'typebox'
import { CoursePage } from '#src/areas/courses/index.ts'
import { EnrollmentBatchResponse, GroupMemberBatchResponse, GroupPage } from '#src/areas/learning/index.ts'
import { MemberPage, TagBatchResponse } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  checkbox,
  field,
  form,
  formKeyIn,
  hidden,
  isShown,
  noticeFor,
  page,
  redirect,
  select,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { studentRefusals } from '../../learning/students/text.ts'
import { staffText } from '../../pages/text.ts'
import { addressWith } from '../../teaching/lists.ts'
import { personName } from '../../teaching/names.ts'
import { type BulkAct, bulkActs } from './bulk-bar.ts'
import { buildConditions, PEOPLE, readGiven } from './filters.ts'

const text = texts.staff.peopleList.bulk

const PATH = `${PEOPLE}/bulk`
const NAMES_SHOWN = 8
const EFFECTS_SHOWN = 10

const said = { ...staffText.refusals, ...studentRefusals, ...text.refusals }

/** Who is meant: the people who were ticked, or everybody whom the filter finds. */
type Selection = { readonly ids: readonly string[]; readonly given: Pairs; readonly isAll: boolean }

const readSelection = ({ query }: StaffContext): Selection => {
  const given = readGiven(name => query.get(name))
  const isAll = query.get('all') === 'yes' && given.length > 0
  return { ids: isAll ? [] : query.getAll('id').slice(0, 100), given, isAll }
}

const readActName = ({ query }: StaffContext): BulkAct => {
  const act = bulkActs.find(one => one === query.get('act'))
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}

// As a body names them; undefined where nobody was chosen.
const buildFilter = ({ ids, given, isAll }: Selection) => {
  if (isAll) return buildConditions(given)
  return ids.length === 0 ? undefined : { id_in: ids }
}

const buildListQuery = ({ ids, given, isAll }: Selection): Pairs => {
  const conditions = isAll ? Object.entries(buildConditions(given)) : [['id[in]', ids.join(',')] as const]
  return conditions.map(([name, value]) => [name, String(value)] as const)
}

const back = ({ given }: Selection, done?: string): string =>
  addressWith(PEOPLE, { ...Object.fromEntries(given), ...(done === undefined ? {} : { done }) })

type Filter = NonNullable<ReturnType<typeof buildFilter>>

const callFor = (act: BulkAct, filter: Filter, typed: Pairs): PageCall<TSchema> => {
  const line = (name: string): string => cleanLine(formField(typed, name), 60)
  if (act === 'tag') {
    const [add, remove] = [line('add'), line('remove')]
    const body = { filter, ...(add !== '' && { add: [add] }), ...(remove !== '' && { remove: [remove] }) }
    return { operation: 'createMemberTagBatch', body, returns: TagBatchResponse }
  }
  if (act === 'group') {
    const params = { group_id: formField(typed, 'group') }
    return { operation: 'createGroupMemberBatch', params, body: { filter }, returns: GroupMemberBatchResponse }
  }
  const body = {
    course_id: formField(typed, 'course_id'),
    source: 'staff',
    notify: formField(typed, 'notify') === 'yes',
    filter,
  }
  return { operation: 'createEnrollmentBatch', body, returns: EnrollmentBatchResponse, ...formKeyIn(typed) }
}

/** What an act would do: for how many, for how many nothing, and what follows for mail and access. */
type Tried = {
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  readonly effects: readonly string[]
}

type Counts = Partial<Record<'updated' | 'added' | 'created' | 'unchanged' | 'failed', number>>

const tryAct = async (call: PageCall<TSchema>, { call: perform, t }: StaffContext): Promise<Tried> => {
  const { formKey: _key, ...tried } = call
  const { result, effects } = await perform({ ...tried, dryRun: true })
  const { updated = 0, added = 0, created = 0, unchanged = 0, failed = 0 } = (result ?? {}) as Counts
  const all = effects.flatMap(({ effects: own = {} }) => Object.values(own).map(phrase => t(phrase)))
  return { changed: updated + added + created, unchanged, failed, effects: [...new Set(all)] }
}

const renderTried = (act: BulkAct, { changed, unchanged, failed, effects }: Tried, { t }: StaffContext): Html => {
  const more = effects.length - EFFECTS_SHOWN
  return html`<div role="status"><ul class="effects">
<li><b>${t(text.acts[act].changes, { n: changed })}</b></li>
${unchanged > 0 && html`<li>${t(text.unchanged, { n: unchanged })}</li>\n`}${failed > 0 && html`<li class="bad">${t(text.failed, { n: failed })}</li>\n`}${effects.slice(0, EFFECTS_SHOWN).map(one => html`<li>${one}</li>\n`)}${more > 0 && html`<li>${t(texts.words.andMore, { n: more })}</li>\n`}</ul></div>`
}

const choose = (name: string, label: string, chosen: string, all: readonly { id: string; name: string }[]): Html =>
  html`${select(
    name,
    label,
    chosen,
    all.map(({ id, name }) => ({ value: id, label: name })),
  )}`

const renderFields = async (act: BulkAct, typed: Pairs, { t, call }: StaffContext): Promise<Html> => {
  const value = (name: string): string => formField(typed, name)
  if (act === 'tag')
    return html`${(['add', 'remove'] as const).map(name => field({ name, label: t(text.tag[name]), value: value(name), attributes: html`type="text" maxlength="50"` }))}`
  const query = [
    ['limit', '100'],
    ['sort', 'name'],
  ] as const
  if (act === 'group') {
    const { data } = await call({ operation: 'listGroups', query: [['limit', '100']], returns: GroupPage })
    return choose('group', t(texts.staff.personPage.group), value('group'), data)
  }
  const { data } = await call({ operation: 'listCourses', query, returns: CoursePage })
  const isNew = typed.length === 0
  return html`${choose('course_id', t(texts.words.course), value('course_id'), data)}
${checkbox('notify', t(texts.words.tellByEmail), { isChecked: isNew || value('notify') === 'yes' })}`
}

type Again = { readonly typed: Pairs; readonly refusal?: Refusal; readonly tried?: Tried }

const readChosen = async (selection: Selection, { call }: StaffContext) => {
  const query: Pairs = [...buildListQuery(selection), ['limit', '100'], ['include_total', 'true']]
  const { data, total = data.length } = await call({ operation: 'listMembers', query, returns: MemberPage })
  return { people: data, total }
}

const show = async (context: StaffContext, { typed, refusal, tried }: Again = { typed: [] }): Promise<Reply> => {
  const { t, language, address } = context
  const [act, selection] = [readActName(context), readSelection(context)]
  const { people, total } = await readChosen(selection, context)
  const names = people.slice(0, NAMES_SHOWN).map(one => personName(one, context))
  const more = total - names.length
  const key = formField(typed, 'form_key') || randomUUID()
  const { title, button } = text.acts[act]
  const fields = await renderFields(act, typed, context)
  return context.frame({
    title: t(title, { n: total }),
    lead: [...names, ...(more > 0 ? [t(texts.words.andMore, { n: more })] : [])].join(', '),
    ...noticeFor(refusal, language, { said }),
    body: html`${tried !== undefined && renderTried(act, tried, context)}
${context.form(
  html`${hidden({ form_key: key })}${fields}
<div class="buttons"><a class="button" href="${back(selection)}">${t(texts.staff.personPage.keep)}</a>
<button type="submit" name="step" value="check"${tried === undefined && html` class="main"`}>${t(texts.staff.personPage.mergeCheck)}</button>
${tried !== undefined && html`<button type="submit" name="step" value="do" class="main">${t(button, { n: tried.changed })}</button>`}</div>`,
  address,
)}`,
  })
}

// A file needs no second step: it shows what the list shows.
const open = async (context: StaffContext): Promise<Reply> => {
  const [act, selection] = [readActName(context), readSelection(context)]
  if (buildFilter(selection) === undefined) return redirect(back(selection, 'nobody'))
  if (act !== 'export') return show(context)
  return redirect(addressWith('/staff/csv/listMembers', Object.fromEntries(buildListQuery(selection))))
}

const submit = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const [act, selection] = [readActName(context), readSelection(context)]
  const filter = buildFilter(selection)
  if (filter === undefined || act === 'export') throw new Refusal(formRefused, 'The form is about nobody.')
  const call = callFor(act, filter, typed)
  try {
    if (formField(typed, 'step') !== 'do') return await show(context, { typed, tried: await tryAct(call, context) })
    await context.call(call)
    return redirect(back(selection, act))
  } catch (error) {
    if (!isShown(error)) throw error
    return show(context, { typed, refusal: error })
  }
}

/** GET and POST /staff/people/bulk: what is done with several people; its address names them, or the filter that finds them. */
export const bulkPages = [page(`GET ${PATH}`, staff, open), form(`POST ${PATH}`, staff, submit)]

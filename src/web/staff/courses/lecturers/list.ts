import type { Static } from 'typebox'
import { LecturerPage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, type Column, createList, form, page, renderName, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext, staff } from '../../audience.ts'
import { pill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'
import { orderActs, readOrder, renderPlace } from '../../pages/ordering.ts'
import { staffText } from '../../pages/text.ts'

const { common: text } = texts.staff.lecturers

const PATH = '/staff/lecturers'

const buildList = ({ isStaff }: StaffContext) =>
  createList({
    path: PATH,
    operation: 'listLecturers',
    returns: LecturerPage,
    query: [['limit', '100']],
    sort: 'position',
    filters: {},
    texts: {
      filters: {},
      all: text.title,
      none: texts.words.noLecturersYet,
      empty: isStaff ? texts.words.noLecturersYet : text.noProfile,
    },
  })

type LecturerShown = Encoded<Static<typeof LecturerPage>>['data'][number]

// Visitors see them in this order; `ordered` are all of them while they are shown in it.
const buildColumns = (context: StaffContext, ordered: readonly LecturerShown[]): Column<LecturerShown>[] => {
  const { t, language } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      sort: 'display_name',
      cell: ({ id, display_name: name, member_id: member }) =>
        renderName(`${PATH}/${id}`, name, member == null && t(text.noAccount)),
    },
    {
      name: texts.words.status,
      cell: ({ visibility }) =>
        visibility === 'hidden'
          ? pill(t(texts.words.states.hidden), 'hollow')
          : pill(t(texts.words.states.published), 'good'),
    },
    {
      name: texts.words.courses,
      kind: 'num',
      isNamed: true,
      cell: ({ course_count: n }) => formatNumber(n, language),
    },
    ...(ordered.length > 1
      ? [
          {
            name: texts.staff.lists.heads.place,
            sort: 'position',
            cell: (one: LecturerShown) =>
              renderPlace(context, {
                field: 'lecturer',
                id: one.id,
                name: one.display_name,
                index: ordered.indexOf(one),
                count: ordered.length,
              }),
          },
        ]
      : []),
  ]
}

const show = async (context: StaffContext, refusal?: Refusal): Promise<Reply> => {
  const { t, isStaff } = context
  const list = buildList(context)
  const shown = await list.read(context)
  const { data } = shown.page
  const isOrdered = isStaff && shown.by === 'position' && shown.cursor === ''
  return context.frame({
    title: t(text.title),
    lead: t(isStaff ? text.intro : text.own),
    ...buildOutcome(context, refusal, { done: text.done, said: staffText.refusals }),
    ...showList(context, list, shown, {
      columns: buildColumns(context, isOrdered ? data : []),
      // Only the person whose profile it is sees to whom it belongs; others are for staff.
      rows: data.filter(one => isStaff || one.member_id !== undefined),
      action: isStaff && html`<a class="button main" href="${PATH}/new">${t(texts.words.addLecturer)}</a>`,
    }),
  })
}

const move = async ({ call }: StaffContext, typed: Pairs): Promise<string> => {
  if (!orderActs.some(act => act === formField(typed, 'act')))
    throw new Refusal(formRefused, 'The form has no valid action.')
  const query: Pairs = [
    ['limit', '100'],
    ['sort', 'position'],
  ]
  const { data } = await call({ operation: 'listLecturers', query, returns: LecturerPage })
  const lecturer_ids = readOrder(
    data.map(({ id }) => id),
    typed,
    'lecturer',
  )
  // Somebody deleted the profile meanwhile.
  if (lecturer_ids === undefined) return PATH
  await call({ operation: 'reorderLecturers', body: { lecturer_ids } })
  return `${PATH}?done=moved`
}

/** GET and POST /staff/lecturers: the profiles of lecturers in their order for staff, and their own for lecturers. */
export const lecturerList = [
  page(`GET ${PATH}`, courseTeachers, context => show(context)),
  form(`POST ${PATH}`, staff, (context, typed) =>
    shownAgain(
      () => move(context, typed),
      refusal => show(context, refusal),
    ),
  ),
]

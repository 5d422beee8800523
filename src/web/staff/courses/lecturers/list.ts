import type { Static } from 'typebox'
import { LecturerPage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, doneIn, page, readDone, renderName } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { pill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'

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

const buildColumns = ({ t, language }: StaffContext): Column<LecturerShown>[] => [
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
]

/** GET /staff/lecturers: the profiles of lecturers for staff, and their own for lecturers. */
export const lecturerList = page(`GET ${PATH}`, courseTeachers, async context => {
  const { t, language, request, isStaff } = context
  const list = buildList(context)
  const shown = await list.read(context)
  return context.frame({
    title: t(text.title),
    lead: t(isStaff ? text.intro : text.own),
    notice: doneIn(text.done, readDone(request), language),
    ...showList(context, list, shown, {
      columns: buildColumns(context),
      // Only the person whose profile it is sees to whom it belongs; others are for staff.
      rows: shown.page.data.filter(one => isStaff || one.member_id !== undefined),
      action: isStaff && html`<a class="button main" href="${PATH}/new">${t(texts.words.addLecturer)}</a>`,
    }),
  })
})

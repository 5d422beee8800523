import type { Static } from 'typebox'
import { type Member, SegmentPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { computeInitials } from '#src/kit/mark.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, doneIn, page, readDone, renderProgress } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { downloadLinks } from '../../csv.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { personPath, showShortDay } from '../person/read.ts'
import { bulkPages } from './bulk.ts'
import { renderBulk } from './bulk-bar.ts'
import { buildGiven, createPeopleList, PEOPLE } from './filters.ts'

const { people: text, roleNames } = staffText
const own = texts.staff.peopleList

type Person = Encoded<Static<typeof Member>>

// The tint follows from the id, so that somebody has the same one everywhere.
const chooseTint = (id: string): number => ((id.codePointAt(id.length - 1) ?? 0) % 4) + 1

const renderWho = ({ id, name, email, role }: Person, { t }: StaffContext): Html => {
  const shown = isVisible(name) ? name : email
  return html`<div class="who"><span class="avatar t${chooseTint(id)}" aria-hidden="true">${computeInitials(shown)}</span><div><a href="${personPath(id)}"><bdi>${shown}</bdi></a>${role !== 'member' && html` <span class="tag">${t(roleNames[role])}</span>`}<small><bdi>${email}</bdi></small></div></div>`
}

const renderLatest = ({ latest_course: latest }: Person, { t, language }: StaffContext): Html | string => {
  if (latest == null) return '–'
  const { percent_complete: percent, name } = latest
  return renderProgress(percent, t(texts.staff.personPage.progressIn, { name }), language)
}

const buildColumns = (context: StaffContext): Column<Person>[] => {
  const { money } = context
  return [
    { name: texts.words.name, kind: 'main', sort: 'name', cell: one => renderWho(one, context) },
    {
      name: texts.words.status,
      cell: ({ status }) => statusPill(context.t(texts.staff.personPage.statuses[status]), status),
    },
    {
      name: own.latestCourse,
      kind: 'low',
      cell: ({ latest_course: latest }) => (latest == null ? '–' : html`<bdi>${latest.name}</bdi>`),
    },
    { name: texts.staff.personPage.progress, kind: 'lead', cell: one => renderLatest(one, context) },
    {
      name: own.spent,
      kind: 'num c-low',
      cell: ({ spent = [] }) =>
        spent.length === 0 ? '–' : spent.map(one => money(one.amount, one.currency)).join(', '),
    },
    {
      name: staffText.person.seen,
      kind: 'date c-low',
      cell: ({ last_seen_at: at }) => (at === null ? '–' : showShortDay(context, at)),
    },
  ]
}

// Each leads to the list with its filter, which can be changed there.
const renderSegments = async ({ t, call }: StaffContext): Promise<Html | false> => {
  const { data } = await call({ operation: 'listSegments', query: [['limit', '12']], returns: SegmentPage })
  return (
    data.length > 0 &&
    html`<nav aria-label="${t(own.segments)}"><ul class="row">
${data.map(({ name, filter }) => html`<li><a class="chip" href="${addressWith(PEOPLE, Object.fromEntries(buildGiven(filter)))}"><bdi>${name}</bdi></a></li>\n`)}<li><a href="/staff/segments">${t(own.allSegments)}</a></li></ul></nav>
`
  )
}

const renderActions = (given: Pairs, { t }: StaffContext): Html =>
  html`${given.length > 0 && html`<a class="button" href="${addressWith('/staff/segments/new', Object.fromEntries(given))}">${t(own.saveSegment)}</a>\n`}<a class="button" href="/staff/imports/new?kind=people">${t(texts.staff.imports.create.people)}</a>\n<a class="button main" href="${PEOPLE}/new">${t(text.add)}</a>`

/** GET /staff/people, and what is done with several of them. */
export const people: StaffSection = {
  pages: [
    ...bulkPages,
    page(`GET ${PEOPLE}`, staff, async context => {
      const { t, language, request } = context
      const list = await createPeopleList(context)
      const [shown, segments] = await Promise.all([list.read(context), renderSegments(context)])
      const { data, total } = shown.page
      return context.frame({
        title: t(text.title),
        actions: renderActions(shown.given, context),
        notice: doneIn(own.done, readDone(request), language),
        isWide: true,
        hasCards: true,
        scripts: ['list'],
        body: html`${segments}${list.table(context, shown, {
          columns: buildColumns(context),
          rows: data,
          bulk: {
            bar: renderBulk(context, shown.given, total),
            tick: ({ id, name, email }) => ({
              value: id,
              label: t(own.select, { name: isVisible(name) ? name : email }),
            }),
          },
          below: data.length > 0 && downloadLinks('listMembers', context, list.queryFor(context)),
        })}`,
      })
    }),
  ],
}

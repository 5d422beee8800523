import type { Static } from 'typebox'
import { PlanHolderPage } from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Column,
  createList,
  momentColumn,
  type PageContext,
  page,
  renderName,
  showEnd,
} from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { studentsText } from '../../learning/students/index.ts'
import { showList } from '../../pages/list-page.ts'
import { personName } from '../../teaching/names.ts'
import { buildPath, readParams, readPlan } from './shown.ts'

const text = texts.staff.plans.holders
const { heads } = texts.staff.lists

const reasons: Readonly<Record<string, Phrase>> = studentsText.sources

type Holder = Encoded<Static<typeof PlanHolderPage>>['data'][number]

const buildList = (context: PageContext) =>
  createList({
    path: context.request.path,
    operation: 'listPlanHolders',
    returns: PlanHolderPage,
    params: readParams(context),
    filters: {},
    texts: { filters: {}, all: heads.holders, none: text.none, empty: text.none },
  })

const buildColumns = (context: PageContext): Column<Holder>[] => {
  const { t, language, viewer } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      cell: ({ member }) => renderName(`/staff/people/${member.id}`, personName(member, context)),
    },
    { name: heads.reason, cell: ({ source }) => reasons[source] !== undefined && t(reasons[source]) },
    momentColumn(context, { name: texts.words.since, at: ({ since }) => since }),
    {
      name: heads.until,
      kind: 'date',
      isNamed: true,
      cell: ({ until }) => until !== null && showEnd(until, language, viewer),
    },
  ]
}

/** GET /staff/plans/:id/holders. */
export const planHolders = [
  page('GET /staff/plans/:id/holders', staff, async context => {
    const list = buildList(context)
    const [plan, shown] = await Promise.all([readPlan(context), list.read(context)])
    return context.frame({
      title: context.t(text.title, { name: plan.name }),
      parents: [{ path: buildPath(context), name: plan.name }],
      ...showList(context, list, shown, { columns: buildColumns(context), rows: shown.page.data }),
    })
  }),
]

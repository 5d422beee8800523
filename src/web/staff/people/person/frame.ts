import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { Notice } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { linkTabs, statusPill } from '../../console/frame.ts'
import { staffText } from '../../pages/text.ts'
import { personName } from '../../teaching/names.ts'
import { acts } from './acts.rules.ts'
import { type Person, personPath, readCounts } from './read.ts'

const text = texts.staff.personPage

/** The parts of the page of a member. */
const parts = ['', 'courses', 'orders', 'mails', 'activity', 'details'] as const

// The first one is the overview.
type Part = (typeof parts)[number]

const renderBadge = (person: Person, context: StaffContext): Html =>
  html`${statusPill(context.t(text.statuses[person.status]), person.status)}${person.role !== 'member' && html`<span class="tag">${context.t(staffText.roleNames[person.role])}</span>`}${person.tags.map(tag => html`<span class="tag"><bdi>${tag}</bdi></span>`)}`

const formatLead = ({ email, phone, created_at }: Person, { t, day }: StaffContext): string =>
  [email, ...(phone === null ? [] : [phone]), t(text.since, { day: day(created_at) })].join(' · ')

const link = (href: string, label: string): Html => html`<li><a href="${href}">${label}</a></li>\n`

/** What can be done, of which the page of the act shows the effects first. */
const renderMenu = (person: Person, courses: number, context: StaffContext): Html => {
  const { t, viewer } = context
  const path = personPath(person.id)
  const offered = acts.filter(one => one.isOffered(person, viewer, courses))
  return html`<details class="menu" name="person"><summary class="button square" aria-label="${t(texts.words.more)}">…</summary>
<div><ul>
${offered.map(({ name }) => link(`${path}/acts/${name}`, t(text.acts[name].title)))}${person.status === 'active' && ['member', 'lecturer'].includes(person.role) && link(`${path}/view`, t(text.view))}</ul></div>
</details>`
}

const renderActions = (person: Person, courses: number, context: StaffContext): Html | undefined => {
  const { t } = context
  if (person.status === 'deleted' && person.email === '') return undefined
  return html`<a class="button" href="mailto:${person.email}">${t(text.write)}</a>
<a class="button" href="/staff/students/new?member_id=${person.id}">${t(text.enroll)}</a>
${renderMenu(person, courses, context)}`
}

/** A part of the page of a member, in cards. */
export const framePerson = async (
  context: StaffContext,
  person: Person,
  part: Part,
  shown: { readonly body: Html; readonly notice?: Notice | undefined; readonly status?: number },
): Promise<Reply> => {
  const { t } = context
  const path = personPath(person.id)
  const counts = await readCounts(context, person.id)
  const tabs = parts.map(one => ({
    path: one === '' ? path : `${path}/${one}`,
    name: t(one === '' ? text.tabs.overview : text.tabs[one]),
    ...(one === 'courses' || one === 'orders' ? { count: counts[one] } : {}),
  }))
  const title = personName(person, context)
  return context.frame({
    ...shown,
    title,
    badge: renderBadge(person, context),
    lead: formatLead(person, context),
    actions: renderActions(person, counts.courses, context),
    tabs: linkTabs(title, part === '' ? path : `${path}/${part}`, tabs),
    isWide: true,
    hasCards: true,
  })
}

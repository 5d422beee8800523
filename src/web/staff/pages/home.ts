import type { Static } from 'typebox'
import type { Member } from '#src/areas/members/index.ts'
import type { SchoolUsage } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { backLink, framed } from '#src/web/account/index.ts'
import type { Draft } from '../appearance-form.ts'
import type { StaffEntry } from '../section.ts'
import { missingNote } from './appearance.ts'
import { peopleList } from './people.ts'
import { staffText as text } from './text.ts'

type HomeView = {
  readonly school: School
  readonly language: Language
  /** What the page links to. */
  readonly entries: readonly StaffEntry[]
  readonly counts: Encoded<Static<typeof SchoolUsage>>['members']
  readonly invited: readonly Encoded<Static<typeof Member>>[]
  readonly waiting: readonly ConfirmationDetails[]
  /** What the appearance lacks. */
  readonly warnings: Draft['warnings']
}

const { home } = text

const item = ({ path, name, about }: StaffEntry, { language, waiting }: HomeView): Html =>
  html`<li><a href="${path}">${fill(name, language, { count: waiting.length })}</a><span class="quiet">${fill(about, language)}</span></li>
`

const countsOf = ({ counts, language }: HomeView): Html => html`<ul class="counts">
${(['active', 'invited', 'suspended'] as const).map(
  status =>
    html`<li><a href="/staff/people?status=${status}"><strong>${counts[status]}</strong> ${fill(text.counts[status], language)}</a></li>
`,
)}</ul>`

const invitedOf = ({ invited, language }: HomeView): Html => html`<h2>${fill(home.invited, language)}</h2>
${peopleList(invited, language)}`

/** The first staff page: numbers of members, pending invitations, and links to the other pages. */
export const homePage = (view: HomeView): Reply => {
  const { school, language, entries, invited } = view
  return framed({
    language,
    school,
    title: fill(home.title, language, { school: school.name }),
    body: html`${missingNote(view.warnings, language)}${countsOf(view)}
<ul class="list menu">
${entries.map(entry => item(entry, view))}</ul>
${invited.length > 0 && invitedOf(view)}
${backLink(language)}`,
  })
}

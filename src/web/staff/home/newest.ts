import { formatPercent } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { computeInitials } from '#src/kit/mark.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../audience.ts'
import { showWhen } from '../pages/when.ts'
import type { Known } from './waiting.ts'

const text = texts.staff.home

type Person = {
  readonly id: string
  readonly name: string
  readonly href: string
  readonly about: string
  readonly end: Html
}

// One of four tints, always the same one for a person.
const findTint = (id: string): number => 1 + ([...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 4)

const renderRow = ({ id, name, href, about, end }: Person): Html =>
  html`<tr><td class="c-main"><div class="who"><span class="avatar t${findTint(id)}" aria-hidden="true">${computeInitials(name)}</span><div><a href="${href}"><bdi>${name}</bdi></a><small>${about}</small></div></div></td><td class="c-num c-lead">${end}</td></tr>
`

type Table = {
  readonly id: string
  readonly title: string
  readonly none: string
  readonly all: { readonly href: string; readonly name: string }
  readonly heads: readonly [string, string]
  readonly rows: readonly Html[]
}

const renderTable = ({ id, title, none, all, heads, rows }: Table): Html =>
  html`<section class="card flush" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2><a class="s14" href="${all.href}">${all.name}</a></header>
${
  rows.length === 0
    ? html`<p class="quiet pad">${none}</p>`
    : html`<div class="table-box"><table class="table"><caption class="unseen">${title}</caption>
<thead class="unseen"><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}
</section>
`

const kinds: Readonly<Record<string, string>> = { paid: 'good', pending: 'warn', processing: 'info', failed: 'bad' }

type OrderStatus = keyof typeof texts.staff.orders.common.statuses

/** The newest orders; nothing for whoever sees none. */
export const renderOrders = ({ orders, as_of: now }: Known, context: StaffContext): Html => {
  const { t, money, language } = context
  const { statuses } = texts.staff.orders.common
  const name = (status: string): string => {
    const word = Object.hasOwn(statuses, status) ? t(statuses[status as OrderStatus]) : status
    return word.charAt(0).toLocaleUpperCase(language) + word.slice(1)
  }
  return renderTable({
    id: 'orders',
    title: t(text.orders.title),
    none: t(text.orders.none),
    all: { href: '/staff/orders', name: t(text.orders.all) },
    heads: [t(text.orders.buyer), t(texts.words.amount)],
    rows: orders.map(one =>
      renderRow({
        id: one.member_id,
        name: one.name,
        href: `/staff/orders/${one.number}`,
        about: `${one.number} · ${showWhen(one.created_at, now, context)}`,
        end: html`${money(one.amount, one.currency)}<br><span class="pill ${kinds[one.status] ?? 'plain'}">${name(one.status)}</span>`,
      }),
    ),
  })
}

/** The newest students, with what they have learned of the course. */
export const renderStudents = ({ students, as_of: now }: Known, context: StaffContext): Html => {
  const { t, language, isStaff } = context
  return renderTable({
    id: 'students',
    title: t(text.students.title),
    none: t(text.students.none),
    all: { href: '/staff/students', name: t(text.students.all) },
    heads: [t(texts.words.name), t(text.students.progress)],
    rows: students.map(({ member_id: id, enrollment_id: enrollment, name, course, percent_complete: percent, created_at: at }) =>
      renderRow({
        id,
        name,
        // Those who teach see what somebody does in their courses.
        href: isStaff ? `/staff/people/${id}` : `/staff/students/${enrollment}`,
        about: `${course} · ${showWhen(at, now, context)}`,
        end: html`<span class="bar-value"><progress max="100" value="${percent}"${percent === 100 && html` class="done"`} aria-label="${t(text.students.progressOf, { name })}"></progress>${formatPercent(percent, language)}</span>`,
      }),
    ),
  })
}

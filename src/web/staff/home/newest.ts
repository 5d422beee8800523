import { formatPercent } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { computeInitials } from '#src/kit/mark.ts'
import { texts } from '#src/texts/index.ts'
import { renderTable } from '#src/web/page/index.ts'
import type { StaffContext } from '../audience.ts'
import { pill } from '../console/frame.ts'
import { showWhen } from '../pages/when.ts'
import type { Known } from './waiting.ts'

const text = texts.staff.home

// One of four tints, always the same one for a person.
const findTint = (id: string): number => 1 + ([...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 4)

type Person = { readonly id: string; readonly name: string; readonly href: string; readonly about: string }

const renderPerson = ({ id, name, href, about }: Person): Html =>
  html`<div class="who"><span class="avatar t${findTint(id)}" aria-hidden="true">${computeInitials(name)}</span><div><a href="${href}"><bdi>${name}</bdi></a><small>${about}</small></div></div>`

type Card = {
  readonly id: string
  readonly title: string
  readonly all: { readonly href: string; readonly name: string }
  readonly table: Html
}

const renderCard = ({ id, title, all, table }: Card): Html =>
  html`<section class="card flush" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2><a class="s14" href="${all.href}">${all.name}</a></header>
${table}
</section>
`

const nothing = (sentence: string): Html => html`<p class="quiet pad">${sentence}</p>`

const kinds: Readonly<Record<string, 'good' | 'warn' | 'info' | 'bad'>> = {
  paid: 'good',
  pending: 'warn',
  processing: 'info',
  failed: 'bad',
}

type OrderStatus = keyof typeof texts.staff.orders.common.statuses

/** The newest orders; nothing for whoever sees none. */
export const renderOrders = ({ orders, as_of: now }: Known, context: StaffContext): Html => {
  const { t, money, language } = context
  const { statuses } = texts.staff.orders.common
  const name = (status: string): string => {
    const word = Object.hasOwn(statuses, status) ? t(statuses[status as OrderStatus]) : status
    return word.charAt(0).toLocaleUpperCase(language) + word.slice(1)
  }
  const table = renderTable(context, {
    caption: t(text.orders.title),
    rows: orders,
    columns: [
      {
        name: text.orders.buyer,
        kind: 'main',
        cell: ({ number, name: buyer, member_id: id, created_at: at }) =>
          renderPerson({
            id,
            name: buyer,
            href: `/staff/orders/${number}`,
            about: `${number} · ${showWhen(at, now, context)}`,
          }),
      },
      {
        name: texts.words.amount,
        kind: 'num c-lead',
        cell: ({ amount, currency, status }) =>
          html`${money(amount, currency)}<br>${pill(name(status), kinds[status] ?? 'plain')}`,
      },
    ],
  })
  return renderCard({
    id: 'orders',
    title: t(text.orders.title),
    all: { href: '/staff/orders', name: t(text.orders.all) },
    table: orders.length === 0 ? nothing(t(text.orders.none)) : table,
  })
}

/** The newest students, with what they have learned of the course. */
export const renderStudents = ({ students, as_of: now }: Known, context: StaffContext): Html => {
  const { t, language, isStaff } = context
  const table = renderTable(context, {
    caption: t(text.students.title),
    rows: students,
    columns: [
      {
        name: texts.words.name,
        kind: 'main',
        // Those who teach see what somebody does in their courses.
        cell: ({ member_id: id, enrollment_id: enrollment, name, course, created_at: at }) =>
          renderPerson({
            id,
            name,
            about: `${course} · ${showWhen(at, now, context)}`,
            href: isStaff ? `/staff/people/${id}` : `/staff/students/${enrollment}`,
          }),
      },
      {
        name: text.students.progress,
        kind: 'lead',
        cell: ({ name, percent_complete: percent }) =>
          html`<span class="bar-value"><progress max="100" value="${percent}"${percent === 100 && html` class="done"`} aria-label="${t(text.students.progressOf, { name })}"></progress>${formatPercent(percent, language)}</span>`,
      },
    ],
  })
  return renderCard({
    id: 'students',
    title: t(text.students.title),
    all: { href: '/staff/students', name: t(text.students.all) },
    table: students.length === 0 ? nothing(t(text.students.none)) : table,
  })
}

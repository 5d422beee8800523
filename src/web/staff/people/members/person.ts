import { Member } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import {
  buildDoneTexts,
  doneIn,
  factList,
  form,
  hidden,
  input,
  noticeFor,
  page,
  readDone,
  select,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'

const { person: text, refusals, statusNames, roleNames } = staffText

// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 300

const readParams = ({ params }: StaffContext) => ({ member_id: params.id ?? '' })

const readPerson = (context: StaffContext) =>
  context.call({ operation: 'getMember', params: readParams(context), expand: ['groups'], returns: Member })

type Person = Awaited<ReturnType<typeof readPerson>>

const renderFacts = (person: Person, { t, time }: StaffContext): Html => {
  const proven = t(person.email_verified ? text.proven : text.notProven)
  return factList([
    [t(text.email), `${person.email} (${proven})`],
    [t(text.role), t(roleNames[person.role])],
    [t(text.status), t(statusNames[person.status])],
    [t(text.suspendedFor), person.suspension_reason || undefined],
    [t(text.phone), person.phone || undefined],
    [t(text.tags), person.tags.join(', ') || undefined],
    [t(text.groups), (person.groups ?? []).map(({ name }) => name).join(', ') || undefined],
    [t(text.externalId), person.external_id || undefined],
    [t(text.since), time(person.created_at)],
    [t(text.seen), person.last_seen_at === null ? undefined : time(person.last_seen_at)],
  ])
}

// The acts that the person who looks may take.
const renderActs = ({ id, status, role }: Person, context: StaffContext): Html[] => {
  const { t, viewer } = context
  const card = (act: keyof typeof text.acts, fields: Html = html``): Html => {
    const { title, about, button } = text.acts[act]
    return html`<section class="card">
<h2>${t(title)}</h2>
<p class="quiet">${t(about)}</p>
${context.form(html`${hidden({ act })}${fields}
<div class="buttons"><button type="submit">${t(button)}</button></div>`)}
</section>
`
  }
  const choices = roles.map(value => ({ value, label: t(roleNames[value]) }))
  const reason = {
    name: 'reason',
    label: t(text.acts.suspend.fields.reason.label),
    attributes: html`type="text" maxlength="200"`,
  }
  const isTouchable = role !== 'owner' || viewer.role === 'owner'
  const mayEnd = status === 'active' && isTouchable && id !== toId('mem', viewer.id)
  return [
    ...(status === 'invited' ? [card('invite')] : []),
    ...(status === 'active' && viewer.role === 'owner'
      ? [card('role', select('role', t(text.role), role, choices))]
      : []),
    ...(mayEnd ? [card('sign_out'), card('suspend', input(reason))] : []),
    ...(status === 'suspended' && isTouchable ? [card('reinstate')] : []),
  ]
}

const show = async (context: StaffContext, refusal?: Refusal): Promise<Reply> => {
  const { t, language, request } = context
  const person = await readPerson(context)
  return context.frame({
    title: person.name,
    ...(refusal === undefined
      ? { notice: doneIn({ ...text.done, ...buildDoneTexts(text.acts) }, readDone(request), language) }
      : noticeFor(refusal, language, { said: refusals })),
    body: html`${renderFacts(person, context)}
${renderActs(person, context)}
<p class="quiet"><a href="/staff/people">${t(text.back)}</a></p>`,
  })
}

const callFor = (act: string, typed: Pairs): PageCall<undefined> => {
  switch (act) {
    case 'role': {
      const role = roles.find(one => one === formField(typed, 'role'))
      if (role === undefined) throw new Refusal(formRefused, 'The form has no valid role.')
      return role === 'member' ? { operation: 'removeStaffRole' } : { operation: 'setStaffRole', body: { role } }
    }
    case 'suspend':
      return { operation: 'suspendMember', body: { reason: cleanLine(formField(typed, 'reason'), LONGEST) } }
    case 'reinstate':
      return { operation: 'reinstateMember' }
    case 'invite':
      return { operation: 'inviteMember' }
    case 'sign_out':
      return { operation: 'deleteMemberSessions' }
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

/** GET and POST /staff/people/:id. */
export const person: StaffSection = {
  // The list of people leads to each of them.
  pages: [
    page('GET /staff/people/:id', staff, context => show(context)),
    form('POST /staff/people/:id', staff, (context, typed) =>
      shownAgain(
        async () => {
          const act = formField(typed, 'act')
          await context.call({ ...callFor(act, typed), params: readParams(context) })
          return `${context.request.path}?done=${act}`
        },
        refusal => show(context, refusal),
      ),
    ),
  ],
}

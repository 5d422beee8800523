import { randomUUID } from 'node:crypto'
import { Member, MemberPage } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  choice,
  doneIn,
  fieldsFor,
  form,
  formKeyIn,
  hidden,
  mainButton,
  noticeFor,
  page,
  readDone,
  refusalFor,
  requireRecentProof,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { turning } from '../../teaching/lists.ts'
import { memberFields } from '../members/add.ts'

const text = texts.staff.invitations
const { refusals, roleNames } = staffText

const PATH = '/staff/invitations'

const INVITED: Pairs = [
  ['status', 'invited'],
  ['sort', '-created_at'],
]

const roleFields = fieldsFor<{ role: (typeof roles)[number] }>()(
  { role: { ...text.fields.role, choices: roleNames } },
  { role: choice(roles) },
)

type Again = { readonly typed: Pairs; readonly refusal: Refusal }

const isOwner = ({ viewer }: StaffContext): boolean => viewer.role === 'owner'

const renderForm = (context: StaffContext, again: Again | undefined): Html => {
  const { t, language } = context
  const isAgain = again !== undefined && formField(again.typed, 'act') === 'invite'
  const typed = isAgain ? again.typed : roleFields.pairs({ role: 'member' }, context)
  const state = { language, typed, refusal: isAgain ? again.refusal : undefined }
  const form_key = formField(typed, 'form_key') || randomUUID()
  // Only owners give roles.
  const inside = html`${hidden({ act: 'invite', form_key })}${memberFields.rows(state, ['name', 'email'])}
${isOwner(context) && roleFields.rows(state, ['role'])}${mainButton(t(text.button))}`
  return html`<h2>${t(texts.words.inviteSomebody)}</h2>
${context.form(inside)}`
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, day, language, request, query } = context
  const cursor = query.get('cursor') ?? ''
  const position: Pairs = [['limit', '50'], ...(cursor === '' ? [] : [['cursor', cursor] as const])]
  const { data, next_cursor: next } = await context.call({
    operation: 'listMembers',
    query: [...INVITED, ...position],
    returns: MemberPage,
  })
  const rows = data.map(({ id, name, email, role, created_at }) => {
    const button = (act: 'resend' | 'withdraw'): Html => {
      const label = t(text[act])
      return context.form(
        html`${hidden({ act, member_id: id })}<button type="submit" class="small" aria-label="${label}: ${name}">${label}</button>`,
      )
    }
    return html`<li><div class="act"><div><a href="/staff/people/${id}"><bdi>${name}</bdi></a>
<span class="quiet line"><bdi>${email}</bdi> · ${t(roleNames[role])} · ${t(text.since, { day: day(created_at) })}</span></div>
<div class="acts">${button('resend')}${(role !== 'owner' || isOwner(context)) && button('withdraw')}</div></div></li>
`
  })
  return context.frame({
    title: t(text.title),
    ...(again === undefined
      ? { notice: doneIn(text.done, readDone(request), language) }
      : noticeFor(again.refusal, language, { sets: [memberFields, roleFields], said: refusals })),
    body: html`<p>${t(text.intro)}</p>
${renderForm(context, again)}
<h2>${t(texts.words.pendingInvitations)}</h2>
${rows.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list">\n${rows}</ul>`}
${turning(context, PATH, { parameters: { cursor }, next })}
${rows.length > 0 && downloadLinks('listMembers', context, INVITED)}
<p class="quiet"><a href="/staff/outbox">${t(text.outbox)}</a></p>`,
  })
}

// The role is a second write, whose proof is asked before the first one: where it is refused, the person is invited all the same.
const invite = async ({ call, ...context }: StaffContext, typed: Pairs): Promise<string> => {
  const role = formField(typed, 'role') || 'member'
  if (role !== 'member') requireRecentProof(context.session)
  const { name, email } = memberFields.body(typed, context)
  const { id } = await call({ operation: 'createMember', body: { name, email }, ...formKeyIn(typed), returns: Member })
  if (role === 'member') return 'invited'
  const refusal = await refusalFor(call({ operation: 'setStaffRole', params: { member_id: id }, body: { role } }))
  return refusal === undefined ? 'invited' : 'no_role'
}

// Somebody who has accepted meanwhile is a member, and is not removed by this button.
const withdraw = async ({ call }: StaffContext, params: { readonly member_id: string }): Promise<void> => {
  const { status, revision } = await call({ operation: 'getMember', params, returns: Member })
  if (status === 'invited') await call({ operation: 'deleteMember', params, revision })
}

const perform = async (context: StaffContext, typed: Pairs): Promise<string> => {
  const params = { member_id: formField(typed, 'member_id') }
  switch (formField(typed, 'act')) {
    case 'invite':
      return invite(context, typed)
    case 'resend':
      await context.call({ operation: 'inviteMember', params })
      return 'resent'
    case 'withdraw':
      await withdraw(context, params)
      return 'withdrawn'
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

/** GET and POST /staff/invitations: the people who are invited, and the form that invites somebody. */
export const invitations: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => show(context)),
    form(`POST ${PATH}`, staff, (context, typed) =>
      shownAgain(
        async () => `${PATH}?done=${await perform(context, typed)}`,
        refusal => show(context, { typed, refusal }),
      ),
    ),
  ],
}

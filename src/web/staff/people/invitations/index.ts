import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { Member, MemberPage } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Column,
  choice,
  createList,
  doneIn,
  fieldsFor,
  form,
  formKeyIn,
  hidden,
  mainButton,
  momentColumn,
  noticeFor,
  page,
  readDone,
  refusalFor,
  renderName,
  requireRecentProof,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { renderList } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { memberFields } from '../members/add.ts'

const text = texts.staff.invitations
const { heads } = texts.staff.lists
const { refusals, roleNames } = staffText

const PATH = '/staff/invitations'

const list = createList({
  path: PATH,
  operation: 'listMembers',
  returns: MemberPage,
  query: [
    ['status', 'invited'],
    ['limit', '50'],
  ],
  sort: '-created_at',
  filters: {},
  texts: { filters: {}, all: texts.words.pendingInvitations, none: text.none, empty: text.none },
})

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
  return html`<section class="card" aria-labelledby="invite"><h2 id="invite">${t(texts.words.inviteSomebody)}</h2>
${context.form(inside)}</section>`
}

type Invited = Encoded<Static<typeof MemberPage>>['data'][number]

const buildColumns = (context: StaffContext): Column<Invited>[] => {
  const { t } = context
  const button = ({ id, name }: Invited, act: 'resend' | 'withdraw'): Html => {
    const label = t(text[act])
    return context.form(
      html`${hidden({ act, member_id: id })}<button type="submit" class="small" aria-label="${label}: ${name}">${label}</button>`,
    )
  }
  return [
    {
      name: texts.words.name,
      kind: 'main',
      sort: 'name',
      cell: ({ id, name, email }) => renderName(`/staff/people/${id}`, name, email),
    },
    { name: texts.words.role, cell: ({ role }) => t(roleNames[role]) },
    momentColumn(context, { name: heads.invited, sort: '-created_at', at: ({ created_at }) => created_at }),
    {
      name: heads.change,
      cell: one =>
        html`<div class="row">${button(one, 'resend')}${(one.role !== 'owner' || isOwner(context)) && button(one, 'withdraw')}</div>`,
    },
  ]
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language, request } = context
  const shown = await list.read(context)
  return context.frame({
    title: t(text.title),
    lead: t(text.intro),
    actions: html`<a class="button" href="/staff/outbox">${t(text.outbox)}</a>`,
    ...(again === undefined
      ? { notice: doneIn(text.done, readDone(request), language) }
      : noticeFor(again.refusal, language, { sets: [memberFields, roleFields], said: refusals })),
    isWide: true,
    hasCards: true,
    body: html`<div class="split">${renderList(context, list, shown, { columns: buildColumns(context), rows: shown.page.data })}
${renderForm(context, again)}</div>`,
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

import { isAtLeast } from '#src/contract/caller.ts'
import type { Endpoint } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { everybody, type PublicContext, publicFileForm, publicPage } from '#src/web/page/index.ts'
import { nameInput } from '#src/web/questions/index.ts'
import { showAnswering, showDone, showSignIn, showState } from './page.ts'
import { type FormContext, type FormPagesParts, readView, toRowId } from './parts.ts'
import { submitForm } from './submit.ts'

// Ten files of 25 MB, and the fields.
const MAX_BYTES = 252_000_000

// A link may fill in the hidden fields of a form, and name the campaign that it belongs to.
const filledIn = ({ query, view }: FormContext): Pairs => {
  const hidden = view.fields.flatMap(({ id, type }) => {
    const value = query.get(id)
    return type !== 'hidden' || value === null ? [] : [[nameInput(id), value.slice(0, 500)] as const]
  })
  return [...hidden, ['campaign', (query.get('campaign') ?? '').slice(0, 100)]]
}

// GET and POST /forms/:slug: a form, or why it takes no answers now.
const pages = [
  publicPage('GET /forms/:slug', everybody, async (visitor: PublicContext<FormPagesParts>) => {
    const context = { ...visitor, view: await readView(visitor) }
    const { query, session, view } = context
    if (query.get('done') === '1') return showDone(context)
    if (view.state !== 'open') return showState(context)
    if (view.needs_sign_in && session === undefined) return showSignIn(context)
    const reply = await showAnswering({ typed: filledIn(context), errors: new Map() }, context)
    const isOfStaff = session !== undefined && isAtLeast(session.member.role, 'admin')
    return isOfStaff ? reply : { ...reply, viewed: { type: 'form', id: toRowId(view) } }
  }),
  publicFileForm('POST /forms/:slug', everybody, {
    maxBytes: MAX_BYTES,
    submit: async (visitor: PublicContext<FormPagesParts>, sent) =>
      submitForm({ ...visitor, view: await readView(visitor) }, sent),
  }),
]

/** The pages on which anybody answers the forms of a school. */
export const createFormPages = (parts: FormPagesParts): Endpoint[] => pages.map(declared => declared(parts))

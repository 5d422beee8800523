import { randomUUID } from 'node:crypto'
import { Member, MemberPage } from '#src/areas/people/index.ts'
import { Order } from '#src/areas/shop/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { CallAsPerson, PageCall, SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { atPage, formKeyIn, formToken, isReply, languageAt, redirect } from '#src/web/page/index.ts'
import { findItems } from '../../items.ts'
import { recentStaffOf, staffFormOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { typedNote } from './acts.ts'
import { type RecordView, recordPage } from './record-page.ts'
import { ordersText as text } from './text.ts'
import type { OrderShown } from './waiting.ts'

const PATH = '/staff/orders/record'
const SHOWN = '8'

// Who bought what, as the address of the page says it.
type Choice = { readonly member: string; readonly prices: readonly string[]; readonly q: string; readonly item: string }

const choiceOf = ({ query }: EndpointRequest): Choice => {
  const parameters = new URLSearchParams(query)
  const part = (name: string): string => (parameters.get(name) ?? '').trim()
  const prices = parameters.getAll('price').filter(id => id !== '')
  return { member: part('member'), prices, q: part('q'), item: part('item') }
}

const callOf = (choice: Choice, form: Pairs): PageCall<typeof Order> => {
  const day = formField(form, 'received_on')
  const note = typedNote(form)
  return {
    operation: 'recordOutsideOrder',
    params: { member_id: choice.member },
    body: {
      items: choice.prices.map(price_id => ({ price_id })),
      invoice: formField(form, 'invoice') === 'yes',
      ...(day === '' ? {} : { received_on: day }),
      ...(note === undefined ? {} : { note }),
    },
    returns: Order,
  }
}

const refusalIn = (error: unknown): Refusal => {
  if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
  return error
}

type Quote = { readonly order?: OrderShown | undefined; readonly refusal?: Refusal | undefined }

const quoteOf = async (performAs: CallAsPerson, person: SignedInPerson, choice: Choice): Promise<Quote> => {
  if (choice.member === '' || choice.prices.length === 0) return {}
  try {
    return { order: (await performAs(person, { ...callOf(choice, []), dryRun: true })).result }
  } catch (error) {
    return { refusal: refusalIn(error) }
  }
}

const findPeople = (performAs: CallAsPerson, person: SignedInPerson, q: string) =>
  performAs(person, {
    operation: 'listMembers',
    query: [
      ['q', q],
      ['limit', SHOWN],
    ],
    returns: MemberPage,
  })

const viewOf = async (
  request: EndpointRequest,
  { secret, performAs }: StaffPagesParts,
  session: Session,
): Promise<RecordView> => {
  const person = atPage(request, session)
  const choice = choiceOf(request)
  const { member, q, item } = choice
  const [quote, buyer, people, items] = await Promise.all([
    quoteOf(performAs, person, choice),
    member === ''
      ? undefined
      : performAs(person, { operation: 'getMember', params: { member_id: member }, returns: Member }),
    member !== '' || q === '' ? undefined : findPeople(performAs, person, q),
    member === '' || item === '' ? undefined : findItems(performAs, person, item),
  ])
  return {
    school: request.school,
    language: languageAt(request, session),
    viewer: session.member,
    token: formToken(secret, request.school.id, { session }),
    formKey: randomUUID(),
    ...{ ...choice, buyer, people: people?.data, items },
    order: quote.order,
    refusal: quote.refusal,
    typed: [],
  }
}

const show = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const session = await recentStaffOf(request)
  return isReply(session) ? session : recordPage(await viewOf(request, parts, session))
}

const submit = async (request: EndpointRequest, parts: StaffPagesParts): Promise<Reply> => {
  const posted = await staffFormOf(request, parts.secret)
  if ('status' in posted) return posted
  const { session, form } = posted
  try {
    const call = { ...callOf(choiceOf(request), form), ...formKeyIn(form) }
    const { number } = await parts.performAs(atPage(request, session), call)
    return redirect(`/staff/orders/${number}?done=recorded`)
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal.problem === signInRequired) return redirect(`${PATH}?${request.query}`)
    return recordPage({ ...(await viewOf(request, parts, session)), refusal, typed: form })
  }
}

/** GET and POST /staff/orders/record; the address says who bought what. */
export const orderRecord: StaffSection = {
  entries: [{ path: PATH, name: text.record, about: text.recordAbout }],
  pages: [
    parts => endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
    parts => endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
  ],
}

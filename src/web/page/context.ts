import type { TSchema } from 'typebox'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type {
  AnswerOf,
  CallAsPerson,
  DryRunCall,
  DryRunOutcome,
  ExportAsPerson,
  PageCall,
  SignedInPerson,
} from '#src/contract/page-call.ts'
import type { Session } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import type { Html } from '#src/kit/html.ts'
import { type FormTerms, type Framed, framed, renderForm } from './frame.ts'
import { keptHandleIn } from './kept.ts'
import { showDay, showTime } from './moment.ts'
import { atPage, formToken, languageAt } from './request.ts'

/** What pages need of the application. */
export type PageParts = {
  /** The installation's secret, from which the tokens of forms are derived. */
  readonly secret: string
  /** Performs declared operations for the person; pages read and write in no other way. */
  readonly performAs: CallAsPerson
  /** Exports lists as CSV. */
  readonly exportAs: ExportAsPerson
}

type Calls = {
  <Returns extends TSchema | undefined = undefined>(call: DryRunCall<Returns>): Promise<DryRunOutcome<Returns>>
  <Returns extends TSchema | undefined = undefined>(call: PageCall<Returns>): Promise<AnswerOf<Returns>>
}

/** What a page knows of its request and of the person who is signed in; made once for a request. */
export type PageContext<Parts extends PageParts = PageParts> = {
  readonly request: EndpointRequest
  readonly parts: Parts
  readonly school: EndpointRequest['school']
  readonly session: Session
  readonly person: SignedInPerson
  /** The person, with the time zone of the school where they have none. */
  readonly viewer: Session['member']
  readonly language: Language
  /** The time zone of the school, in which people type times. */
  readonly timeZone: string
  /** The parameters of the path, and of the query. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The address of the page, with its query. */
  readonly address: string
  /** The token of the forms of the page. */
  readonly token: string
  /** A text in the language of the person. */
  t(phrase: Phrase, values?: Readonly<Record<string, string | number>>): string
  /** An amount of the smallest unit of a currency. */
  money(amount: number, currency: string): string
  /** A day, and a day with its time, in the zone of the viewer. */
  day(instant: Date | string): string
  time(instant: Date | string): string
  /** A form with its token, sent to this page unless an address is given. */
  form(inside: Html, action?: string, terms?: FormTerms): Html
  /** Performs an operation as the person, or says what it would do. */
  readonly call: Calls
  /** The page itself. */
  frame(page: Omit<Framed, 'school' | 'language'>): Reply
}

const buildAddress = ({ path, query }: EndpointRequest): string => (query === '' ? path : `${path}?${query}`)

/** Makes the context of a page for the person of a session. */
export const createContext = <Parts extends PageParts>(
  request: EndpointRequest,
  parts: Parts,
  session: Session,
  { isKept = false, isChecked = false }: { readonly isKept?: boolean; readonly isChecked?: boolean } = {},
): PageContext<Parts> => {
  const { school } = request
  const { member } = session
  const person = { ...atPage(request, session), isKept, isChecked }
  const language = languageAt(request, session)
  const viewer = { ...member, timeZone: member.timeZone ?? school.timeZone }
  const token = formToken(parts.secret, school.id, { session }, isKept ? keptHandleIn(request) : undefined)
  return {
    request,
    parts,
    school,
    session,
    person,
    viewer,
    language,
    token,
    timeZone: school.timeZone,
    params: request.params,
    query: new URLSearchParams(request.query),
    address: buildAddress(request),
    t: (phrase, values) => fill(phrase, language, values),
    money: (amount, currency) => formatMoney(amount, currency, language),
    day: instant => showDay(instant, language, viewer),
    time: instant => showTime(instant, language, viewer),
    form: (inside, action = request.path, terms) => renderForm(action, token, inside, terms),
    call: ((call: PageCall<undefined>) => parts.performAs(person, call)) as Calls,
    frame: page => framed({ school, language, languages: { token }, ...page }),
  }
}

import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { languageCookies, schemeCookies } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { isLanguage } from '#src/kit/locale.ts'
import { isScheme } from '#src/kit/scheme.ts'
import { texts } from '#src/texts/index.ts'
import {
  carriesToken,
  everybody,
  LANGUAGE_PATH,
  publicPage,
  readOwnForm,
  redirect,
  renderLanguages,
} from '#src/web/page/index.ts'
import type { VisitorContext } from './parts.ts'

// Any page of the school, also one that it wrote itself; a path of two slashes would lead to another host.
const pathIn = ({ school }: EndpointRequest, address: string): string => {
  if (!URL.canParse(address, school.siteOrigin)) return '/'
  const { origin, pathname, search } = new URL(address, school.siteOrigin)
  const isPage = origin === school.siteOrigin && !pathname.startsWith('//') && pathname !== LANGUAGE_PATH
  return isPage ? `${pathname}${search}` : '/'
}

/** GET and POST /account/language: in which language this browser shows our pages, and the account of who is signed in. */
export const languagePages = [
  publicPage(`GET ${LANGUAGE_PATH}`, everybody, async (context: VisitorContext) => {
    const { request, query, session, token, language, t, frame } = context
    const returnTo = pathIn(request, query.get('return_to') ?? '/')
    return frame({
      title: t(texts.account.change.profile.locale),
      body: renderLanguages({ language, token: session && token(), returnTo }),
      languages: undefined,
    })
  }),
  // A form of this site without the token of a session changes nothing but the browser that sends it.
  publicPage(`POST ${LANGUAGE_PATH}`, everybody, async (context: VisitorContext) => {
    const { request, school, parts, session, bound, call } = context
    const typed = await readOwnForm(request, [bound])
    const to = pathIn(request, formField(typed, 'return_to') || (request.header('referer') ?? '/'))
    const scheme = formField(typed, 'scheme')
    if (scheme !== '')
      return redirect(to, { 'set-cookie': schemeCookies(school, isScheme(scheme) ? scheme : undefined) })
    const language = formField(typed, 'language')
    if (!isLanguage(language)) return redirect(to)
    const isTheirs = session !== undefined && carriesToken(request, parts.secret, typed, [bound])
    if (isTheirs) await call({ operation: 'updateAccount', body: { locale: language } })
    return redirect(to, { 'set-cookie': languageCookies(school, language) })
  }),
]

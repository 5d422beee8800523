import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { page, redirectingPageHeaders, renderGreeting } from '#src/kit/html-page.ts'
import { texts } from '#src/texts/index.ts'
import { fill } from './fill.ts'
import { buildPath } from './people.ts'
import { type PeopleError, peopleText } from './people-text.ts'
import { text } from './text.ts'

type Failure =
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly wait: number }
  /** Why no code was mailed. */
  | { readonly error: PeopleError; readonly wait?: number }

type SignInView = {
  readonly school: School
  readonly language: Language
  readonly handle: string
  readonly clientName: string
  readonly email: string
  readonly isRemembered: boolean
  readonly failure?: Failure
}

const computeWait = (failure: Failure | undefined): number | undefined =>
  failure !== undefined && 'wait' in failure ? failure.wait : undefined

const complaint = (failure: Failure, language: Language): string => {
  const minutes = Math.ceil((computeWait(failure) ?? 0) / 60)
  if ('error' in failure) return fill(peopleText.errors[failure.error], language, { minutes })
  return failure.kind === 'refused' ? fill(text.wrong, language) : fill(text.tooMany, language, { minutes })
}

const chooseStatus = (failure: Failure | undefined): number => {
  if (failure === undefined) return 200
  return computeWait(failure) === undefined ? 400 : 429
}

/** The sign-in page, first or after a failed attempt. */
export const signInPage = (view: SignInView): Reply => {
  const { school, language, failure } = view
  const title = fill(text.signInAt, language, { school: school.name })
  const client = view.clientName === '' ? fill(text.unnamed, language) : view.clientName
  const body = html`${renderGreeting(school.look)}<h1>${title}</h1>
<p>${fill(text.signInFor, language, { client })}</p>
${failure !== undefined && html`<p class="note" role="alert" id="complaint">${complaint(failure, language)}</p>`}
<form method="post" action="/oauth/authorize/sign-in">
<input type="hidden" name="request" value="${view.handle}">
<label for="email">${fill(text.email, language)}</label>
<input type="email" id="email" name="email" value="${view.email}" autocomplete="username" required maxlength="254">
<label for="password">${fill(text.password, language)}</label>
<input type="password" id="password" name="password" autocomplete="current-password" required maxlength="256">
<div class="scope"><input type="checkbox" id="remember" name="remember" value="yes"${view.isRemembered && html` checked`}><label for="remember">${fill(texts.account.signIn.remember, language)}</label></div>
<div class="buttons"><button class="main" type="submit">${fill(text.signIn, language)}</button><button type="submit" name="way" value="code" formnovalidate>${fill(texts.identity.signInCode.send, language)}</button></div>
</form>
<p class="quiet"><a href="${buildPath('reset', view.handle)}">${fill(peopleText.forgotten, language)}</a></p>
${school.signupMode === 'open' && html`<p class="quiet"><a href="${buildPath('sign-up', view.handle)}">${fill(peopleText.noAccount, language)}</a></p>`}`
  const wait = computeWait(failure)
  const retry: Record<string, string> = wait === undefined ? {} : { 'retry-after': String(Math.max(1, wait)) }
  return {
    status: chooseStatus(failure),
    headers: { ...redirectingPageHeaders, ...retry },
    body: page({ lang: language, title, brand: { name: school.name, look: school.look }, body }),
  }
}

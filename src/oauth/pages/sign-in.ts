import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { page, redirectingPageHeaders, renderGreeting } from '#src/kit/html-page.ts'
import { fill } from './fill.ts'
import { buildPath } from './people.ts'
import { peopleText } from './people-text.ts'
import { text } from './text.ts'

type Failure = { readonly kind: 'refused' } | { readonly kind: 'too_many'; readonly wait: number }

type SignInView = {
  readonly school: School
  readonly language: Language
  readonly handle: string
  readonly clientName: string
  readonly email: string
  readonly failure?: Failure
}

const complaint = (failure: Failure, language: Language): string =>
  failure.kind === 'refused'
    ? fill(text.wrong, language)
    : fill(text.tooMany, language, { minutes: Math.ceil(failure.wait / 60) })

const chooseStatus = (failure: Failure | undefined): number => {
  if (failure === undefined) return 200
  return failure.kind === 'refused' ? 400 : 429
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
<div class="buttons"><button class="main" type="submit">${fill(text.signIn, language)}</button></div>
</form>
<p class="quiet"><a href="${buildPath('reset', view.handle)}">${fill(peopleText.forgotten, language)}</a></p>
${school.signupMode === 'open' && html`<p class="quiet"><a href="${buildPath('sign-up', view.handle)}">${fill(peopleText.noAccount, language)}</a></p>`}`
  const retry: Record<string, string> = failure?.kind === 'too_many' ? { 'retry-after': String(failure.wait) } : {}
  return {
    status: chooseStatus(failure),
    headers: { ...redirectingPageHeaders, ...retry },
    body: page({ lang: language, title, brand: { name: school.name, look: school.look }, body }),
  }
}

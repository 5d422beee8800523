import type { Reply } from '#src/contract/endpoint.ts'
import type { Language, Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { texts } from '#src/texts/index.ts'
import { fill } from './fill.ts'
import { type Complaint, formPage, messagePage } from './form-page.ts'
import { peopleText as text } from './people-text.ts'

const { common } = texts.oauth
const { signInCode } = texts.identity

/** The context of a page: the school, the language, and the handle of the pending authorization. */
export type PageOf = { readonly school: School; readonly language: Language; readonly handle: string }

/** The address of a page within an authorization. */
export const buildPath = (page: string, handle: string): string => `/oauth/authorize/${page}?request=${handle}`

const signInLink = ({ handle, language }: PageOf) => ({
  href: buildPath('sign-in', handle),
  label: fill(text.haveAccount, language),
})

const codeField = (language: Language) => ({ name: 'code', label: fill(text.code, language) }) as const

const passwordField = (language: Language) =>
  ({ name: 'password', label: fill(text.newPassword, language), hint: fill(text.passwordHint, language) }) as const

/** The sign-up page; it says so where a school does not accept new accounts. */
export const signUpPage = (of: PageOf, typed: { email: string; name: string }, complaint?: Complaint): Reply => {
  const { school, language, handle } = of
  const title = fill(text.signUpAt, language, { school: school.name })
  if (school.signupMode === 'closed')
    return messagePage({
      school,
      language,
      status: 403,
      title,
      text: fill(text.closed, language),
      links: [signInLink(of)],
    })
  return formPage({
    school,
    language,
    title,
    intro: fill(school.signupMode === 'invite' ? text.inviteOnly : text.signUpIntro, language),
    action: '/oauth/authorize/sign-up',
    handle: { name: 'request', value: handle },
    fields: [
      { name: 'name', label: fill(text.name, language), value: typed.name },
      { name: 'email', label: fill(text.email, language), value: typed.email },
      passwordField(language),
    ],
    button: fill(text.sendCode, language),
    links: [signInLink(of)],
    complaint,
  })
}

type CodePageView = {
  readonly page: 'sign-up' | 'reset' | 'verify' | 'sign-in'
  readonly email: string
  readonly token?: string
}

const codeIntros: Readonly<Record<CodePageView['page'], Phrase>> = {
  'sign-up': text.codeIntro,
  reset: text.resetCodeIntro,
  verify: text.codeIntro,
  'sign-in': signInCode.intro,
}

/** The page to enter the code from the e-mail; for a reset also the new password. */
export const codePage = (of: PageOf, { page, email, token }: CodePageView, complaint?: Complaint): Reply => {
  const { school, language, handle } = of
  const isReset = page === 'reset'
  return formPage({
    school,
    language,
    title: fill(text.codeTitle, language),
    intro: fill(codeIntros[page], language, { email }),
    action: `/oauth/authorize/${page}/code`,
    handle: { name: 'request', value: handle },
    token,
    fields: isReset ? [codeField(language), passwordField(language)] : [codeField(language)],
    button: fill(isReset ? text.setPassword : text.goOn, language),
    links: [{ href: buildPath(page, handle), label: fill(text.again, language) }],
    complaint,
  })
}

/** The page after the link of a mail with a code to sign in: one button. */
export const codeLinkPage = ({ school, language, handle }: PageOf, email: string, code: string): Reply =>
  formPage({
    school,
    language,
    title: fill(common.signInAt, language, { school: school.name }),
    intro: fill(signInCode.linkIntro, language, { email }),
    action: '/oauth/authorize/sign-in/code',
    handle: { name: 'request', value: handle },
    code,
    fields: [],
    button: fill(common.signIn, language),
    links: [],
  })

/** The page after such a link in another browser, or once it works no more: where to continue. */
export const elsewherePage = (school: School, language: Language): Reply =>
  messagePage({
    school,
    language,
    status: 200,
    title: fill(signInCode.elsewhereTitle, language),
    text: fill(signInCode.elsewhere, language),
    links: [{ href: '/account/sign-in', label: fill(common.signIn, language) }],
  })

/** The page to request a code after a forgotten password. */
export const resetPage = (of: PageOf, email: string, complaint?: Complaint): Reply => {
  const { school, language, handle } = of
  return formPage({
    school,
    language,
    title: fill(text.resetTitle, language),
    intro: fill(text.resetIntro, language),
    action: '/oauth/authorize/reset',
    handle: { name: 'request', value: handle },
    fields: [{ name: 'email', label: fill(text.email, language), value: email }],
    button: fill(text.sendCode, language),
    links: [{ href: buildPath('sign-in', handle), label: fill(text.haveAccount, language) }],
    complaint,
  })
}

/** The page that offers a member to verify the address; this is optional. */
export const verifyPage = (
  of: PageOf,
  { email, token }: { readonly email: string; readonly token: string },
  complaint?: Complaint,
): Reply => {
  const { school, language, handle } = of
  return formPage({
    school,
    language,
    title: fill(text.verifyTitle, language),
    intro: fill(text.verifyIntro, language, { email }),
    action: '/oauth/authorize/verify',
    handle: { name: 'request', value: handle },
    token,
    fields: [],
    button: fill(text.sendCode, language),
    links: [{ href: buildPath('consent', handle), label: fill(text.verifyLater, language) }],
    complaint,
  })
}

/** The page on which an invited person enters the code and chooses name and password. */
export const invitationPage = (
  of: PageOf,
  invited: { readonly email: string; readonly name: string },
  complaint?: Complaint,
): Reply => {
  const { school, language, handle } = of
  return formPage({
    school,
    language,
    title: fill(text.invitationTitle, language, { school: school.name }),
    intro: fill(text.invitationIntro, language, { email: invited.email }),
    action: '/oauth/invitation',
    handle: { name: 'invitation', value: handle },
    fields: [
      codeField(language),
      { name: 'name', label: fill(text.name, language), value: invited.name },
      passwordField(language),
    ],
    button: fill(text.accept, language),
    links: [],
    complaint,
  })
}

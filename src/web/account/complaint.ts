import { texts } from '#src/texts/index.ts'
import type { Notice, PageContext } from '#src/web/page/index.ts'

const words = texts.account.change

/** The texts of the pages for changing password, address and profile, in every language; `{…}` is filled in. */
export const changeText = { ...words, errors: { ...texts.identity.formErrors, ...words.errors } } as const

/** The error of a form; `wait` in seconds after too many attempts. */
export type Complaint = { readonly error: keyof typeof changeText.errors; readonly wait?: number }

/** The error of a form as a notice. */
export const buildNotice = (complaint: Complaint | undefined, { t }: Pick<PageContext, 't'>): Notice | undefined => {
  if (complaint === undefined) return undefined
  const { error, wait } = complaint
  const text = t(changeText.errors[error], { minutes: Math.ceil((wait ?? 0) / 60) })
  return { kind: 'refused', text, ...(wait === undefined ? {} : { wait }) }
}

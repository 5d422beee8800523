import type { Phrase } from '#src/contract/language.ts'

/** The effect of disconnecting an app, in words. */
export const appEffect = (name: string): Phrase => ({
  en: `The app “${name}” loses all access to your account.`,
  pt: `A aplicação «${name}» perde todo o acesso à sua conta.`,
})

import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** What the first page of an account says, in every language; `{…}` is filled in. */
export const accountText = {
  title: say('Your account at {school}', 'A sua conta em {school}'),
  name: say('Name', 'Nome'),
  email: say('E-mail address', 'Endereço de e-mail'),
  proven: say('confirmed', 'confirmado'),
  notProven: say('not confirmed yet', 'ainda não confirmado'),
  signOut: say('Sign out', 'Terminar sessão'),
} as const

import type { Effects } from '#src/contract/fact.ts'
import { problem } from '#src/contract/problem.ts'
import { texts } from '#src/texts/index.ts'

/** The deletion can no longer be cancelled. */
export const deletionInProgress = problem(
  409,
  'deletion_in_progress',
  'The account is being deleted',
  'The period in which the deletion could be cancelled is over, and the last e-mail to the person was sent.',
)

/** For how many days a person can change their mind. */
export const COOL_OFF_DAYS = 14

/** The effects of scheduling the deletion of an account, in words. */
export const deletionEffects: Effects = {
  access: {
    en: `In ${COOL_OFF_DAYS} days your account is permanently deleted, with everything in it: courses, progress, certificates, what you wrote. Issued invoices keep your name and address for as long as the law requires. Until then everything works as before, and you can cancel the deletion.`,
    pt: `Dentro de ${COOL_OFF_DAYS} dias a sua conta é eliminada definitivamente, com tudo o que ela contém: cursos, progresso, certificados, o que escreveu. As faturas emitidas conservam o seu nome e morada durante o prazo que a lei exige. Até lá tudo funciona como antes e pode anular o pedido.`,
  },
  mail: texts.people.account.deletion.rules.deletionEffects.mail,
}

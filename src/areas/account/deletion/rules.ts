import type { Effects } from '#src/contract/fact.ts'
import { problem } from '#src/contract/problem.ts'

/** The deletion cannot be cancelled any more. */
export const deletionInProgress = problem(
  409,
  'deletion_in_progress',
  'The account is being deleted',
  'The days in which the deletion could be cancelled are over, and the last e-mail to the person was sent.',
)

/** For how many days a person can change their mind. */
export const COOL_OFF_DAYS = 14

/** The effects of scheduling the deletion of an account, in words. */
export const deletionEffects: Effects = {
  access: {
    en: `In ${COOL_OFF_DAYS} days your account is deleted for good, with everything in it: courses, progress, certificates, what you wrote. Until then all works as before, and you can take it back.`,
    pt: `Dentro de ${COOL_OFF_DAYS} dias a sua conta é eliminada para sempre, com tudo o que tem nela: cursos, progresso, certificados, o que escreveu. Até lá tudo funciona como antes e pode anular o pedido.`,
  },
  mail: { en: 'Mails you the day on which it happens', pt: 'Envia-lhe o dia em que acontece' },
}
